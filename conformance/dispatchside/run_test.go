package dispatchside_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestReferencePassesEveryCheck(t *testing.T) {
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	rep := check(t, ref, ref.target(1))
	var out strings.Builder
	term := report.Terminal{W: &out, Quiet: true}
	for _, c := range rep.Checks {
		term.Check(c)
	}
	term.Summary(rep)
	require.Zero(t, rep.Summary.Fail+rep.Summary.Warn+rep.Summary.Error, out.String())
	require.Equal(t, conformance.ExitPass, rep.ExitCode())
	require.Empty(t, rep.Leftovers)
	require.Contains(t, out.String(), "every MUST")
	require.Greater(t, rep.Summary.Executed, 305, out.String())
	t.Logf("%d verdicts, %d calls in %s", rep.Summary.Executed, rep.Summary.Exchanges, rep.Duration)
	if os.Getenv("WHOLE") != "" {
		t.Log("\n" + out.String())
	}
}

// spy notes which journeys a server made and cancelled.
type spy struct {
	http.Handler
	mu    sync.Mutex
	alive map[string]bool
	calls int
	at    int    // when this many calls have come
	stop  func() // this happens

	unsaid bool // answers to /book leave out which journey was made
}

func (s *spy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.calls++; s.calls == s.at {
		s.stop()
	}
	s.mu.Unlock()
	rec := httptest.NewRecorder()
	s.Handler.ServeHTTP(rec, r)
	var said struct{ JourneyID, Status string }
	_ = json.Unmarshal(rec.Body.Bytes(), &said)
	s.mu.Lock()
	switch {
	case rec.Code != http.StatusOK:
	case r.URL.Path == "/book":
		s.alive[said.JourneyID] = true
	case said.Status == "CANCELLED":
		delete(s.alive, said.JourneyID)
	}
	s.mu.Unlock()
	maps.Copy(w.Header(), rec.Header())
	w.WriteHeader(rec.Code)
	if s.unsaid && r.URL.Path == "/book" {
		_, _ = io.WriteString(w, `{"status":"WAITING"}`)
		return
	}
	_, _ = w.Write(rec.Body.Bytes())
}

// TestRunLeavesNoJourneysBehind checks, by the server's own count, that a run leaves no journey behind, also if the
// answers to /book do not name the journey.
func TestRunLeavesNoJourneysBehind(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		unsaid bool // the answer to /book does not name the journey
	}{{"sound", false}, {"journeys without a name", true}} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := &spy{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), alive: map[string]bool{}, at: -1, unsaid: row.unsaid}
			report := check(t, s, dispatchside.Target{Seed: 2})
			require.Empty(t, s.alive)
			require.Empty(t, report.Leftovers)
		})
	}
}

// TestLeftoversAreReportedWhenCancelFails checks that every journey that is left is reported if /cancel
// answers CANCELLED and cancels nothing.
func TestLeftoversAreReportedWhenCancelFails(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	s := &spy{alive: map[string]bool{}, at: -1, Handler: except("/cancel", func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ JourneyID string }
		_ = json.NewDecoder(r.Body).Decode(&sent)
		w.WriteHeader(http.StatusAccepted) // for the spy: nothing has gone
		_, _ = fmt.Fprintf(w, `{"journeyId":%q,"status":"CANCELLED"}`, sent.JourneyID)
	})}
	report := check(t, s, dispatchside.Target{Seed: 2, KeepGoing: true})
	left := map[string]bool{}
	for _, l := range report.Leftovers {
		left[l.ID] = true
	}
	for id := range s.alive {
		require.True(t, left[id], "journey %s is there, and the report does not say so", id)
	}
	require.Greater(t, len(left), 100)
}

