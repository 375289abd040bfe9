package query_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/journal/live/query"
)

// TestACallIsReplayedAtHome has a caller name another host than it called.
func TestACallIsReplayedAtHome(t *testing.T) {
	t.Parallel()
	home := listen(t, system(t), nil)
	l := listen(t, system(t), func(o *query.Options) { o.Own = home.url })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/config", strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Host = "127.0.0.1:1"
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	status, answer, text := l.ask(t, http.MethodPost, "/requests/1/replay", "")
	require.Equal(t, http.StatusOK, status, text)
	require.Equal(t, home.url+"/config", answer["target"])
}
