package platform_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// thirdParty is an endpoint for hooks.
type thirdParty struct {
	url string

	mu     sync.Mutex
	got    []string
	answer func(body string) (status int, document string)
}

func newThirdParty(t *testing.T) *thirdParty {
	t.Helper()
	third := &thirdParty{answer: func(string) (int, string) { return http.StatusOK, "[]" }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		judgeHook(t, body)
		third.mu.Lock()
		defer third.mu.Unlock()
		third.got = append(third.got, string(body))
		status, document := third.answer(string(body))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, document)
	}))
	t.Cleanup(server.Close)
	third.url = server.URL
	return third
}

func (p *thirdParty) bodies() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.got...)
}
