package thirdparty_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// forgetful forgets the journeys of a user who was looked up twenty times.
type forgetful struct {
	http.Handler
	mu    sync.Mutex
	looks map[string]int // by userId
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var sent, told struct{ UserID string }
	_ = json.Unmarshal(body, &sent)
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.URL.Path == "/status" && f.looks[sent.UserID] >= 20 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"no such journey"}`)
		return
	}
	rec := httptest.NewRecorder()
	f.Handler.ServeHTTP(rec, r)
	_ = json.Unmarshal(rec.Body.Bytes(), &told)
	if r.URL.Path == "/user" {
		f.looks[told.UserID]++
	}
	w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

// TestFewCallsSayLittle repeats calls of which the only /status is refused: that the
// operation is there was seen in the run that they are from.
func TestFewCallsSayLittle(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	server := httptest.NewServer(&forgetful{Handler: vendor(), looks: map[string]int{}})
	t.Cleanup(server.Close)
	target := thirdparty.Target{URL: server.URL, Now: time.Now, Seed: 1, Width: 1}
	rep, err := thirdparty.Run(t.Context(), target)
	require.NoError(t, err)
	require.Equal(t, conformance.Fail, outcomeOf(rep, "STA-01"))
	target.Nonce = 2
	again, err := thirdparty.Repeat(t.Context(), target, conformance.NewRunFile(rep, ""), "STA-01")
	require.NoError(t, err)
	require.Equal(t, conformance.Fail, outcomeOf(again, "STA-01"))
	require.NotContains(t, having(again, conformance.Fail), "W-01")
}
