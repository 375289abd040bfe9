package judging

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// interrupting starts a sound vendor. At its nth call, the context ends.
func interrupting(t *testing.T, n int64) (context.Context, *httptest.Server) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	vendor := dispatchsidetest.NewVendor(dispatchsidetest.None)
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == n {
			interrupt()
		}
		vendor.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return ctx, server
}

// TestCtrlCEndsACheckCleanly checks that an interrupted run cancels its journeys, writes its reports and ends with the exit code for
// an interruption.
func TestCtrlCEndsACheckCleanly(t *testing.T) {
	s := newShell(t)
	ctx, server := interrupting(t, 150)
	var out clitest.Buffer
	args := []string{"check", server.URL, "--quiet", "--out", "run.json", "--junit", "junit.xml"}
	code := s.Exec(ctx, cli.Outside{Stdout: &out, Stderr: &out}, args...)
	require.Equal(t, cli.ExitInterrupted, code, out.String())
	require.Regexp(t, `STOP +stopped: \d+ of \d+ checks`, out.String())
	require.NotContains(t, out.String(), "FAIL")
	report, err := readRun("run.json")
	require.NoError(t, err)
	require.True(t, report.Interrupted)
	require.Less(t, report.Summary.Exchanges, 400, "150 before, and those that clean up; a whole run has four times as many")
	require.Empty(t, report.Leftovers)
	require.FileExists(t, "junit.xml")

	server.Close()
	again, early := context.WithCancel(t.Context())
	early()
	require.Equal(t, cli.ExitInterrupted, s.Exec(again, cli.Outside{Stdout: &out, Stderr: &out}, "check", server.URL))
	require.Contains(t, out.String(), "interrupted before the run began; no journey was booked")
}

// TestUnwritableFilesAreReportedBeforeTheRun checks that a report file that cannot be written ends the command before the server
// is called, and that an existing file is kept until there is a result.
func TestUnwritableFilesAreReportedBeforeTheRun(t *testing.T) {
	s := newShell(t)
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(server.Close)
	require.NoError(t, os.Mkdir("folder", 0o755))
	for _, flag := range []string{"--out", "--json", "--html", "--junit", "--markdown", "--har"} {
		for _, path := range []string{"missing/report", "folder"} {
			says := s.Fails(cli.ExitUsage, "check", server.URL, flag, path)
			require.Contains(t, says, flag)
			require.Contains(t, says, "nothing was run")
		}
	}
	require.Zero(t, calls.Load())

	s.Write("kept.json", "of an earlier run")
	server.Close()
	s.Fails(cli.ExitUsage, "check", server.URL, "--json", "kept.json", "--only", "NOPE-1")
	kept := clitest.Read(t, "kept.json")
	require.Equal(t, "of an earlier run", kept)

	s.Fails(cli.ExitUnreachable, "check", server.URL, "--json", "kept.json", "--html", "new.html", "--junit", "new.xml", "--out", "run.json")
	for path, says := range map[string]string{"kept.json": "connection refused", "new.html": "Nothing could be tested: TCP", "new.xml": `failures="1"`} {
		require.Contains(t, clitest.Read(t, path), says)
	}
	require.Contains(t, s.OK("report", "run.json"), "nothing could be tested: TCP")
}

