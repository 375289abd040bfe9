package platform_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/cabrank/cabrank/simulator/platform/hooks"
)

// thirdParty is an endpoint that receives requests of hooks.
type thirdParty struct {
	url string

	mu     sync.Mutex
	got    []string
	ids    []string // the webhook-id of each
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
		third.got, third.ids = append(third.got, string(body)), append(third.ids, r.Header.Get(hooks.HeaderID))
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

// events creates an event hook of the first account and returns its endpoint.
func (h *house) events() *thirdParty {
	h.t.Helper()
	third := newThirdParty(h.t)
	h.made(h.path("/hook"), strings.Replace(goodHook, "https://hooks.example/events", third.url, 1))
	return third
}

// asks creates a plugin device with a flow hook, and returns its id. answer returns the answers of the hook.
func (h *house) asks(answer func(turn string) (status int, document string)) (device string) {
	h.t.Helper()
	third := newThirdParty(h.t)
	third.answer = answer
	return h.made(h.path("/device"), plugin(h.made(h.path("/hook"), `{"app":"flow.generic","url":"`+third.url+`"}`), ""))
}
