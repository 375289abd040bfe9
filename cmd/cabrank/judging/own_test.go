package judging

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
)

// TestOwnChecksAreInEveryReport runs, reports and repeats checks that a firm has written itself.
func TestOwnChecksAreInEveryReport(t *testing.T) {
	s := newShell(t)
	url := wrong(t, "")
	require.NoError(t, os.WriteFile("own.json", []byte(`{"checks":[
		{"id":"HC-01","member":"journeyId","level":"fail","pattern":"HC[0-9]{6}","says":"A docket is HC and six digits."},
		{"member":"status","level":"warning","oneOf":["HELD"]}]}`), 0o600))
	says, _, code := s.Run("check", url, "--own", "own.json", "--out", "run.json", "--json", "v.json", "--html", "v.html", "--junit", "v.xml", "--markdown", "v.md")
	require.Equal(t, cli.ExitFindings, code)
	require.Contains(t, says, "FAIL  HC-01   must       journey")
	require.Contains(t, says, "warn  OWN-02")
	require.Contains(t, says, "1 of the vendor's own checks failed; every MUST of the interface that could be tested is met")
	for _, path := range []string{"run.json", "v.json", "v.html", "v.xml", "v.md"} {
		require.Contains(t, clitest.Read(t, path), "HC-01", path)
	}
	run, err := readRun("run.json")
	require.NoError(t, err)
	must := run.Summary.Levels[conformance.Must]
	require.Equal(t, 49, must.Pass+must.Fail+must.Warn+must.NotVerified, "a firm's own check is no MUST of the interface")
	shown, _, _ := s.Run("report", "run.json")
	require.Contains(t, shown, "FAIL  HC-01")

	require.Contains(t, s.Fails(cli.ExitUsage, "repeat", "run.json#HC-01"), "give --own")
	require.Contains(t, s.Ends(cli.ExitFindings, "repeat", "run.json#HC-01", "--own", "own.json"), "HC-01: the fault was reproduced")
	require.Contains(t, s.OK("check", url, "--own", "own.json", "--only", few+",HC-01,OWN-02", "--skip", "HC-*", "--quiet"), "warn  OWN-02")

	s.Write("bad.json", `{"checks":[{"member":"journeyId","level":"must"}]}`)
	for flag, says := range map[string]string{"missing.json": "missing.json", "bad.json": "--own bad.json: /checks/0/level: want warning or fail"} {
		require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--own", flag), says)
	}
}
