package clitest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Answer is the response of a server.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Get sends a GET request.
func Get(t testing.TB, url string, edit ...func(*http.Request)) Answer {
	t.Helper()
	return Send(t, http.MethodGet, url, "", edit...)
}

// Post sends a POST request with a JSON body.
func Post(t testing.TB, url, body string, edit ...func(*http.Request)) Answer {
	t.Helper()
	return Send(t, http.MethodPost, url, body, edit...)
}

// Send sends a request. A body is JSON; edit changes the request first, for example its Host.
func Send(t testing.TB, method, url, body string, edit ...func(*http.Request)) Answer {
	t.Helper()
	a, err := Try(t.Context(), method, url, body, edit...)
	require.NoError(t, err)
	return a
}

// Try is [Send] for a server that may not answer: it returns an error and does not fail the test.
func Try(ctx context.Context, method, url, body string, edit ...func(*http.Request)) (a Answer, err error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	if method != http.MethodGet {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, change := range edit {
		change(r)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return a, err
	}
	return Answer{resp.StatusCode, resp.Header, string(text)}, nil
}

// As returns an edit for [Send] that sets the Host header.
func As(host string) func(*http.Request) {
	return func(r *http.Request) { r.Host = host }
}

// Decode parses a JSON text as a T. The test fails if that is not possible.
func Decode[T any](t testing.TB, text string) (v T) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &v), "%s", text)
	return v
}
