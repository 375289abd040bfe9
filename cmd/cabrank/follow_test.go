package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRedirectsAreNotFollowed redirects callers to another server: no command calls that server,
// with a token or without.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int64
	there := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	t.Cleanup(there.Close)
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", there.URL+r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	t.Cleanup(here.Close)
	s := newShell(t)
	for _, line := range []string{
		"check HERE --quiet",
		"check caller --listen 127.0.0.1:0 --drive HERE/drive --only P-01 --quiet --max-time 5s",
		"ready HERE",
		"call 441632960101 --from 442079460001 --platform HERE --control-token secret",
		"chat --from 442079460030 --platform HERE --control-token secret",
		"sandbox list --url HERE --token secret",
		"book --url HERE --auth bearer:secret --from station --to airport --phone 442079460001",
		"samples --places --url HERE",
	} {
		_, said, code := s.Run(strings.Fields(strings.ReplaceAll(line, "HERE", here.URL))...)
		require.NotZero(t, code, line)
		require.NotContains(t, said, "unknown flag", line)
		require.Zero(t, followed.Load(), line)
	}
}
