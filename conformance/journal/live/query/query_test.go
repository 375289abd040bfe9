package query_test

import (
	"context"
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

// bothSuites returns options with both suites of the taxi interface, as 'cabrank serve' has them.
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
		l.Close()
		front.Close()
		api.Close()
	})
	l.url, l.api = front.URL, api.URL
	return l
}

// ask calls the API and decodes the answer if it is JSON.
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

// FuzzQuestions checks that no question to a journal is answered 5xx.
func FuzzQuestions(f *testing.F) {
	l := listen(f, system(f), nil)
	l.some(f)
	for i, seed := range []string{
		`{"match":{"op":"user","phone":"020","body":{"/phoneNumber":"442079460020"}},"after":1,"limit":5,"brief":true}`,
		`{"match":{"verdict":"fail","status":200,"answer":{"/a/0/~1":null}}}`, `{"count":1,"timeout":"0s","match":{"op":"cancel"}}`, `{"timeout":"1ns"}`,
		`{"inOrder":true,"expect":[{"op":"user"},{"match":{"op":"book"},"times":0},{"atLeast":1,"atMost":2,"op":"config"}]}`,
		`{"match":{"rule":"P-02"}}`, `{"match":[]}`, `{"expect":[]}`, `{"limit":-1}`, `{"match":{"status":1e99}}`, `null`, "\xff",
	} {
		f.Add(i, seed)
	}
	paths := []string{"/requests/find", "/requests/count", "/requests/wait", "/verify"}
	f.Fuzz(func(t *testing.T, path int, body string) {
		to := paths[uint(path)%uint(len(paths))]
		ctx, leave := context.WithCancel(t.Context())
		if to == "/requests/wait" {
			leave() // nobody waits for a call that never comes
		}
		w := httptest.NewRecorder()
		l.API().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(body)))
		leave()
		require.Less(t, w.Code, http.StatusInternalServerError, "%s %s: %s", to, body, w.Body)
	})
}
