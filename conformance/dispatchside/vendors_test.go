package dispatchside_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/report"
)

// vendorServer is a running server of testdata/vendors: what somebody writes who
// knows the interface and nothing of this project.
type vendorServer struct {
	url   string
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

// startVendor starts a server with these variables, NAME=VALUE with spaces between.
func startVendor(t *testing.T, file, env string) *vendorServer {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on the PATH: the servers of testdata/vendors are not tried")
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "vendors", file))
	cmd.Env = append(os.Environ(), strings.Fields(env)...)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	v := &vendorServer{cmd: cmd, lines: bufio.NewScanner(out)}
	t.Cleanup(func() { _ = cmd.Wait() }) // of a test that failed: its context has ended the server
	v.url = v.line(t)
	return v
}

func (v *vendorServer) line(t *testing.T) string {
	t.Helper()
	require.True(t, v.lines.Scan(), "the server said nothing")
	return v.lines.Text()
}

// stop ends the server and tells how many journeys are still booked there, by its
// own account.
func (v *vendorServer) stop(t *testing.T) int {
	t.Helper()
	require.NoError(t, v.cmd.Process.Signal(syscall.SIGTERM))
	var booked int
	_, err := fmt.Sscanf(v.line(t), "still booked: %d", &booked)
	require.NoError(t, err)
	require.NoError(t, v.cmd.Wait())
	return booked
}

// judgeVendor runs the suite against a server.
func judgeVendor(t *testing.T, v *vendorServer, target dispatchside.Target) *conformance.Report {
	t.Helper()
	target.URL, target.Now, target.Seed = v.url, time.Now, 1
	rep, err := dispatchside.Run(t.Context(), target)
	require.NoError(t, err)
	return rep
}

