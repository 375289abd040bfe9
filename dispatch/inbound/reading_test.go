package inbound_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// order is read from JSON.
type order struct {
	Name  string    `json:"name"`
	Count int       `json:"count"`
	At    time.Time `json:"at"`
	Stops []struct {
		Name string `json:"name"`
	} `json:"stops"`
}

// TestReadingFindsAllFaults reads texts in which several values are wrong; the others are read.
func TestReadingFindsAllFaults(t *testing.T) {
	for _, one := range []struct {
		text  string
		known bool
		want  []inbound.Fault
	}{
		{`{"name":"Ada","more":1}`, false, nil},
		{`{"name":"Ada","more":1,"count":"2"}`, true, []inbound.Fault{{"/count", "type", "wants a number, not a string"}, {"/more", "unknown", "is not a known member"}}},
		{`{"name":"Ada","count":null,"at":7,"stops":[{},{"name":[]}]}`, false, []inbound.Fault{
			{"/at", "type", "wants a string, not a number"}, {"/stops/1/name", "type", "wants a string, not an array"},
		}},
		{`{"name":"Ada","stops":{}}`, true, []inbound.Fault{{"/stops", "type", "wants an array, not an object"}}},
		{`{"more":{"deep":[1]},"name":"Ada","stops":[{"less":1},{"name":2,"~/":3}],"count":true}`, true, []inbound.Fault{
			{"/stops/1/name", "type", "wants a string, not a number"},
			{"/count", "type", "wants a number, not a boolean"},
			{"/more", "unknown", "is not a known member"},
			{"/stops/0/less", "unknown", "is not a known member"},
			{"/stops/1/~0~1", "unknown", "is not a known member"},
		}},
		{`{"name":"Ada","stops":[{"more":1}]}`, true, []inbound.Fault{{"/stops/0/more", "unknown", "is not a known member"}}},
	} {
		var o order
		faults, err := inbound.Reading{Known: one.known}.Read([]byte(one.text), &o)
		require.NoError(t, err, one.text)
		require.Equal(t, one.want, faults, one.text)
		require.Equal(t, "Ada", o.Name, one.text)
	}
	var o order
	faults, err := inbound.Reading{}.Read([]byte("[]"), &o)
	require.NoError(t, err)
	require.Equal(t, []inbound.Fault{{"", "type", "wants an object, not an array"}}, faults)
}

// TestDecodeReportsTheFirstFault checks that decoding a text or a body reports its first fault as the error.
func TestDecodeReportsTheFirstFault(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":1,"count":"2"}`: "/name wants a string, not a number", "[]": "it wants an object, not an array", `{"more":1}`: "/more is not a known member", "{": "unexpected EOF",
		`{"name":"` + strings.Repeat("a", 100) + `"}`: "too large",
	} {
		var o order
		body := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(text))
		require.ErrorContains(t, inbound.Reading{Known: true}.DecodeBody(httptest.NewRecorder(), body, 100, &o), want, text)
	}
	var o order
	require.NoError(t, inbound.Reading{Known: true}.Decode([]byte(`{"name":"Ada"}`), &o))
	require.Equal(t, "Ada", o.Name)
}

// TestReadingRefusesInvalidJSON reads texts that are no JSON, or not what is wanted.
func TestReadingRefusesInvalidJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":1,"name":2}`: "duplicate object member name",
		`{"name":"a"} {}`:     "after top-level value",
		"{\"name\":\"\xff\"}": "invalid UTF-8",
		"":                    `want a JSON object such as {"name":"Ada"}, got nothing`,
		" [1]":                "got an array",
		"hello":               `got text that begins with 'h'`,
		"-1":                  "got a number",
		"null":                "got null",
		"\ufeff{}":            `got text that begins with 'ï'`,
		"\xff\xfe{\x00}\x00":  `got text that begins with 'ÿ'`,
	} {
		var o order
		_, err := inbound.Reading{Example: `{"name":"Ada"}`}.Read([]byte(text), &o)
		require.ErrorContains(t, err, want, text)
	}
}
