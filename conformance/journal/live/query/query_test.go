package query_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
)

// bothSuites judges by both suites of the taxi interface, as 'cabrank serve' does.
func bothSuites() query.Options {
	return query.Options{Version: "test", Options: live.Options{Now: time.Now, Request: &callingside.Suite, Answer: &dispatchside.Suite}}
}

// served is a journal over a handler, with its API on an address of its own.
type served struct {
	*query.Journal
	url, api string
}

func listen(t testing.TB, next http.Handler, change func(*query.Options)) *served {
	t.Helper()
	opts := bothSuites()
	if change != nil {
		change(&opts)
	}
	l := &served{Journal: query.New(next, opts)}
	front, api := httptest.NewServer(l), httptest.NewServer(l.API())
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		front.Close()
		api.Close()
	})
	l.url, l.api = front.URL, api.URL
	return l
}

// ask calls the API; the answer is read as JSON where it is.
func (l *served) ask(t testing.TB, method, path, body string) (int, map[string]any, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, l.api+path, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	var v map[string]any
	_ = json.Unmarshal(text, &v) // not all answers are JSON
	return resp.StatusCode, v, string(text)
}
