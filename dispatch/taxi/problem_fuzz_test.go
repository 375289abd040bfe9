package taxi_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// answering answers every call in the same way, without a network.
type answering func() *http.Response

// RoundTrip implements [http.RoundTripper].
func (a answering) RoundTrip(*http.Request) (*http.Response, error) { return a(), nil }

// FuzzProblem has a server refuse a call with whatever it likes.
func FuzzProblem(f *testing.F) {
	f.Add(404, "application/problem+json", "2", `{"title":"Not Found","status":404,"detail":"none","code":"unknown"}`)
	f.Add(503, "text/html", "Wed, 21 Oct 2026 07:28:00 GMT", "<h1>\x1b[2J</h1>")
	f.Fuzz(func(t *testing.T, status int, media, wait, body string) {
		if status < 400 || status > 599 {
			return
		}
		c, err := taxi.NewClient("http://127.0.0.1:1", taxi.ClientOptions{Transport: answering(func() *http.Response {
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}, "Retry-After": {wait}}, Body: io.NopCloser(strings.NewReader(body))}
		})})
		require.NoError(t, err)
		_, err = c.Config(t.Context(), taxi.ConfigRequest{})
		problem, ok := errors.AsType[*taxi.Problem](err)
		require.True(t, ok)
		require.Equal(t, status, problem.Status)
		require.GreaterOrEqual(t, int64(problem.RetryAfter), int64(0))
	})
}
