package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// shell runs command lines as a user would, with an environment of its own.
type shell struct {
	t   *testing.T
	env map[string]string
	dir string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	s := &shell{t: t, env: map[string]string{}, dir: t.TempDir()}
	t.Chdir(s.dir)
	return s
}

// environ is the shell's environment as a process gets it.
func (s *shell) environ() []string {
	var all []string
	for name, value := range s.env {
		all = append(all, name+"="+value)
	}
	return all
}

// run executes one command line and returns what it printed and how it ended.
func (s *shell) run(args ...string) (stdout, stderr string, code int) {
	s.t.Helper()
	var out, errs bytes.Buffer
	code = run(s.t.Context(), args, outside{&out, &errs, s.environ()})
	return out.String(), errs.String(), code
}

// ok runs a command that should succeed and returns what it printed.
func (s *shell) ok(args ...string) string {
	s.t.Helper()
	out, errs, code := s.run(args...)
	require.Equal(s.t, exitOK, code, "%v: %s", args, errs)
	return out
}

// fails runs a command that should end with a code and returns what it said.
func (s *shell) fails(code int, args ...string) string {
	s.t.Helper()
	_, errs, got := s.run(args...)
	require.Equal(s.t, code, got, "%v: %s", args, errs)
	return errs
}

// serve runs a server until the test ends, and returns its address and a
// function that stops it and returns what it printed.
func (s *shell) serve(args ...string) (url string, stop func() string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	file := filepath.Join(s.dir, fmt.Sprintf("url-%d", len(args)))
	var out lockedBuffer
	ended := make(chan int, 1)
	args = append([]string{"serve", "--listen", "127.0.0.1:0", "--url-file", file, "--log", "off"}, args...)
	go func() {
		ended <- run(ctx, args, outside{&out, &out, s.environ()})
	}()
	stop = sync.OnceValue(func() string {
		cancel()
		if code := <-ended; code != exitOK {
			s.t.Errorf("serve %v ended with %d: %s", args, code, &out)
		}
		return out.String()
	})
	s.t.Cleanup(func() { stop() })
	var text []byte
	require.Eventually(s.t, func() bool {
		var err error
		text, err = os.ReadFile(file)
		return err == nil || len(ended) > 0
	}, 10*time.Second, 5*time.Millisecond, "no url file")
	return strings.TrimSpace(string(text)), stop
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestABookingFromTheCommandLine(t *testing.T) {
	s := newShell(t)
	url, stop := s.serve("--speed", "2000")
	at := []string{"--url", url}
	require.Contains(t, s.ok(append([]string{"book", "--from", "harbour", "--to", "hospital"}, at...)...), "WAITING")

	followed := s.ok(append([]string{"status", "--follow", "--every", "100ms"}, at...)...)
	require.Contains(t, followed, "COMPLETE")
	var last struct{ Status, JourneyID string }
	line := s.ok(append([]string{"book", "--at", "+48h", "--json"}, at...)...)
	require.NoError(t, json.Unmarshal([]byte(line), &last))
	require.Equal(t, "HELD", last.Status)
	edited := s.ok(append([]string{"book", "--journey", last.JourneyID, "--at", "+49h", "--to", "harbour", "--to", "hospital"}, at...)...)
	require.Contains(t, edited, last.JourneyID)
	require.Contains(t, s.ok(append([]string{"user", "+442079460000"}, at...)...), last.JourneyID)
	require.Contains(t, s.ok(append([]string{"cancel"}, at...)...), "CANCELLED")
	require.Contains(t, s.fails(exitFindings, append([]string{"status"}, at...)...), "no journey under way")
	require.Contains(t, s.ok(append([]string{"status", last.JourneyID, "--json"}, at...)...), `"reason": "PASSENGER"`)
	require.Equal(t, "ready\n", s.ok("ready", url))

	banner := strings.TrimSpace(stop())
	require.NoFileExists(t, filepath.Join(s.dir, "url-2"), "the address is withdrawn")
	require.LessOrEqual(t, len(strings.Split(banner, "\n")), 8, banner)
	require.Contains(t, banner, url)
	require.Contains(t, banner, "temporary")
}

func TestIdempotencyKeyFromTheCommandLine(t *testing.T) {
	s := newShell(t)
	url, _ := s.serve()
	book := []string{"book", "--url", url, "--at", "2126-01-01T10:00:00Z", "--idempotency-key", "k"}
	require.Contains(t, s.fails(exitFindings, book...), "pickup-too-far-ahead")
	at := now().Add(24 * time.Hour).Format(time.RFC3339)
	book[4] = at
	first := s.ok(book...)
	require.Equal(t, first, s.ok(book...))
	book[4] = now().Add(25 * time.Hour).Format(time.RFC3339)
	require.Contains(t, s.fails(exitFindings, book...), "idempotency-key-reused")
}

func TestServeKeepsItsDatabase(t *testing.T) {
	s := newShell(t)
	url, stop := s.serve("--db", "taxis.db", "--seed", "7", "--durability", "normal")
	booked := s.ok("book", "--url", url, "--at", "+30h")
	id := strings.Fields(booked)[0]
	stop()
	require.Contains(t, s.fails(exitUsage, "serve", "--db", "taxis.db", "--seed", "8"), "was begun with --seed 7")

	url, _ = s.serve("--db", "taxis.db")
	require.Contains(t, s.ok("status", id, "--url", url), "HELD")
	require.Contains(t, s.fails(exitUsage, "serve", "--listen", "127.0.0.1:0", "--db", "taxis.db"), "taxis.db", "one server at a time")
}

// TestServeFlags turns each flag that changes how the server behaves, and sees
// it behave so.
func TestServeFlags(t *testing.T) {
	for _, row := range []struct {
		flags []string
		args  []string
		code  int
		says  string
	}{
		{[]string{"--auth", "bearer:s3cret"}, []string{"user", demoCaller}, exitFindings, "unauthenticated"},
		{[]string{"--auth", "bearer:s3cret"}, []string{"user", demoCaller, "--auth", "bearer:env:TOKEN"}, exitOK, "Ann Other"},
		{[]string{"--auth", "bearer:env:TOKEN"}, []string{"user", demoCaller, "--auth", "bearer:s3cret"}, exitOK, "Ann Other"},
		{[]string{"--auth", "basic:a:b"}, []string{"user", demoCaller, "--auth", "basic:a:@secret"}, exitOK, "Ann Other"},
		{[]string{"--auth", "header:X-Api-Key:b"}, []string{"user", demoCaller, "--auth", "header:X-Api-Key:b"}, exitOK, "Ann Other"},
		{[]string{"--auth", "bearer:s3cret"}, []string{"user", demoCaller}, exitFindings, "--auth says who calls"},
		{[]string{"--system", "CLOSED"}, []string{"book"}, exitFindings, "service-closed"},
		{[]string{"--system", "MAINTENANCE"}, []string{"book"}, exitFindings, "dispatch-paused"},
		{[]string{"--unknown-user", "create"}, []string{"user", "442079469999"}, exitOK, "Guest"},
		{nil, []string{"user", "442079469999"}, exitFindings, "user-not-found"},
		{[]string{"--area", "10"}, []string{"book", "--from", "Far away@51.5,-0.1"}, exitFindings, "outside-service-area"},
		{nil, []string{"book", "--from", "Far away@51.5,-0.1"}, exitOK, "WAITING"},
		{[]string{"--rate", "0.5"}, []string{"status"}, exitFindings, "rate-limited"},
	} {
		s := newShell(t)
		s.env["TOKEN"] = "s3cret"
		require.NoError(t, os.WriteFile("secret", []byte("b\n"), 0o600))
		url, stop := s.serve(row.flags...)
		if strings.Contains(row.says, "rate") { // the burst is one request
			s.run("status", "--url", url)
		}
		out, errs, code := s.run(append(row.args, "--url", url)...)
		require.Equal(t, row.code, code, "%v %v: %s%s", row.flags, row.args, out, errs)
		require.Contains(t, out+errs, row.says)
		stop()
	}
}

func TestConfigDataAndJournal(t *testing.T) {
	s := newShell(t)
	url, stop := s.serve("--config-data", `{"skipDropOff":true,"language":"cy"}`, "--record", "recording.jsonl", "--duplicate-window", "0")
	resp, err := http.Post(url+"/config", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	defer resp.Body.Close()
	var answer struct {
		Data map[string]any
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	require.Equal(t, map[string]any{"skipDropOff": true, "language": "cy"}, answer.Data)
	at := now().Add(24 * time.Hour).Format(time.RFC3339)
	first, again := s.ok("book", "--url", url, "--at", at), s.ok("book", "--url", url, "--at", at)
	require.NotEqual(t, first, again, "duplicates are let through")
	stop()
	recording, err := os.ReadFile("recording.jsonl")
	require.NoError(t, err)
	require.Contains(t, string(recording), strings.Fields(first)[0])
}

func TestStrangerHostsAreTurnedAway(t *testing.T) {
	s := newShell(t)
	url, _ := s.serve()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/livez", nil)
	require.NoError(t, err)
	req.Host = "evil.example"
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusMisdirectedRequest, resp.StatusCode)
}

func TestWrongUsageNamesCauseAndCure(t *testing.T) {
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"sreve"}, `there is no command "sreve"`},
		{[]string{"serve", "--sped", "5"}, "unknown flag: --sped; 'cabrank serve --help'"},
		{[]string{"serve", "extra"}, "got 1 arguments"},
		{[]string{"serve", "--speed", "0"}, "--speed is 0, want 1 to 10000"},
		{[]string{"serve", "--cars", "5001"}, "want 1 to 5000"},
		{[]string{"serve", "--behaviour", "rude"}, "none of calm, typical and stormy"},
		{[]string{"serve", "--system", "ON"}, "want OK, BUSY, CLOSED or MAINTENANCE"},
		{[]string{"serve", "--config-data", "[]"}, "want a JSON object"},
		{[]string{"serve", "--durability", "some"}, "want full or normal"},
		{[]string{"serve", "--unknown-user", "500"}, "want 404 or create"},
		{[]string{"serve", "--auth", "s3cret"}, "want none, basic:USER:PASSWORD"},
		{[]string{"serve", "--auth", ""}, "--auth: want none"},
		{[]string{"user", demoCaller, "--auth", ""}, "--auth: want none"},
		{[]string{"serve", "--area", "-1"}, "--area cannot be negative"},
		{[]string{"serve", "--town", "100"}, "want 2000 to 30000"},
		{[]string{"serve", "--town", "nowhere.geojson"}, "nowhere.geojson"},
		{[]string{"serve", "--demand", "huge"}, "none of none, quiet, town and city"},
		{[]string{"serve", "--assign", "dice"}, "none of nearest, eta"},
		{[]string{"town", "--size", "1"}, "want 2000 to 30000"},
		{[]string{"town", "--import", "x.txt"}, "x.txt"},
		{[]string{"serve", "--speed", "fast"}, `invalid argument "fast" for "--speed" flag; 'cabrank serve --help'`},
		{[]string{"serve", "--config-data", `{"skipDropOff":"yes"}`}, "skipDropOff wants true or false"},
		{[]string{"demo", "--system", "CLOSED"}, "which --system CLOSED refuses"},
		{[]string{"samples", "--kind", "bad"}, "kinds are minimal"},
		{[]string{"serve", "--log", "loud"}, "want text, json or off"},
		{[]string{"serve", "--listen", "nowhere:http:80"}, "choose another with --listen"},
		{[]string{"serve", "--db", "/nowhere/x.db", "--listen", "127.0.0.1:0"}, "/nowhere"},
		{[]string{"book", "--from", "Atlantis"}, `no place "Atlantis"`},
		{[]string{"book", "--from", "x@1;2"}, "want ADDRESS@LATITUDE,LONGITUDE"},
		{[]string{"book", "--at", "soon"}, "not an ISO 8601 date-time"},
		{[]string{"book", "--at", "+soon"}, "no duration"},
		{[]string{"book", "--data", "{"}, "not JSON"},
		{[]string{"book", "--url", "ftp://x"}, "http://"},
		{[]string{"user", demoCaller, "--auth", "bearer:env:NOPE"}, "the environment has no NOPE"},
		{[]string{"user", demoCaller, "--cert", "nope.pem"}, "client certificate"},
		{[]string{"status", "--every", "1ms"}, "at least 100ms"},
		{[]string{"samples", "pay"}, `no samples for "pay"`},
		{[]string{"samples", "book", "nope"}, "no such sample"},
		{[]string{"check"}, `want "cabrank check URL`},
		{[]string{"check", "http://192.0.2.1"}, "--allow-host allows it"},
		{[]string{"version", "--color", "mauve", "--json", "x"}, "got 1 arguments"},
		{[]string{"check", "self", "--color", "mauve"}, "want auto, always or never"},
	} {
		require.Contains(t, newShell(t).fails(exitUsage, row.args...), row.says, "%v", row.args)
	}
}

