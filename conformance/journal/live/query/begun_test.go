package query_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestACallWhoseAnswerIsThereIsFound though its handler has not returned when the caller
// asks.
func TestACallWhoseAnswerIsThereIsFound(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	l := listen(t, answering(func(w http.ResponseWriter, _ *http.Request) {
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

// TestWaitingCountsEachCallOnce as calls come one by one, each compared when it is new.
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
