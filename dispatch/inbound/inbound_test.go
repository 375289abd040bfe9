package inbound_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// TestRequestIDsOfTwoSourcesDiffer checks that ids of different sources, such as a server before and after a restart, differ.
func TestRequestIDsOfTwoSourcesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		next := inbound.RequestIDs()
		for range 3 {
			id := next()
			require.Regexp(t, `^[A-Z2-7]{10}-[1-3]$`, id)
			require.False(t, seen[id])
			seen[id] = true
		}
	}
}

func TestJSONMediaTypesAreRecognised(t *testing.T) {
	for text, want := range map[string]bool{
		"application/json": true, "application/json; charset=UTF-8": true, "application/json;charset=utf8": true,
		"application/json; UTF-8": true, `application/json; x; charset="utf-8"`: true, "application/json; charset=latin1; x": false,
		"application/json; charset=utf-8, application/json": true,
		"application/json; charset=latin1":                  false, "text/json": false, "": false, ";": false,
	} {
		require.Equal(t, want, inbound.SendsJSON(text), text)
	}
	for text, want := range map[string]bool{"": true, " ": true, "*/*": true, "text/html, application/*;q=0.1": true, "application/problem+json": true, "text/html": false} {
		require.Equal(t, want, inbound.TakesJSON([]string{text}), text)
	}
}

// TestFileIsCompressedAndCached asks for a file as clients do that take gzip, do not, or have the file.
func TestFileIsCompressedAndCached(t *testing.T) {
	text := strings.Repeat("a town ", 100)
	f := inbound.NewFile("text/plain", []byte(text))
	ask := func(name, value string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header.Set(name, value)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w
	}
	plain := ask("Accept-Encoding", "br, gzip;q=0")
	require.Equal(t, text, plain.Body.String())
	require.Equal(t, "text/plain", plain.Header().Get("Content-Type"))
	zipped := ask("Accept-Encoding", "br, gzip;q=0.5")
	require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	unzipped, err := gzip.NewReader(zipped.Body)
	require.NoError(t, err)
	got, err := io.ReadAll(unzipped)
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	for _, tag := range []string{plain.Header().Get("ETag"), `"other", W/` + plain.Header().Get("ETag")} {
		require.Equal(t, http.StatusNotModified, ask("If-None-Match", tag).Code, tag)
	}
	require.Equal(t, http.StatusOK, ask("If-None-Match", `"other"`).Code)

	f = inbound.NewFile("text/plain", []byte("a"))
	require.Empty(t, ask("Accept-Encoding", "gzip").Header().Get("Content-Encoding"), "it would be longer")
}
