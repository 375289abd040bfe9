package dispatchside_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
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
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// vendorServer is a running server of testdata/vendors: what somebody writes who
// hasSeen the interface and nothing of this project.
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

// stop ends the server and returns how many journeys are still booked there, by its own count.
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

// having returns the ids of the chosen checks with an outcome, each once.
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

// TestVendors checks servers with one mistake each. The checks that are about the mistake fail, and no others.
// The first cause says what was seen, which call decides and what to change, and every failure has a cause.
// The report fits on a screen and counts the journeys that are left, which are few if nothing can be
// cancelled. WHOLE=1 tries every server, as the gate does; otherwise it is a sample.
func TestVendors(t *testing.T) {
	t.Parallel()
	const hurried, wrong = "hurried.mjs", "wrong.mjs"
	for _, row := range []struct {
		file, env           string
		fails, warns, spare string // ids of checks
		says, cure          string // parts of what is told; "": nothing has to be
		check, sent         string // one that hangs on the cause, and part of the deciding call
		left                int    // journeys that may still be booked
		exit                int
	}{
		{file: hurried, env: "ONLY="},
		{file: wrong, env: "ONLY="},
		{hurried, "ONLY=ids", "W-17 USR-09 BOK-04", "", "", `/book sent the journeyId as a number, 1; the interface defines a string, and /cancel and /status did not find "1"`, "as a string", "BOK-04@book", "/book with ", 10, 1},
		{hurried, "ONLY=cancelled", "CAN-01 STA-02", "", "JRN-02", `status is "CANCELED", want string CANCELLED`, "CANCELLED", "CAN-01@cancel", `/cancel with journeyId "1"`, 0, 1},
		{hurried, "ONLY=active", "USR-11 CAN-03", "JRN-03", "CAN-01", `status is "CANCELLED"`, "activeBookings", "CAN-03@cancel", "/user", 0, 1},
		{hurried, "ONLY=edits", "BOK-08 BOK-15 BOK-16 BOK-17 BOK-18 BOK-19 BOK-20 BOK-21 BOK-22 BOK-23 STA-17 JRN-04", "", "BOK-01", "which is an edit, was answered with another journey", "change that journey", "BOK-19@book", `/book with journeyId "`, 0, 1},
		{hurried, "ONLY=dates", "USR-09 BOK-09 STA-04", "", "BOK-16 BOK-17 BOK-18 BOK-20 STA-11 CON-05", "date has a space where ISO 8601 has a T", "RFC 3339", "STA-04@status", "/status with", 0, 1},
		{hurried, "ONLY=zone", "BOK-11", "STA-04", "BOK-01", "date", "the offset", "BOK-11@book", "pickupTime", 0, 1},
		{hurried, "ONLY=offset", "BOK-11", "", "STA-04", "date", "the offset", "BOK-11@book", "pickupTime", 0, 1},
		{hurried, "ONLY=json", "BAD-01 BAD-02 BAD-03 BAD-10 BAD-11", "", "", "makes /config, /user, /book, /cancel and /status answer HTTP 500", "answer 400", "BAD-02@book", "the body", 0, 0},
		{hurried, "ONLY=ranges", "BOK-31", "", "USR-09", `"latitude":91`, "-90 to 90", "BOK-31@book", "/book", 0, 0},
		{hurried, "ONLY=users", "BOK-36", "", "STA-01", "under the userId that booked it", "userId", "BOK-36@book", `userId "`, 0, 1},

		{wrong, "ONLY=everybody", "USR-12", "", "BOK-01 BOK-36", "another end user's journey is listed", "by the user's id", "USR-12@user", "/user", 0, 1},
		{wrong, "ONLY=wipe", "BOK-20", "", "BOK-16", "removed the passenger", "field by field", "BOK-20@book", `/book with journeyId "`, 0, 1},
		{wrong, "ONLY=rename", "BOK-08 BOK-20", "", "BOK-16", "changed the passenger's name", "field by field", "BOK-20@book", `/book with journeyId "`, 0, 1},
		{wrong, "ONLY=passengerx", "", "STA-14", "BOK-01", "", "", "", "", 0, 0},
		{wrong, "ONLY=options", "", "USR-07", "USR-01", "", "", "", "", 0, 0},
		{wrong, "ONLY=lowercase", "USR-09 BOK-05 CAN-01 STA-02", "", "JRN-02 CON-02 CON-03", `status is "waiting"`, "to the letter", "CAN-01@cancel", "/status", 0, 1},
		{wrong, "ONLY=pending", "USR-09 BOK-05 STA-02", "", "CAN-01", `status is "PENDING"`, "", "STA-02@status", "/status", 0, 1},
		{wrong, "ONLY=price", "ENR-04", "", "BOK-01", `price.value is a string: got "12.50"`, "a number", "ENR-04@journey", "/book", 0, 1},
		{wrong, "ONLY=eta", "ENR-01", "", "BOK-12", "eta", "", "ENR-01@journey", "", 0, 1},
		{wrong, "ONLY=badge", "ENR-09", "", "BOK-12", "driver.badgeNumber is missing", "all three", "ENR-09@journey", "", 0, 1},
		{wrong, "ONLY=reverse", "BOK-07 BOK-17 BOK-20", "", "STA-06", "in order", "in the order", "BOK-17@book", "dropoffs", 0, 1},
		{wrong, "ONLY=swapped", "BOK-32 STA-06 ENR-13", "", "BOK-11", "km from where it was booked", "", "BOK-32@book", "", 0, 1},
		{wrong, "ONLY=number", "W-17 USR-01", "", "BOK-01", "phoneNumber is a number", "strings", "USR-01@user", "/user", 0, 1},
		{wrong, "ONLY=nobookings", "USR-10 JRN-03 JRN-05", "USR-08", "USR-01", "not among the user's active bookings", "activeBookings", "JRN-03@journey", "", 0, 1},
		{wrong, "ONLY=empty", "CAN-01 CAN-06 JRN-01 JRN-02 JRN-03 JRN-04 JRN-09 JRN-10 JRN-11", "", "BOK-01", "in the reply of /cancel, journeyId is missing", "CANCELLED", "CAN-01@cancel", "/cancel", 0, 1},
		{wrong, "ONLY=wrapped", "CFG-01 CFG-12 USR-01 BOK-01 JRN-01", "", "", "status is missing, want string, not empty; there is one at data.status", "", "CFG-01@config", "/config", 1, 1},
		{wrong, "ONLY=user500", "USR-16 USR-17 USR-19 BAD-05 BAD-10 BAD-12 BAD-13 BAD-15 SEC-12", "", "BOK-01", "an unknown number was not answered cleanly: got HTTP 500", "404", "USR-16@user", "/user", 0, 1},
		{wrong, "ONLY=always200", "BOK-30 BOK-31 BOK-37 BOK-39", "BOK-22 BOK-23 USR-17 USR-19 STA-07 CAN-06", "BOK-01 USR-01 CAN-01 STA-01", "/book was refused with 200, which says that it was served", "4xx", "", "/book", 0, 0},
	} {
		if !whole() && !matrix.InSample(row.file+row.env, 6) {
			continue
		}
		t.Run(row.file+" "+row.env, func(t *testing.T) {
			t.Parallel()
			v := startVendor(t, row.file, row.env)
			rep := judgeVendor(t, v, dispatchside.Target{})
			left := v.stop(t)
			require.LessOrEqual(t, left, row.left)
			if row.env != "ONLY=edits" { // whose journeys are gone when nobody can tell
				require.Len(t, rep.Leftovers, left)
			}
			require.Equal(t, row.exit, rep.ExitCode(), rep.Verdict())
			failed := slices.DeleteFunc(having(rep, conformance.Fail), func(id string) bool { return row.says != "" && byChance.MatchString(id) })
			require.ElementsMatch(t, strings.Fields(row.fails), failed, "fails")
			require.Subset(t, having(rep, conformance.Warn), strings.Fields(row.warns), "warns")
			require.Subset(t, having(rep, conformance.Pass), strings.Fields(row.spare), "passes")
			require.Equal(t, row.says == "", firstNamed(rep) == "", firstNamed(rep))
			require.NotContains(t, rep.Verdict(), "not seen: a /user reply after an edit")
			if row.says != "" {
				requireCause(t, rep, row.says, row.cure, row.sent, row.check)
			}
		})
	}
}

