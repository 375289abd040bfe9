package judging

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestRecordedTrafficIsThatOfOneServer reads a HAR file with calls to two servers.
func TestRecordedTrafficIsThatOfOneServer(t *testing.T) {
	s := newShell(t)
	entry := func(url, reply string) string {
		return `{"startedDateTime":"2026-10-01T12:00:00Z","time":1,"request":{"method":"POST","url":"` + url + `","headers":[],"postData":{"text":"{}"}},
			"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":-1,"text":"` + reply + `"},"bodySize":-1}}`
	}
	text := `{"log":{"entries":[` + entry("https://a.example/v1/config", `{\"status\":\"OK\"}`) + `,` + entry("https://b.example/config", `[]`) + `]}}`
	s.Write("traffic.har", text)
	out, _, _ := s.Run("check", "traffic", "traffic.har")
	require.Contains(t, out, `left out: 1 calls to "https://b.example"; --base judges them in place of those to https://a.example/v1`)
	require.NotContains(t, out, "FAIL  W-01")
	out, _, _ = s.Run("check", "traffic", "traffic.har", "--base", "https://b.example")
	require.Contains(t, out, `left out: 1 calls to "https://a.example/v1"`)
	require.Contains(t, out, "FAIL  W-01")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "traffic", "traffic.har", "--base", "https://c.example"), "no call was made to https://c.example")
}
