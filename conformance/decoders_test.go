package conformance_test

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// FuzzReadSignedResult reads whatever is taken for a signed result, and verifies it with and
// without a run: only what the key signed is genuine, and other readers of JSON find the same.
func FuzzReadSignedResult(f *testing.F) {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	run := &conformance.RunFile{Format: conformance.RunFormat, Report: conformance.Report{Suite: newTelephone(), Started: autumn, Target: "http://one"}}
	signed, err := run.Sign(key, autumn.AddDate(0, 1, 0))
	require.NoError(f, err)
	var text bytes.Buffer
	require.NoError(f, signed.Write(&text))
	f.Add(text.String())
	f.Add(strings.Replace(text.String(), "http://one", "http://two", 1))
	f.Add(`{"format":"cabrank-result/1","started":"9999-12-31T23:30:00-01:00"}`)
	for _, touch := range touches {
		f.Add(touch.of(text.String()))
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := conformance.ReadSignedResult(strings.NewReader(text))
		if err != nil {
			return
		}
		_ = read.Verify(autumn, key.Public().(ed25519.PublicKey), run) // whatever the run is, it must not panic
		if read.Verify(autumn, key.Public().(ed25519.PublicKey), nil) == nil {
			require.Equal(t, signed.Target, read.Target)
			other := map[string]any{}
			require.NoError(t, json.Unmarshal([]byte(text), &other))
			require.Equal(t, signed.Target, other["target"])
		}
	})
}

// touches are changes of a signed result that leave its signature right and that some readers
// of JSON take for something else.
var touches = []touch{
	{"another case", `"target": "http://one"`, `"target": "http://two", "TARGET": "http://one"`},
	{"a member twice", `"target": "http://one"`, `"target": "http://two", "target": "http://one"`},
	{"an unknown member", `"target": "http://one"`, `"target": "http://one", "certified": true`},
	{"null for a number", `"fail": 0`, `"fail": null`},
	{"text behind", "\n}\n", "\n}\n{}"},
	{"a document before", "{", `{"exitCode": 0} {`},
}

type touch struct{ name, old, new string }

// of returns a text with the first place of it changed.
func (t touch) of(text string) string { return strings.Replace(text, t.old, t.new, 1) }

// TestASignedResultIsReadInOneWay changes the text of a signed result so that what is decoded
// would still have the right signature.
func TestASignedResultIsReadInOneWay(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	run := &conformance.RunFile{Format: conformance.RunFormat, Report: conformance.Report{Suite: newTelephone(), Started: autumn, Target: "http://one"}}
	text := signedText(t, run, key)
	_, err := conformance.ReadSignedResult(strings.NewReader(text))
	require.NoError(t, err)
	var packed bytes.Buffer
	require.NoError(t, json.Compact(&packed, []byte(text)))
	_, err = conformance.ReadSignedResult(&packed)
	require.NoError(t, err, "white space means nothing")
	for _, touch := range touches {
		touched := touch.of(text)
		require.NotEqual(t, text, touched, touch.name)
		_, err := conformance.ReadSignedResult(strings.NewReader(touched))
		require.Error(t, err, touch.name)
	}
}

// TestASignedResultHasDatesThatCanBeWritten signs dates that other zones push out of the
// calendar.
func TestASignedResultHasDatesThatCanBeWritten(t *testing.T) {
	t.Parallel()
	_, err := conformance.ReadSignedResult(strings.NewReader(`{"format":"cabrank-result/1","expires":"9999-12-31T23:30:00-01:00"}`))
	require.ErrorContains(t, err, "years 0 to 9999")
	_, err = conformance.ReadSignedResult(strings.NewReader(`{"format":"cabrank-result/1","started":"9999-12-31T23:30:00-01:00"}`))
	require.ErrorContains(t, err, "years 0 to 9999")
}

// signedText returns a run's signed result as it is written.
func signedText(t testing.TB, run *conformance.RunFile, key ed25519.PrivateKey) string {
	t.Helper()
	signed, err := run.Sign(key, autumn.AddDate(0, 1, 0))
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, signed.Write(&text))
	return text.String()
}

// FuzzReadBaseline reads whatever is taken for a baseline.
func FuzzReadBaseline(f *testing.F) {
	f.Add(`{"format":"cabrank-baseline/1","known":[{"id":"CAL-01","reason":"r","owner":"o","until":"2026-12-01T00:00:00Z"}]}`)
	f.Add(`{}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := conformance.ReadBaseline(strings.NewReader(text), newTelephone())
		require.Equal(t, err == nil, b != nil)
	})
}

// FuzzUnpack undoes encodings: never more comes of it than is asked for, and one byte.
func FuzzUnpack(f *testing.F) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(make([]byte, 5000))
	require.NoError(f, err)
	require.NoError(f, z.Close())
	f.Add("gzip", packed.Bytes())
	f.Add("deflate", []byte{0x4b, 0x04, 0x00})
	f.Add("identity", []byte("{}"))
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		const most = 1000
		plain, err := conformance.Unpack(encoding, body, most)
		if err == nil && !bytes.Equal(plain, body) {
			require.LessOrEqual(t, len(plain), most+1)
		}
	})
}

// FuzzTrim lets go of what a call holds: what is left is small, and is read again as it
// was.
func FuzzTrim(f *testing.F) {
	f.Add(`{"callId":"7","legs":[` + strings.Repeat("0,", 600) + `0]}`)
	f.Add(`{"callId":"7"}`)
	f.Add(strings.Repeat("[", 600))
	f.Fuzz(func(t *testing.T, body string) {
		x := conformance.Exchange{Probe: "p", Response: &conformance.Response{Status: 200, Body: conformance.Body(body)}}
		var kept conformance.Store
		kept.Most = 1
		kept.Take(&x)
		require.LessOrEqual(t, len(x.Response.Body), conformance.Excerpt)
		require.Equal(t, len(body), len(x.Response.Body)+x.Response.Cut)
		require.Equal(t, x.Response.Cut > 0, x.Unread())
		if len(body) <= conformance.Excerpt && !x.Unread() {
			var v any
			require.Equal(t, json.NewDecoder(strings.NewReader(body)).Decode(&v) == nil || strings.HasPrefix(body, "\xef\xbb\xbf"), x.Reply().Present() || strings.HasPrefix(body, "\xef\xbb\xbf"))
		}
	})
}