// byChance are checks of calls at once and of time.
var byChance = regexp.MustCompile(`^(?:CON|IDM|TIM)-`)

// requireCause checks what the first cause of a run's failures says, that every failure has a cause, and that
// the reports are short.
func requireCause(t *testing.T, rep *conformance.Report, says, cure, sent, check string) {
	t.Helper()
	require.NotEmpty(t, rep.Causes)
	first := rep.Causes[0]
	require.Contains(t, first.Message, says)
	require.Contains(t, first.Cure, cure)
	require.Contains(t, first.Deciding.String(), sent)
	require.Positive(t, first.Call)
	if check != "" {
		require.Contains(t, rep.FirstNamed(), check)
		i := slices.IndexFunc(rep.Checks, func(c conformance.Result) bool { return c.Name() == check })
		require.Equal(t, 1, rep.Checks[i].Cause)
	}
	for _, c := range rep.Checks {
		require.Equal(t, c.Outcome == conformance.Fail, c.Cause > 0, c.Name())
	}
	var out, whole strings.Builder
	(&report.Terminal{W: &out}).Report(rep)
	require.LessOrEqual(t, strings.Count(out.String(), "\n"), 25, out.String())
	require.NotContains(t, out.String(), "pass  BOK", "what passed is told with -v")
	(&report.Terminal{W: &whole, Verbose: true}).Report(rep)
	require.Contains(t, whole.String(), "pass  ")
	if rep.ExitCode() == conformance.ExitFail {
		requireBrief(t, conformance.NewRunFile(rep, "1.2.3"))
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

// firstNamed returns the first failure on the terminal with the lines below it.
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

// TestVendorMendsWhatIsNamedFirst checks that a vendor who corrects only what each run names first ends with a
// server that fails nothing, after as many corrections as there were mistakes.
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

// TestVendorsAnsweredWithNothing checks that a step with an empty answer is reported as that, and not as refused.
func TestVendorsAnsweredWithNothing(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "wrong.mjs", "ONLY=empty")
	rep := judgeVendor(t, v, dispatchside.Target{Only: []string{"JRN-01"}})
	v.stop(t)
	at := slices.IndexFunc(rep.Checks, func(r conformance.Result) bool { return r.ID == "JRN-01" })
	require.Equal(t, "step 5, /cancel, was answered without a journeyId and a status", rep.Checks[at].Findings[0].Message)
}

// TestVendorsAdvanceToTheEnd checks that the checks that advance journeys pass. A journey that was cancelled
// at POB is not advanced to COMPLETE: that needs a journey of its own.
func TestVendorsAdvanceToTheEnd(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "wrong.mjs", "ONLY=")
	only := []string{"JRN-06", "JRN-08", "JRN-13", "JRN-14", "CAN-08"}
	rep := judgeVendor(t, v, dispatchside.Target{Only: only, Advance: v.advance})
	v.stop(t)
	require.ElementsMatch(t, only, having(rep, conformance.Pass))
}