// TestStoppedRunCancelsItsBookings checks that a stopped run cancels its bookings, also if /cancel fails twice
// for each journey, and that its reports say that it was stopped. The run is stopped during one of its own
// calls to /cancel, whose failure fails no check.
func TestStoppedRunCancelsItsBookings(t *testing.T) {
	t.Parallel()
	for _, fails := range []int{0, 2} {
		ctx, stop := context.WithCancel(t.Context())
		s := &spy{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), alive: map[string]bool{}, at: -1}
		var mu sync.Mutex
		var stopping atomic.Bool
		now := func() time.Time { // the client asks for the time as soon as it has the answer
			if stopping.Load() {
				stop()
			}
			return time.Now()
		}
		cancels, failed := 0, map[string]int{}
		fail := func(body string) bool {
			mu.Lock()
			defer mu.Unlock()
			if cancels++; cancels == 20 {
				stopping.Store(true)
				return true
			}
			if cancels > 20 {
				failed[body]++
			}
			return cancels > 20 && failed[body] <= fails
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/cancel" && fail(string(readAll(r))) {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			s.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		var told []conformance.Progress
		report, err := dispatchside.Run(ctx, dispatchside.Target{
			URL: server.URL, Now: now, Seed: 9, Width: 1, Progress: func(p conformance.Progress) { told = append(told, p) },
		})
		require.NoError(t, err)
		require.Empty(t, s.alive)
		require.Empty(t, report.Leftovers)
		last := told[len(told)-1]
		require.Equal(t, conformance.StageCancelling, last.Stage)
		require.Equal(t, last.All, last.Done)
		for _, c := range report.Checks {
			require.NotContains(t, []conformance.Outcome{conformance.Fail, conformance.Broken}, c.Outcome, "%s %s, by calls that were broken off: %+v", c.ID, c.Operation, c.Findings)
		}
		require.True(t, report.Interrupted)
		require.Equal(t, conformance.ExitInterrupted, report.ExitCode())
		require.Regexp(t, `^stopped: \d+ of \d+ checks`, report.Verdict())
		file := conformance.NewRunFile(report, "")
		for name, says := range map[string]string{"run.json": `"interrupted": true`, "report.html": "stopped", "junit.xml": "stopped", "report.md": "stopped"} {
			require.True(t, strings.Contains(strings.ToLower(render(t, file, name)), says), name) //nolint:testifylint // it is too long to print
		}
	}
}

// TestInterruptedRunEndsOnSilentServer checks that an interrupted run ends, and reports what it
// leaves behind, although the server stops answering.
func TestInterruptedRunEndsOnSilentServer(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	s := &spy{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), alive: map[string]bool{}, at: 300, stop: stop}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			readAll(r) // or the server would not hear of the caller's end
			<-r.Context().Done()
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	report, err := dispatchside.Run(ctx, dispatchside.Target{URL: server.URL, Now: time.Now, Seed: 9, Timeout: time.Second})
	require.NoError(t, err)
	require.NotEmpty(t, report.Leftovers)
	s.mu.Lock()
	defer s.mu.Unlock()
	require.True(t, slices.ContainsFunc(report.Leftovers, func(l conformance.Leftover) bool {
		return l.Reason == "the server stopped answering"
	}), "the run gives up, and does not cancel each three times: %v", report.Leftovers)
	for id := range s.alive {
		require.True(t, slices.ContainsFunc(report.Leftovers, func(l conformance.Leftover) bool {
			return l.ID == id || l.ID == "unknown"
		}), "journey %s is still there and nobody says so", id)
	}
	require.Zero(t, report.Summary.Error+report.Summary.Fail)
}

// TestSingleConnectionServerFailsOnlyTIM02 checks that a server that serves one connection at a time fails TIM-02 and no other check.
func TestSingleConnectionServerFailsOnlyTIM02(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(dispatchsidetest.NewVendor(dispatchsidetest.None))
	server.Listener = &single{Listener: server.Listener, free: make(chan struct{}, 1)}
	server.Start()
	t.Cleanup(server.Close)
	report, err := dispatchside.Run(t.Context(), dispatchside.Target{URL: server.URL, Now: time.Now, Seed: 4})
	require.NoError(t, err)
	for _, c := range report.Checks {
		if c.Outcome == conformance.Fail {
			require.Equal(t, "TIM-02", c.ID, "%+v", c.Findings) // the very thing
		}
	}
	require.Equal(t, conformance.ExitPass, report.ExitCode(), "%s: %+v %+v", report.Verdict(), report.Unshown, report.Causes)
	require.Empty(t, report.Leftovers)
	require.Equal(t, conformance.Fail, outcomeOf(report, "TIM-02"))
}

