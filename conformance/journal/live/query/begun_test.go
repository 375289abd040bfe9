package query_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCallIsFoundBeforeItsHandlerReturns checks that a query finds a call whose client has the answer although its
// handler has not returned.
func TestCallIsFoundBeforeItsHandlerReturns(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"status":"OK"}`))
		_ = http.NewResponseController(w).Flush()
		<-asked
		for range 1000 {
			runtime.Gosched()
		}
	}), nil)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/config", strings.NewReader(`{}`))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	question := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/requests/count", strings.NewReader(`{}`))
	answer := httptest.NewRecorder()
	close(asked)
	l.API().ServeHTTP(answer, question)
	require.JSONEq(t, `{"count":1}`, answer.Body.String())
}

// TestWaitingCountsEachCallOnce checks that a wait for twenty calls counts each of them once as they come.
func TestWaitingCountsEachCallOnce(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	done := make(chan string)
	go func() {
		answer := httptest.NewRecorder()
		l.API().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/requests/wait", strings.NewReader(`{"match":{"op":"config"},"count":20,"brief":true,"timeout":"60s"}`)))
		done <- answer.Body.String()
	}()
	for range 20 {
		l.call(t, "/config", `{}`)
	}
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(<-done), &v))
	require.Equal(t, []any{20.0, 20.0}, []any{v["count"], v["last"]})
	for i, id := range ids(v) {
		require.Equal(t, i+1, id)
	}
}

// TestUnknownPathsAndMethodsAreJudged checks that calls with an unknown path, another method or a body that is too long
// are refused, and judged by what is known of them.
func TestUnknownPathsAndMethodsAreJudged(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]struct {
		op, verdict, message string
		failures             int // of the report
	}{
		"POST /api/book": {"", "fail", "the path is none of the five operations", 1},
		"POST /book/":    {"", "fail", "the path is none of the five operations", 1},
		"POST /bookings": {"", "fail", "the path is none of the five operations", 1},
		"PUT /config":    {"config", "fail", "the method is PUT", 1},
		"POST /config":   {"config", "ok", "", 0},
		"POST /long":     {"config", "warn", "the body is longer than the third party accepts", 1}, // of the run: nothing could be tested
	} {
		l := listen(t, system(t), nil)
		method, path, _ := strings.Cut(call, " ")
		body := "{}"
		if path == "/long" {
			path, body = "/config", fmt.Sprintf(`{"data":{"x":%q}}`, strings.Repeat("x", 2<<20))
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+path, io.MultiReader(strings.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
		l.ServeHTTP(w, r)
		_, v, text := l.ask(t, "GET", "/requests/1", "")
		require.Equal(t, []any{want.op, want.verdict, method}, []any{v["op"], v["verdict"], v["method"]}, "%s: %d %.400s", call, w.Code, text)
		_, _, junit := l.ask(t, "GET", "/report?as=junit", "")
		require.Equal(t, want.failures, strings.Count(junit, "<failure"), call)
		if want.message == "" {
			continue
		}
		require.GreaterOrEqual(t, w.Code, http.StatusBadRequest, call)
		f := v["findings"].([]any)[0].(map[string]any)
		require.Equal(t, []any{"P-01", "request", want.message}, []any{f["rule"], f["about"], f["message"]}, call)
	}
}
