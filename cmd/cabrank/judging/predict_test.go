package judging

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/interop"
)

// TestTwoRunsArePredicted judges two dispatch systems and two platforms by a few checks,
// and joins their run files: right ones, wrong ones, and files of the wrong kind.
func TestTwoRunsArePredicted(t *testing.T) {
	s := newShell(t)
	for fault, file := range map[string]string{"": "vendor.json", "a plus refused in bookings": "picky.json"} {
		s.Run("check", wrong(t, fault), "--only", "BOK-34,BOK-01", "--quiet", "--out", file)
	}
	s.Run("check", "caller", "--listen", "127.0.0.1:0", "--url-file", "third-party.url", "--only", "P-08", "--quiet", "--out", "platform.json", "--drive", callingPlatform(t, ""))
	s.Run("check", "caller", "--listen", "127.0.0.1:0", "--listen-for", "1ms", "--quiet", "--out", "nobody.json")

	require.Contains(t, s.OK("predict", "vendor.json", "platform.json"), "works    ")
	text := s.Ends(cli.ExitFindings, "predict", "picky.json", "platform.json")
	require.Contains(t, text, "breaks   numbers: Bookings are refused for how the number is written: the vendor refuses phoneNumber with a plus\n         vendor    call ")
	require.Contains(t, text, ", /phoneNumber: phoneNumber with a plus")
	long, _, _ := s.Run("predict", "picky.json", "platform.json", "--verbose")
	require.Contains(t, long, "unknown  tls: nothing is predicted of https: the vendor's run was over plain http")

	s.Ends(cli.ExitUnreachable, "predict", "vendor.json", "nobody.json")
	var f interop.Forecast
	text = s.Ends(cli.ExitFindings, "predict", "picky.json", "platform.json", "--json", "-")
	require.NoError(t, json.Unmarshal([]byte(text), &f))
	require.True(t, f.Broken())

	for want, args := range map[string][]string{
		"the first is a platform's run and the second a dispatch system's: give them the other way round": {"platform.json", "vendor.json"},
		"the first is a platform's run, want one of a dispatch system":                                    {"platform.json", "platform.json"},
		"the second is a dispatch system's run, want one of a calling platform":                           {"vendor.json", "vendor.json"},
		"no such file": {"vendor.json", "none.json"},
		"VENDOR-RUN":   {"vendor.json"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"predict"}, args...)...), want)
	}
}