// TestNewlyExposedFailuresAreNotRegressions checks that failures of edits that show only after the ids were
// corrected are reported as exposed, and not as regressions.
func TestNewlyExposedFailuresAreNotRegressions(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	run := func(env string) *conformance.RunFile {
		v := startVendor(t, "hurried.mjs", env)
		rep := judgeVendor(t, v, dispatchside.Target{})
		v.stop(t)
		return conformance.NewRunFile(rep, "1.2.3")
	}
	before, after := run("ONLY=ids,edits"), run("ONLY=edits")
	require.Contains(t, before.Causes[0].Hidden, "BOK-19@book")
	require.Regexp(t, `^also fails [A-Z]+-\d+.*; hides [A-Z]+-\d+`, before.Causes[0].Reach())
	d := conformance.Diff(before, after)
	require.False(t, d.Worse(), d.Changes)
	require.Regexp(t, `^broken 0, exposed \d+, fixed \d+, .*not a regression`, d.Total())
	i := slices.IndexFunc(d.Changes, func(c conformance.Change) bool { return c.ID == "BOK-19" })
	require.Equal(t, "exposed", d.Changes[i].Kind)
}

// advance moves a journey of the server to a status.
func (v *vendorServer) advance(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
	body, err := json.Marshal(map[string]any{"journeyId": id, "status": to})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, v.url+"/advance", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", to, resp.Status)
	}
	return nil
}