func TestCheck(t *testing.T) {
	s := newShell(t)
	url, _ := s.serve()
	require.Contains(t, s.ok("check", url, "--json", "report.json"), "every MUST")
	text, err := os.ReadFile("report.json")
	require.NoError(t, err)
	var report struct {
		Checks []struct {
			ID, Level, Operation, Outcome string
			Findings                      []any
		}
		Summary struct{ Pass, Fail int }
	}
	require.NoError(t, json.Unmarshal(text, &report))
	require.Zero(t, report.Summary.Fail)
	require.Greater(t, report.Summary.Pass, 100)

	wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"status":"OK"}`))
	}))
	defer wrong.Close()
	out, _, code := s.run("check", wrong.URL, "--quiet")
	require.Equal(t, exitFindings, code)
	require.Contains(t, out, "FAIL  BOK-01")
	require.Contains(t, s.fails(exitUnreachable, "check", "http://127.0.0.1:9"), "nothing answers")
}

func TestCheckSelf(t *testing.T) {
	out := newShell(t).ok("check", "self", "--json", "-")
	require.True(t, json.Valid([]byte(out)))
	require.Contains(t, out, `"fail": 0`)
}

func TestDemoHeadless(t *testing.T) {
	out := newShell(t).ok("demo", "--headless", "--speed", "3000", "--auth", "bearer:s3cret")
	require.Contains(t, out, "COMPLETE")
	require.Contains(t, out, "every MUST")
}

func TestAWorldOnItsOwn(t *testing.T) {
	s := newShell(t)
	_, stop := s.serve("--demand", "town", "--assign", "nearest", "--cars", "150", "--speed", "400", "--record", "day.jsonl", "--town", "none")
	require.Eventually(t, func() bool {
		text, err := os.ReadFile("day.jsonl")
		return err == nil && strings.Contains(string(text), `"COMPLETE"`)
	}, 20*time.Second, 20*time.Millisecond, "people book by themselves")
	stop()
}

func TestSamples(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.ok("samples"), "book")
	require.True(t, json.Valid([]byte(s.ok("samples", "--json"))))
	require.NotContains(t, s.ok("samples", "book", "--kind", "minimal"), "broken")
	name := strings.Fields(strings.Split(s.ok("samples", "book", "--kind", "minimal", "--direction", "request"), "\n")[0])[3]
	body := s.ok("samples", "book", name)
	require.Contains(t, body, "phoneNumber")
	require.Equal(t, body, s.ok("samples", "book", strings.TrimPrefix(name, "request-")), "the direction goes without saying")
	require.Contains(t, body, now().AddDate(0, 0, 1).Format(time.DateOnly), "ahead of anybody's clock")
	require.Contains(t, s.ok("samples", "--people"), demoCaller)
	require.True(t, json.Valid([]byte(s.ok("samples", "--people", "--json"))))
	require.Contains(t, s.ok("samples", "--places"), "station")
	require.True(t, json.Valid([]byte(s.ok("samples", "--places", "--json"))))
}

func TestVersionHelpAndCompletion(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.ok("version"), "cabrank ")
	require.True(t, json.Valid([]byte(s.ok("version", "--json"))))
	require.Contains(t, s.ok(), "cabrank check URL")
	require.Contains(t, s.ok("completion", "bash"), "__start_cabrank")
	for _, cmd := range newRoot(outside{&bytes.Buffer{}, &bytes.Buffer{}, os.Environ()}, sources{}).Commands() {
		require.NotEmpty(t, cmd.Short)
		require.NotEmpty(t, cmd.Example, cmd.Name())
	}
}