// having returns the ids of the checks that came out so, without those that were
// not asked for.
func having(rep *conformance.Report, outcome conformance.Outcome) []string {
	var ids []string
	for _, c := range rep.Checks {
		asked := len(rep.Only) == 0 || slices.Contains(rep.Only, c.ID)
		if asked && c.Outcome == outcome && !slices.Contains(ids, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// A mistake is found by the checks that are about it. The checks of a row are all that
// is run. WHOLE=1 takes every row, as the gate does; otherwise it is a sample.
func TestVendors(t *testing.T) {
	t.Parallel()
	const hurried, wrong = "hurried.mjs", "wrong.mjs"
	for _, row := range []struct {
		file, env           string
		fails, warns, spare string // ids of checks
	}{
		{file: hurried, env: "ONLY=ids", fails: "USR-09 BOK-04"},
		{file: hurried, env: "ONLY=cancelled", fails: "CAN-01 STA-02", spare: "JRN-02"},
		{file: hurried, env: "ONLY=active", fails: "USR-11 CAN-03", warns: "JRN-03", spare: "CAN-01"},
		{file: hurried, env: "ONLY=edits", fails: "BOK-15 BOK-16 BOK-17 BOK-18 BOK-19 JRN-04", spare: "BOK-01"},
		{file: hurried, env: "ONLY=dates", fails: "USR-09 BOK-09 STA-04", spare: "BOK-16 BOK-17 BOK-18 BOK-20 STA-11 CON-05"},
		{file: hurried, env: "ONLY=zone", fails: "BOK-11", warns: "STA-04", spare: "BOK-01"},
		{file: hurried, env: "ONLY=offset", fails: "BOK-11", spare: "STA-04"},
		{file: hurried, env: "ONLY=json", fails: "BAD-01 BAD-02 BAD-03"},
		{file: hurried, env: "ONLY=ranges", fails: "BOK-31", spare: "USR-09"},
		{file: hurried, env: "ONLY=users", fails: "BOK-36", spare: "STA-01"},

		{file: wrong, env: "ONLY=everybody", fails: "USR-12", spare: "BOK-01 BOK-36"},
		{file: wrong, env: "ONLY=wipe", fails: "BOK-20", spare: "BOK-16"},
		{file: wrong, env: "ONLY=rename", fails: "BOK-20", spare: "BOK-16"},
		{file: wrong, env: "ONLY=passengerx", warns: "STA-14", spare: "BOK-01"},
		{file: wrong, env: "ONLY=options", warns: "USR-07", spare: "USR-01"},
		{file: wrong, env: "ONLY=lowercase", fails: "USR-09 BOK-05 CAN-01 STA-02", spare: "JRN-02 CON-02 CON-03"},
		{file: wrong, env: "ONLY=pending", fails: "USR-09 BOK-05 STA-02", spare: "CAN-01"},
		{file: wrong, env: "ONLY=price", fails: "ENR-04", spare: "BOK-01"},
		{file: wrong, env: "ONLY=eta", fails: "ENR-01", spare: "BOK-12"},
		{file: wrong, env: "ONLY=badge", fails: "ENR-09", spare: "BOK-12"},
		{file: wrong, env: "ONLY=reverse", fails: "BOK-07 BOK-17", spare: "STA-06"},
		{file: wrong, env: "ONLY=swapped", fails: "BOK-32 STA-06", spare: "BOK-11"},
		{file: wrong, env: "ONLY=number", fails: "USR-01", spare: "BOK-01"},
		{file: wrong, env: "ONLY=nobookings", fails: "USR-10 JRN-03", warns: "USR-08", spare: "USR-01"},
		{file: wrong, env: "ONLY=empty", fails: "CAN-01", spare: "BOK-01"},
		{file: wrong, env: "ONLY=wrapped", fails: "CFG-01 USR-01 BOK-01"},
		{file: wrong, env: "ONLY=user500", fails: "USR-16", spare: "BOK-01"},
		{file: wrong, env: "ONLY=always200", fails: "BOK-30 BOK-31", warns: "BOK-22 BOK-23 USR-17 USR-19 STA-07 CAN-06", spare: "BOK-01 USR-01 CAN-01 STA-01"},
	} {
		if !whole() && !matrix.InSample(row.file+row.env, 13) {
			continue
		}
		t.Run(row.file+" "+row.env, func(t *testing.T) {
			t.Parallel()
			fails, warns, spare := strings.Fields(row.fails), strings.Fields(row.warns), strings.Fields(row.spare)
			v := startVendor(t, row.file, row.env)
			rep := judgeVendor(t, v, dispatchside.Target{Only: slices.Concat(fails, warns, spare), KeepGoing: true})
			require.ElementsMatch(t, fails, having(rep, conformance.Fail), "fails")
			require.ElementsMatch(t, warns, having(rep, conformance.Warn), "warns")
			require.ElementsMatch(t, spare, having(rep, conformance.Pass), "passes")
			v.stop(t)
		})
	}
}

// A run tells how many journeys it leaves, and a server that lets it cancel has none.
func TestVendorsAreToldWhatIsLeft(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ file, env, only string }{
		{"hurried.mjs", "ONLY=ids", "CAN-01"},
		{"hurried.mjs", "ONLY=active", "CAN-03"},
		{"wrong.mjs", "ONLY=empty", "CAN-01"},
		{"wrong.mjs", "ONLY=wrapped", "CAN-01"},
		{"wrong.mjs", "ONLY=always200", "BOK-30"}, // 200 and no journey, which is none
		{"wrong.mjs", "ONLY=nobookings", "IDM-02"},
		{"hurried.mjs", "ONLY=users", "BOK-36"}, // it is the passenger who may cancel
	} {
		t.Run(row.file+" "+row.env, func(t *testing.T) {
			t.Parallel()
			v := startVendor(t, row.file, row.env)
			rep := judgeVendor(t, v, dispatchside.Target{Only: []string{row.only}})
			require.Len(t, rep.Leftovers, v.stop(t))
		})
	}
}

// mistake is one of the hurried server, with what a vendor knows it by in the report.
type mistake struct {
	name  string
	known *regexp.Regexp
}

// mistakes are the six that most who are in a hurry make. The first that fits is meant.
var mistakes = []mistake{
	{"ids", regexp.MustCompile(`/cancel was answered 404|journeyId (is|as) a number`)},
	{"cancelled", regexp.MustCompile(`"?CANCELED`)},
	{"active", regexp.MustCompile(`still listed|status is "CANCELLED"`)},
	{"dates", regexp.MustCompile(`\bdate (has|is) `)},
	{"edits", regexp.MustCompile(`(?i)\bedit`)},
	{"json", regexp.MustCompile(`BAD-0`)},
}

// firstNamed is the first thing that a report says is wrong, with what it says of it.
func firstNamed(rep *conformance.Report) string {
	var text strings.Builder
	(&report.Terminal{W: &text, Quiet: true}).Report(rep)
	var block []string
	for line := range strings.Lines(text.String()) {
		switch {
		case len(block) == 0 && !strings.HasPrefix(line, "FAIL"):
		case len(block) > 0 && !strings.HasPrefix(line, " "):
			return strings.Join(block, "")
		default:
			block = append(block, line)
		}
	}
	return strings.Join(block, "")
}

// A vendor who mends what each run names first, and nothing else, has a server that
// fails nothing after as many runs as there were mistakes.
func TestVendorMendsWhatIsNamedFirst(t *testing.T) {
	if !whole() {
		t.Skip("seven whole runs: the gate has them, WHOLE=1 runs them")
	}
	t.Parallel()
	var all, mended []string
	for _, m := range mistakes {
		all = append(all, m.name)
	}
	for {
		v := startVendor(t, "hurried.mjs", "ONLY="+strings.Join(all, ",")+" FIXED="+strings.Join(mended, ","))
		rep := judgeVendor(t, v, dispatchside.Target{})
		v.stop(t)
		first := firstNamed(rep)
		if first == "" {
			require.Equal(t, 0, rep.ExitCode())
			break
		}
		i := slices.IndexFunc(mistakes, func(m mistake) bool { return m.known.MatchString(first) })
		require.GreaterOrEqual(t, i, 0, "after %v was mended this points to none of the mistakes:\n%s", mended, first)
		require.NotContains(t, mended, mistakes[i].name, "this points to what is mended:\n%s", first)
		mended = append(mended, mistakes[i].name)
	}
	require.ElementsMatch(t, all, mended)
}
