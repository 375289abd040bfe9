package serving

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestOnlyATrustedProxySaysWhoCalls has one client guess tokens behind a proxy, and another send
// the right one.
func TestOnlyATrustedProxySaysWhoCalls(t *testing.T) {
	s := newShell(t)
	for flags, want := range map[string]int{
		"":                           http.StatusTooManyRequests,
		"--trusted-proxy 10.0.0.0/8": http.StatusTooManyRequests,
		"--trusted-proxy 127.0.0.1":  http.StatusOK,
		"--trusted-proxy 127.0.0.0/8,198.51.100.7": http.StatusOK,
	} {
		url, stop := s.Serve(append([]string{"--town", "none", "--auth", "bearer:right"}, strings.Fields(flags)...)...)
		call := func(client, token string) int {
			return clitest.Post(t, url+"/config", "{}", func(r *http.Request) {
				r.Header.Set("Authorization", "Bearer "+token)
				r.Header.Set("X-Forwarded-For", "192.0.2.1, "+client+", 198.51.100.7")
				if !strings.Contains(flags, "198.51.100.7") {
					r.Header.Set("X-Forwarded-For", "192.0.2.1, "+client)
				}
			}).Status
		}
		for range 25 {
			call("203.0.113.1", "wrong")
		}
		require.Equal(t, http.StatusTooManyRequests, call("203.0.113.1", "wrong"), flags)
		require.Equal(t, want, call("203.0.113.2", "right"), flags)
		stop()
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--trusted-proxy", "nobody"), `--trusted-proxy is "nobody"`)
}

// TestRateLimitsAreByNetwork expects clients behind a proxy to share a limit if their addresses
// belong to one network.
func TestRateLimitsAreByNetwork(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--rate", "0.01", "--trusted-proxy", "127.0.0.1")
	defer stop()
	for _, row := range []struct {
		client string
		want   int
	}{
		{"2001:db8::1", http.StatusOK},
		{"2001:db8::2", http.StatusTooManyRequests},
		{"2001:db8::ffff:ffff:ffff:ffff", http.StatusTooManyRequests},
		{"2001:db8:0:1::1", http.StatusOK},
		{"203.0.113.1", http.StatusOK},
		{"203.0.113.2", http.StatusOK},
		{"::ffff:203.0.113.2", http.StatusTooManyRequests},
	} {
		require.Equal(t, row.want, clitest.Post(t, url+"/config", "{}", func(r *http.Request) { r.Header.Set("X-Forwarded-For", row.client) }).Status, row.client)
	}
}

// TestALogOfJSONIsJSON makes the server print warnings.
func TestALogOfJSONIsJSON(t *testing.T) {
	s := newShell(t)
	s.Env["CABRANK_AUTH"] = "bearer:x"
	var out, said clitest.Buffer
	_, stop := s.Listen(cli.Outside{Stdout: &out, Stderr: &said}, "serve", "--listen", "0.0.0.0:0", "--town", "none", "--log", "json")
	require.Zero(t, stop())
	for _, warning := range []string{"CABRANK_AUTH is what clients send", "without credentials", "its token goes over the network"} {
		require.Contains(t, said.String(), warning)
	}
	for line := range strings.Lines(said.String()) {
		require.True(t, json.Valid([]byte(line)), line)
	}
}
