package host_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
)

// TestVariationIsRepeatable has the same calls made in two worlds at the same times of
// their clocks: all answers are the same bytes. Ids of every form are found again.
func TestVariationIsRepeatable(t *testing.T) {
	form := map[uint64]string{0: `^J\w{8}$`, 1: `^1\d{13}$`, 2: `^[0-9a-f]{8}-`}
	tellings := map[string]bool{}
	for seed := range uint64(6) {
		config := calm()
		config.Seed, config.Variation = seed, vary.Rich
		first := tell(t, config, form[seed%3])
		require.Equal(t, first, tell(t, config, form[seed%3]))
		tellings[first] = true
	}
	require.Len(t, tellings, 6)
}

// tell makes a few calls and returns their answers, with the headers that an answer has.
func tell(t *testing.T, config host.Config, id string) string {
	t.Helper()
	h := open(t, config, host.Deps{})
	var told strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		fmt.Fprintln(&told, r.URL.Path, answer.Code, answer.Header().Get("Content-Type"), answer.Body)
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	defer server.Close()
	c, err := taxi.NewClient(server.URL, taxi.ClientOptions{})
	require.NoError(t, err)
	_, err = c.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	ref := book(t, c, monday)
	require.Regexp(t, id, ref.JourneyID)
	require.NoError(t, h.World().Clock().UntilStatus(t.Context(), ref.JourneyID, taxi.EnRoute, time.Hour))
	j, err := c.Status(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, taxi.EnRoute, j.Status)
	j, err = c.Cancel(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, taxi.Cancelled, j.Status)
	require.NoError(t, h.Close())
	return told.String()
}
