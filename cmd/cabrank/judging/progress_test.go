package judging

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
)

// TestProgressIsBriefInALogFile expects few lines of progress if the error output is a file.
func TestProgressIsBriefInALogFile(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	now, stopped := began, false
	watch := func(quiet bool, terminal *report.Terminal) string {
		var errs bytes.Buffer
		now, stopped = began, false
		s := &watcher{terminal: terminal, w: &errs, quiet: quiet, last: began, now: func() time.Time { return now }, stopped: func() bool { return stopped }}
		if terminal.Status != nil {
			terminal.Status = &errs
		}
		for i := range 40 { // a point each second
			now = began.Add(time.Duration(i) * time.Second)
			s.progress(conformance.Progress{Stage: conformance.StageProbes, Done: i, All: 60, Left: time.Minute})
		}
		stopped = true
		s.progress(conformance.Progress{Stage: conformance.StageProbes, Done: 40, All: 60})
		for i := range 3 {
			s.progress(conformance.Progress{Stage: conformance.StageCancelling, Done: i, All: 12, Left: 9 * time.Second})
		}
		return errs.String()
	}
	const stopping = "stopping: 12 bookings to be cancelled first, about 9s left; another Ctrl-C ends it at once and leaves what is booked\n"
	require.Equal(t, "probe 15 of 60, about 1m0s left\nprobe 30 of 60, about 1m0s left\n"+stopping, watch(false, &report.Terminal{}))
	require.Equal(t, stopping, watch(true, &report.Terminal{}))
	live := watch(false, &report.Terminal{Status: &bytes.Buffer{}})
	require.Contains(t, live, "\r\x1b[K"+stopping)
	require.Contains(t, live, "cancelling 2 of 12")
}

// TestCtrlCPrintsTheBookingsToCancel checks that an interrupted run first says how many bookings it will cancel.
func TestCtrlCPrintsTheBookingsToCancel(t *testing.T) {
	s := newShell(t)
	ctx, server := interrupting(t, 200)
	var out, errs clitest.Buffer
	require.Equal(t, cli.ExitInterrupted, s.Exec(ctx, cli.Outside{Stdout: &out, Stderr: &errs}, "check", server.URL))
	require.Regexp(t, `^stopping: \d+ bookings? to be cancelled first.*; another Ctrl-C ends it at once`, errs.String())
	require.NotContains(t, out.String(), "stopping:")
}
