package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// body has a field of each kind.
type body struct {
	Text   string            `json:"text" limit:"required 1..10"`
	Int    int               `json:"int" limit:"0..9"`
	Float  float64           `json:"float"`
	Bool   bool              `json:"bool"`
	Choice string            `json:"choice" limit:"required 1..10" oneOf:"a,b"`
	List   []string          `json:"list" limit:"required 1..3 of 1..5 distinct"`
	Given  string            `json:"given" limit:"required 0..5"`
	Raw    json.RawMessage   `json:"raw"`
	Map    map[string]string `json:"map" limit:"0..2 of 0..3"`
	Object *inner            `json:"object"`
}

type inner struct {
	X string `json:"x" limit:"anycase"`
}

// Check refuses the text "no".
func (i *inner) Check(e *api.Errors, at string) {
	if i.X == "no" {
		e.Add(at+"/x", "is no")
	}
}

// read parses and checks a body.
func read(raw []byte) (b body, err error) {
	members, err := api.Body(raw)
	if err != nil {
		return b, err
	}
	b.Int, b.Bool = 1, true
	var errs api.Errors
	errs.Take("", members, &b)
	errs.Unknown("", members)
	return b, errs.Err()
}

func TestValidBodyIsRead(t *testing.T) {
	b, err := read([]byte(` {"text":"hä","int":2e0,"float":1.5,"bool":false,"choice":"B","list":["x"],"given":"","raw":[1, 2],"map":{"k":"v"},"object":{"X":"y"}} `))
	require.NoError(t, err)
	require.Equal(t, body{"hä", 2, 1.5, false, "b", []string{"x"}, "", json.RawMessage("[1, 2]"), map[string]string{"k": "v"}, &inner{"y"}}, b)
	b, err = read([]byte(`{"text":"a","int":null,"choice":"a","list":["x"],"given":"","object":null}`))
	require.NoError(t, err)
	require.Equal(t, body{Text: "a", Int: 1, Bool: true, Choice: "a", List: []string{"x"}}, b, "absent and null leave the defaults")
}

func TestEveryInvalidMemberIsReported(t *testing.T) {
	for text, want := range map[string][]string{
		`{"text":" ","int":"2","bool":0,"choice":"c","list":["",7,"toolong"],"map":{"k":"long"},"object":{"y":1},"~/":0}`: {
			"/text is required", "/int wants a number, not a string", "/bool wants a boolean, not a number",
			"/choice is not one of a, b", "/list/0 wants 1 to 5 characters", "/list/1 wants a string, not a number",
			"/list/2 wants 1 to 5 characters", "/given is required", "/map/k wants at most 3 characters", "/object/y is not a known member", "/~0~1 is not a known member",
		},
		`{"text":"a","int":10,"choice":"a","list":["a","a"," "],"given":"\u0000","object":{"x":"no"},"map":{"1":"","2":"","3":""}}`: {
			"/int wants a whole number from 0 to 9", "/list/1 is in the array already", "/list/2 wants 1 to 5 characters", "/given contains a control character",
			"/object/x is no", "/map wants at most 2 members",
		},
		`{"text":"a","int":1.5,"choice":"a","list":[],"given":"","object":[]}`: {"/int wants a whole number from 0 to 9", "/list wants 1 to 3 elements", "/object wants an object, not an array"},
	} {
		_, err := read([]byte(text))
		var p *api.Problem
		require.ErrorAs(t, err, &p)
		var said []string
		for _, e := range p.Errors {
			said = append(said, e.Pointer+" "+e.Detail)
		}
		require.ElementsMatch(t, want, said)
	}
}

// FuzzBody checks that an accepted body is valid JSON, and that any other is refused with a problem of status 400.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a","choice":"a","list":["a"],"given":""}`, `{"text":1e999}`, `{"object":{"object":{}}}`, `{"list":[null]}`,
		strings.Repeat(`{"a":`, 100), "\xff", `{"int":-0.0}`, `{"int":18446744073709551616}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, err := read(raw)
		if err == nil {
			require.True(t, json.Valid(raw))
			return
		}
		var p *api.Problem
		require.ErrorAs(t, err, &p)
		require.Equal(t, 400, p.Status)
		for _, e := range p.Errors {
			require.True(t, strings.HasPrefix(e.Pointer, "/"), e.Pointer)
		}
	})
}
