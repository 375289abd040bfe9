// Package strangers judges a dispatch server in Java and a voice platform in Python. Each
// was written by somebody who knew the interface and nothing of this project's checks, and
// has fifteen mistakes that can be switched on one at a time.
package strangers_test

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// mistake is one that a program makes when its number is the value of BUG, and the checks
// that notice it. An exclamation mark after a check says that it warns. Some show a mistake
// only beside the calls of other checks.
type mistake struct {
	number int
	what   string
	by     string
	beside string
}

// ids lists the checks that notice a mistake, and those beside which they do.
func (m mistake) ids() []string {
	return strings.Fields(strings.ReplaceAll(m.by, "!", "") + " " + m.beside)
}

// found lists what failed, and with an exclamation mark what warned, each once.
func found(r *conformance.Report) []string {
	var all []string
	for _, c := range r.Checks {
		switch c.Outcome {
		case conformance.Fail:
			all = append(all, c.ID)
		case conformance.Warn:
			all = append(all, c.ID+"!")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// everyMistake judges a program with each of its mistakes, and without any: the checks that
// notice one have nothing to say of the program as it should be.
func everyMistake(t *testing.T, all []mistake, judge func(t *testing.T, env string, only []string) *conformance.Report) {
	t.Helper()
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		var ids []string
		for _, m := range all {
			ids = append(ids, m.ids()...)
		}
		right := found(judge(t, "BUG=0", ids))
		for _, m := range all {
			for by := range strings.FieldsSeq(m.by) {
				require.NotContains(t, right, by, m.what)
			}
		}
	})
	for i, m := range all {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(strconv.Itoa(m.number), func(t *testing.T) {
			t.Parallel()
			require.Subset(t, found(judge(t, "BUG="+strconv.Itoa(m.number), m.ids())), strings.Fields(m.by), m.what)
		})
	}
}

// installed returns the path of a program, without which a test is skipped, or fails where it
// has to run.
func installed(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		require.Empty(t, os.Getenv("MUST_RUN"), "MUST_RUN is set, and there is no %s here", program)
		t.Skip("there is no " + program + " here")
	}
	return path
}

// start runs a program until the test ends, and returns the first line that it prints.
func start(t *testing.T, env string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), strings.Fields(env)...)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has no way of ending by itself
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the program printed nothing")
	return lines.Text()
}
