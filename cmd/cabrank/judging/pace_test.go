package judging

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// TestBookingAndRateLimitsOfARun checks that --max-bookings, --rate and, without --keep-going, failed cancellations limit the requests of a
// run.
func TestBookingAndRateLimitsOfARun(t *testing.T) {
	s := newShell(t)
	var booked atomic.Int64
	vendor := dispatchsidetest.NewVendor(dispatchsidetest.None)
	cancels := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" {
			booked.Add(1)
		}
		if r.URL.Path == "/cancel" && !cancels {
			http.Error(w, "{}", http.StatusInternalServerError)
			return
		}
		vendor.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	out := s.OK("check", server.URL, "--only", "JRN-01,BOK-01", "--quiet", "--max-bookings", "500")
	require.Regexp(t, `plan +about \d+ bookings in \d+ calls; every journey is cancelled at the end`, out)

	booked.Store(0)
	out = s.Ends(cli.ExitUnreachable, "check", server.URL, "--max-bookings", "7", "--out", "run.json", "--quiet")
	require.Regexp(t, `not enough was tested: \d+ MUSTs .* because the run has reached its limit of 7 bookings`, out)
	require.Contains(t, out, "at most 7 bookings")
	require.EqualValues(t, 7, booked.Load())
	run, err := readRun("run.json")
	require.NoError(t, err)
	require.Empty(t, run.Leftovers)

	began := cli.Now()
	s.OK("check", server.URL, "--only", "CFG-01", "--quiet", "--rate", "40/s", "--max-bookings", "1", "--out", "run.json")
	run, err = readRun("run.json")
	require.NoError(t, err)
	require.GreaterOrEqual(t, cli.Now().Sub(began), time.Duration(run.Summary.Exchanges-1)*time.Second/40)

	cancels = false
	for _, row := range []struct {
		flags       []string
		least, most int64
	}{{nil, 1, 4}, {[]string{"--keep-going"}, 5, 99}} {
		booked.Store(0)
		s.Fails(cli.ExitFindings, append([]string{"check", server.URL, "--only", "CAN-01,CAN-02,CAN-03,CAN-04,CAN-12", "--quiet"}, row.flags...)...)
		require.GreaterOrEqual(t, booked.Load(), row.least)
		require.LessOrEqual(t, booked.Load(), row.most)
	}
	for _, flags := range [][]string{{"--rate", "fast"}, {"--rate", "3/h"}, {"--rate", "-1"}, {"--max-bookings", "-3"}} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"check", server.URL}, flags...)...), flags[0])
	}
	require.Contains(t, s.OK("check", "--help"), "books about 3")
}

// TestMaxTimeAndWaitLimitARun limits how long a run takes, and waits for a server that is not up.
func TestMaxTimeAndWaitLimitARun(t *testing.T) {
	s := newParallelShell(t)
	url := wrong(t, dispatchsidetest.None)
	s.Ends(cli.ExitUnreachable, "check", url, "--only", "BOK-01", "--max-time", "1ns", "--out", s.Path("run.json"))
	run, err := readRun(s.Path("run.json"))
	require.NoError(t, err)
	require.Zero(t, run.Summary.Fail)
	require.Empty(t, run.Leftovers)
	i := slices.IndexFunc(run.Checks, func(r conformance.Result) bool { return r.ID == "BOK-01" })
	require.Equal(t, conformance.OutOfTime, run.Checks[i].Findings[0].Reason.Kind)

	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	began := cli.Now()
	require.Regexp(t, `\(not reached within 1\.2s\); start the server`, s.Fails(cli.ExitUnreachable, "check", down.URL, "--wait", "1200ms"))
	require.GreaterOrEqual(t, cli.Now().Sub(began), time.Second)
	for _, flags := range [][]string{{"--max-time", "-1s"}, {"--wait", "-1s"}} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"check", url}, flags...)...), flags[0])
	}
}

// TestReadOnlyCheckReportsItsLimits checks that a read-only run says that it makes no bookings, and ends with an exit code of
// its own.
func TestReadOnlyCheckReportsItsLimits(t *testing.T) {
	s := newShell(t)
	url := wrong(t, dispatchsidetest.None)
	out, _, code := s.Run("check", url, "--read-only")
	require.NotContains(t, out, "--advance-url")
	require.Equal(t, 1, strings.Count(out, "W-01"), out)
	require.Equal(t, conformance.ExitLooked, code)
	require.Regexp(t, `plan +makes no bookings: it calls only /config, /user and /status`, out)
	require.Contains(t, out, "read-only run, nothing was changed: every MUST that could be tested is met")
	require.NotContains(t, out, "books, follows and cancels a taxi")
	require.Contains(t, s.OK("check", url, "--read-only", "--only", "CFG-01"), "none of the chosen checks failed: CFG-01")
}
