package callingside_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/client"
)

// stranger starts a platform of testdata and judges it.
func stranger(t *testing.T, file string) *conformance.Report {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on the PATH: the platforms of testdata are not tried")
	}
	addressFile := filepath.Join(t.TempDir(), "third-party.url")
	cmd := exec.CommandContext(t.Context(), node, filepath.Join("testdata", file))
	cmd.Env = append(os.Environ(), "THIRD_PARTY_FILE="+addressFile)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has no way of ending by itself
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	report, err := callingside.Run(t.Context(), callingside.Options{
		Listener: listener, Actor: callingside.Drive{URL: lines.Text(), Client: &http.Client{}}, Nonce: 3,
		Now: time.Now, Wait: func(ctx context.Context, d time.Duration) { client.Pause(ctx, d/25) }, // no timer of theirs is short
		Ready: func(address string) error { return os.WriteFile(addressFile, []byte(address+"\n"), 0o600) },
	})
	require.NoError(t, err)
	return report
}

// having lists the checks of an outcome, each once.
func having(report *conformance.Report, outcome conformance.Outcome, levels ...conformance.Level) []string {
	var ids []string
	for _, c := range report.Checks {
		if c.Outcome == outcome && slices.Contains(levels, c.Level) && !slices.Contains(ids, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestMistakesOfHurriedPlatformAreFound checks that each mistake of a platform that was written in an afternoon fails its own
// check, and that what the platform does right passes.
func TestMistakesOfHurriedPlatformAreFound(t *testing.T) {
	t.Parallel()
	report := stranger(t, "hurried.mjs")
	require.Equal(t, conformance.ExitFail, report.ExitCode())
	failed := having(report, conformance.Fail, conformance.Must, conformance.Should)
	for id, says := range map[string]string{
		"P-02": "the first call is /user", "P-05": "has a plus sign", "P-19": "before /user was read",
		"P-48": "at EN_ROUTE", "P-44": "number was told", "P-10": "is in the past",
	} {
		require.Contains(t, failed, id)
		require.Contains(t, problems(report), says)
	}
	passed := having(report, conformance.Pass, conformance.Must, conformance.Should, conformance.Robustness)
	for _, id := range []string{"P-01", "P-06", "P-08", "P-09", "P-11", "P-12", "P-13", "P-14", "P-15", "P-29", "P-40", "P-41", "P-42", "P-47", "P-51", "P-57", "P-58", "P-61", "P-62"} {
		require.Contains(t, passed, id, problems(report))
	}
	require.Empty(t, having(report, conformance.Broken, conformance.Must, conformance.Should, conformance.Robustness))
}

// TestMistakesOfFlawedPlatformAreFound compares the failed and the passed checks of a faulty platform, and checks that each
// cause names its deciding call. P-02 about /config passes.
func TestMistakesOfFlawedPlatformAreFound(t *testing.T) {
	t.Parallel()
	report := stranger(t, "flawed.mjs")
	require.Equal(t, conformance.ExitFail, report.ExitCode())
	failed := having(report, conformance.Fail, conformance.Must)
	for _, id := range []string{"P-14", "P-44", "P-45", "P-54", "P-55"} {
		require.Contains(t, failed, id, problems(report))
	}
	passed := having(report, conformance.Pass, conformance.Must)
	for _, id := range []string{"P-01", "P-02", "P-05", "P-08"} {
		require.Contains(t, passed, id, problems(report))
	}
	for _, c := range report.Causes {
		require.Equal(t, c.Call, c.Deciding.Call, "the call of the first line: %s", c.Message)
		require.NotContains(t, c.Deciding.String(), "on purpose")
	}
}
