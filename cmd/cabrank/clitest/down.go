package clitest

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Down is a server that always responds with 503, so that a run of the suite ends at
// once. It stores the first request and counts them.
type Down struct {
	*httptest.Server

	mu       sync.Mutex
	First    *http.Request
	requests int
}

// Requests returns how many requests have arrived.
func (d *Down) Requests() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.requests
}

// NewDown starts a server, with or without TLS, until the test ends.
func NewDown(t *testing.T, start func(*httptest.Server)) *Down {
	t.Helper()
	d := &Down{}
	d.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.requests++
		if d.First == nil {
			d.First = r.Clone(t.Context())
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	start(d.Server)
	t.Cleanup(d.Close)
	return d
}
