package console_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/console"
)

// The documents of this server, and of a platform once there is one, are shown as they are.
func TestDocumentsAreJSON(t *testing.T) {
	const text = `{"openapi": "3.1.0", "paths": {"/z": {"post": {"summary": "last"}}, "/a": {"post": {"summary": "first"}}}}`
	c := console.New(console.Options{
		Guard:     func(h http.Handler) http.Handler { return h },
		Documents: []console.Document{{Name: "own", Title: "Ours", Text: func() []byte { return []byte(text) }}},
	})
	require.JSONEq(t, `{"documents":[{"name":"own","title":"Ours"}]}`, ask(t, c, http.MethodGet, "/console/openapi/").Body.String())
	own := ask(t, c, http.MethodGet, "/console/openapi/own.json")
	require.Equal(t, "application/json", own.Header().Get("Content-Type"))
	require.Equal(t, text, own.Body.String())
	for _, path := range []string{"own", "own.yaml", "rest.json"} {
		require.Equal(t, http.StatusNotFound, ask(t, c, http.MethodGet, "/console/openapi/"+path).Code, path)
	}
	c.Connect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.URL.Path)) }))
	require.Contains(t, ask(t, c, http.MethodGet, "/console/openapi/").Body.String(), `"voice"`)
	require.Equal(t, "/openapi/rest.json", ask(t, c, http.MethodGet, "/console/openapi/rest.json").Body.String())
}

// What the platform's own APIs are to be shown has a header of its own: the one of HTTP is
// for the console.
func TestPlatformIsShownItsOwnCredentials(t *testing.T) {
	c := console.New(console.Options{Guard: func(h http.Handler) http.Handler { return h }})
	c.Connect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(r.URL.Path + " " + r.Header.Get("Authorization")))
	}))
	headers := []string{"Authorization", "Bearer of-the-console", "X-Platform-Authorization", "Basic x"}
	require.Equal(t, "/api/v1/account Basic x", ask(t, c, http.MethodGet, "/console/platform/api/v1/account", headers...).Body.String())
	require.Equal(t, "/channels/voice ", ask(t, c, http.MethodPost, "/console/platform/channels/voice", headers[:2]...).Body.String())
}
