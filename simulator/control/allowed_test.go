package control_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/control"
)

// TestTokensAreGuessedSlowly guesses from the rightful caller's address.
func TestTokensAreGuessedSlowly(t *testing.T) {
	r, passed := metricsRig(t, "s3cret")
	ask := func(token string) int {
		status, text := r.page(http.MethodGet, control.Prefix+"/clock", token, "cab.example")
		require.NotContains(t, text, "s3cret")
		return status
	}
	for range 30 {
		require.Equal(t, http.StatusUnauthorized, ask(""), "who shows nothing does not guess")
	}
	for range 20 {
		require.Equal(t, http.StatusUnauthorized, ask("wrong"))
	}
	require.Equal(t, http.StatusTooManyRequests, ask("s3cret"), "it is not even looked at")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+control.PathMetrics, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer s3cret")
	resp, err := r.http.Client().Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusTooManyRequests, resp.StatusCode, "the metrics are no way round")
	require.Equal(t, "1", resp.Header.Get("Retry-After"))
	passed.Add(int64(time.Second))
	require.Equal(t, http.StatusOK, ask("s3cret"))
	for range 30 {
		require.Equal(t, http.StatusUnauthorized, ask("wrong"))
	}
	require.Equal(t, http.StatusOK, ask("s3cret"), "whoever guesses does not lock the caller out")
}