// TestFailedHookIsReportedInFindings expects the exit status of a hook, and the last line of its error
// output, in the findings that depend on it.
func TestFailedHookIsReportedInFindings(t *testing.T) {
	s := newShell(t)
	url := wrong(t, dispatchsidetest.None)
	hook := filepath.Join(s.Dir, "hook")
	require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\necho trying $1\necho first >&2\necho no such unit >&2\nexit 5\n"), 0o700))
	for _, row := range []struct {
		flags []string
		id    string
	}{
		{[]string{"--restart-cmd", hook}, "JRN-12"},
		{[]string{"--advance-cmd", hook, "--advance-cmd", "{journeyId}"}, "JRN-06"},
	} {
		s.Ends(conformance.ExitAid, append([]string{"check", url, "--only", row.id + ",JRN-01", "--out", "run.json", "--quiet"}, row.flags...)...)
		run, err := readRun("run.json")
		require.NoError(t, err)
		for _, c := range run.Checks {
			if c.ID == row.id {
				require.Equal(t, conformance.NotVerified, c.Outcome)
				require.Contains(t, c.Findings[0].Message, "exit status 5: no such unit")
			}
		}
	}
	require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\nsleep 900 &\necho $! >left.pid\n"), 0o700))
	hangs := []string{"--restart-cmd", "sh", "--restart-cmd", "-c", "--restart-cmd", "sleep 1000 & sleep 1000"}
	out := s.Ends(conformance.ExitAid, append([]string{"check", url, "--only", "JRN-12,JRN-01", "--max-time", "3s", "--quiet"}, hangs...)...)
	require.Contains(t, out, "it did not end in the time that it had, and was killed with all that it started")
	s.OK("check", url, "--only", "JRN-12,JRN-01", "--restart-cmd", hook, "--quiet") // what a command leaves running is not waited for
	left := clitest.Read(t, "left.pid")
	pid, err := strconv.Atoi(strings.TrimSpace(left))
	require.NoError(t, err)
	process, err := os.FindProcess(pid)
	require.NoError(t, err)
	require.NoError(t, process.Kill(), "it was still running")
}

// TestBookingsUsePlaceAndZoneFlags expects bookings at the places and in the time zone that the flags
// name.
func TestBookingsUsePlaceAndZoneFlags(t *testing.T) {
	s := newShell(t)
	url := wrong(t, dispatchsidetest.None)
	read := func(flags ...string) string {
		s.OK(append([]string{"check", url, "--only", "BOK-01,TIM-05", "--quiet", "--har", "run.har"}, flags...)...)
		text := clitest.Read(t, "run.har")
		return text
	}
	require.Contains(t, read("--centre", "52.52, 13.40"), `\"latitude\":52.5`)
	require.Contains(t, read("--zone", "Australia/Sydney"), "+11:00")
	s.Write("places.json", `[{"address":"1 Quay","location":{"longitude":9.9,"latitude":53.5}},{"address":"2 Quay","location":{"longitude":9.9,"latitude":53.6}}]`)
	require.Contains(t, read("--places", "places.json"), "2 Quay")
	s.Write("one.json", `[{"address":"1 Quay","location":{"longitude":9.9,"latitude":53.5}}]`)
	s.Write("nowhere.json", `[{"address":"1 Quay"}]`)
	for _, row := range []struct {
		flags []string
		says  string
	}{
		{[]string{"--centre", "Berlin"}, "LATITUDE,LONGITUDE"},
		{[]string{"--centre", "152,13"}, "LATITUDE,LONGITUDE"},
		{[]string{"--zone", "Middle/Earth"}, "such as Europe/London"},
		{[]string{"--places", "missing.json"}, "missing.json"},
		{[]string{"--places", "one.json"}, "two addresses at least"},
		{[]string{"--places", "nowhere.json"}, "entry 1 lacks"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"check", url}, row.flags...)...), row.says)
	}
}

// TestUnsafeIDsAreNotPassedToPrograms checks that unsafe ids of a server, such as those with characters of a shell, are not
// passed to the program of --advance-cmd.
func TestUnsafeIDsAreNotPassedToPrograms(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	f := aidFlags{advanceCmd: []string{"sh", "-c", "echo {journeyId} > " + filepath.Join(folder, "ran")}}
	var target dispatchside.Target
	require.NoError(t, f.apply(&target, cli.Outside{}))
	for _, id := range []taxi.JourneyID{"$(touch PWNED)", "a;b", "-x", "a b", "`id`", "a\nb", "", "ä"} {
		require.ErrorContains(t, target.Advance(t.Context(), id, taxi.Arrived), "is not handed to a program", string(id))
		require.NoFileExists(t, filepath.Join(folder, "ran"))
	}
	require.NoError(t, target.Advance(t.Context(), "J000-1_x:2.3", taxi.Arrived))
	require.Equal(t, "J000-1_x:2.3\n", clitest.Read(t, filepath.Join(folder, "ran")))
}