// TestLostBookingsDoNotFailFormatChecks checks that a server that acknowledges every second booking and
// forgets it fails CAN-01, but none of the checks of the HTTP form of /cancel and /status.
func TestLostBookingsDoNotFailFormatChecks(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	s, n := dispatchsidetest.NewVendor(dispatchsidetest.None), atomic.Int64{}
	report := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" && n.Add(1)%2 == 0 {
			_, _ = fmt.Fprintf(w, `{"journeyId":"lost-%d","status":"WAITING"}`, n.Load())
			return
		}
		s.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 1})
	require.Equal(t, conformance.Fail, outcomeOf(report, "CAN-01"))
	for _, c := range report.Checks {
		if strings.HasPrefix(c.ID, "W-") && (c.Operation == rules.OpCancel || c.Operation == rules.OpStatus) {
			require.NotEqual(t, conformance.Fail, c.Outcome, "%s %s: %+v", c.ID, c.Operation, c.Findings)
		}
	}
}

func TestTerminalShowsProgressOfARun(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	terminal := report.Terminal{W: &out, Status: &out, Quiet: true}
	report := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), dispatchside.Target{Seed: 1, Progress: terminal.Progress})
	require.Regexp(t, `^probe 1 of \d+(, about \d+s left)?\r\x1b\[Kprobe 2 of`, out.String())
	require.Regexp(t, `cancelling 2 of \d+\r`, out.String())
	last := regexp.MustCompile(`probe (\d+) of (\d+)(?:, about \d+s left)?$`).FindStringSubmatch(out.String())
	require.Len(t, last, 3)
	require.Equal(t, last[2], last[1])
	terminal.Report(report)
	require.NotRegexp(t, `probe \d+ of \d+\n`, out.String(), "it goes before there is something to say")
}

// single is a listener with one connection at a time.
type single struct {
	net.Listener
	free chan struct{}
}

func (l *single) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &singleConn{Conn: conn, free: sync.OnceFunc(func() { <-l.free })}, nil
}

type singleConn struct {
	net.Conn
	free func()
}

func (c *singleConn) Close() error {
	c.free()
	return c.Conn.Close()
}

// TestStoriesShareFewNumbers checks that no check fails if a run is given only one telephone number, or two or
// three. With one, a check of two end users is not verified.
func TestStoriesShareFewNumbers(t *testing.T) {
	t.Parallel()
	given := []taxi.E164{"441134960101", "441134960102", "441134960103"}
	for n := range len(given) {
		if n > 0 && !whole() {
			continue
		}
		t.Run(strconv.Itoa(n+1), func(t *testing.T) {
			t.Parallel()
			target := dispatchside.Target{Seed: 3, Phones: given[:n+1]}
			s := dispatchsidetest.NewVendor(dispatchsidetest.None)
			for _, phone := range target.Phones { // their first booking makes them known
				body := fmt.Sprintf(`{"name":"A","phoneNumber":%q,"pickup":%[2]s,"dropoffs":[%[2]s],"pickupTime":"2027-01-01T10:00:00Z"}`,
					phone, `{"address":"1 Row","location":{"longitude":-1.5,"latitude":53.8}}`)
				rec := httptest.NewRecorder()
				s.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/book", strings.NewReader(body)))
				require.Equal(t, http.StatusOK, rec.Code, rec.Body)
			}
			report := check(t, s, target)
			for _, c := range report.Checks {
				require.NotContains(t, []conformance.Outcome{conformance.Fail, conformance.Broken}, c.Outcome, "%s %s: %+v", c.ID, c.Operation, c.Findings)
			}
			i := slices.IndexFunc(report.Checks, func(r conformance.Result) bool { return r.ID == "BOK-22" })
			two := report.Checks[i]
			if n > 0 {
				require.Equal(t, conformance.Pass, two.Outcome)
				return
			}
			require.Equal(t, conformance.NotVerified, two.Outcome)
			require.Contains(t, two.Findings[0].Message, "2 end users")
		})
	}
}

func TestRemoteHostsMustBeAllowed(t *testing.T) {
	t.Parallel()
	_, err := dispatchside.Run(t.Context(), dispatchside.Target{URL: "http://192.0.2.1/taxi", Now: time.Now})
	require.ErrorIs(t, err, dispatchside.ErrHost)
	for _, url := range []string{"", "ftp://localhost", "localhost:8080", "http://user:pass@localhost/", "http://localhost/?key=1"} {
		_, err := dispatchside.Run(t.Context(), dispatchside.Target{URL: url, Now: time.Now})
		require.Error(t, err, url)
	}
}

// quiet is the log of servers that callers hang up on, on purpose.
var quiet = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)

// TestMain lets the heap grow further before it is collected: the matrix allocates a lot, and there is room for it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
