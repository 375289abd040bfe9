package main

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

var newShell, newParallelShell = clitest.Shells(groups)

func TestCommandLineBooksAndFollowsAJourney(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve()
	at := []string{"--url", url}
	s.OK(append([]string{"clock", "pause"}, at...)...)
	require.Contains(t, s.OK(append([]string{"book", "--from", "harbour", "--to", "hospital"}, at...)...), "WAITING")

	follower := s.Begin(append([]string{"status", "--follow", "--every", "100ms"}, at...)...)
	require.Eventually(t, func() bool { return strings.Contains(follower.Out.String(), "WAITING") }, time.Minute, 5*time.Millisecond, "the journey is not followed")
	s.OK(append([]string{"clock", "advance", "--until", "COMPLETE"}, at...)...)
	require.Equal(t, cli.ExitOK, follower.Code(), follower.Out)
	require.Contains(t, follower.Out.String(), "COMPLETE")
	var last struct{ Status, JourneyID string }
	line := s.OK(append([]string{"book", "--at", "+48h", "--json"}, at...)...)
	require.NoError(t, json.Unmarshal([]byte(line), &last))
	require.Equal(t, "HELD", last.Status)
	require.Contains(t, s.OK(append([]string{"book", "--journey", last.JourneyID, "--at", "+49h", "--to", "harbour", "--to", "hospital"}, at...)...), last.JourneyID)
	require.Contains(t, s.OK(append([]string{"user", "+442079460000"}, at...)...), last.JourneyID)
	require.Contains(t, s.OK(append([]string{"cancel"}, at...)...), "CANCELLED")
	require.Contains(t, s.Fails(cli.ExitFindings, append([]string{"status"}, at...)...), "no journey under way")
	require.Contains(t, s.OK(append([]string{"status", last.JourneyID, "--json"}, at...)...), `"reason": "PASSENGER"`)
	require.Equal(t, "ready\n", s.OK("ready", url))

	banner := strings.TrimSpace(stop())
	require.NoFileExists(t, filepath.Join(s.Dir, "url-1"), "the file of the address is removed")
	require.LessOrEqual(t, len(strings.Split(banner, "\n")), 10, banner)
	require.Contains(t, banner, url)
	require.Contains(t, banner, "temporary")
}

func TestIdempotencyKeyFlagReplaysTheBooking(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve()
	book := []string{"book", "--url", url, "--at", "2126-01-01T10:00:00Z", "--idempotency-key", "k"}
	require.Contains(t, s.Fails(cli.ExitFindings, book...), "pickup-too-far-ahead")
	at := cli.Now().Add(24 * time.Hour).Format(time.RFC3339)
	book[4] = at
	first, said, _ := s.Run(book...)
	require.Empty(t, said)
	again, said, code := s.Run(book...)
	require.Equal(t, []any{first, cli.ExitOK}, []any{again, code}, said)
	require.Contains(t, said, "the same booking as before")
	book[4] = cli.Now().Add(25 * time.Hour).Format(time.RFC3339)
	require.Contains(t, s.Fails(cli.ExitFindings, book...), "idempotency-key-reused")
}

// TestServeReportsUnreadableRows checks that serve sets a damaged row aside and reports it, while another booking and
// new ones work.
func TestServeReportsUnreadableRows(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--db", "taxis.db")
	damaged := strings.Fields(s.OK("book", "--url", url, "--at", "+30h"))[0]
	other := strings.Fields(s.OK("book", "--url", url, "--at", "+31h"))[0]
	stop()
	db, err := sql.Open("sqlite", "taxis.db")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE journeys SET body = x'7b' WHERE id = ?", damaged)
	require.NoError(t, err)
	require.NoError(t, db.Close())

	url, stop = s.Serve("--db", "taxis.db")
	require.Contains(t, s.OK("status", other, "--url", url), "HELD")
	require.Contains(t, s.Fails(cli.ExitFindings, "status", damaged, "--url", url), "internal")
	require.Contains(t, s.OK("book", "--url", url, "--at", "+32h"), "HELD", "its caller books as before")
	require.Contains(t, stop(), "a journey is set aside: the row \""+damaged+"\" of the table journeys cannot be read")
}

// TestServeFlagsTakeEffect sets each flag that changes how the server behaves, and checks that behaviour.
func TestServeFlagsTakeEffect(t *testing.T) {
	for _, row := range []struct {
		flags []string
		args  []string
		code  int
		says  string
	}{
		{[]string{"--auth", "bearer:s3cret"}, []string{"user", calling.DemoCaller}, cli.ExitFindings, "unauthenticated"},
		{[]string{"--auth", "bearer:s3cret"}, []string{"user", calling.DemoCaller, "--auth", "bearer:env:TOKEN"}, cli.ExitOK, "Ann Other"},
		{[]string{"--auth", "bearer:env:TOKEN"}, []string{"user", calling.DemoCaller, "--auth", "bearer:s3cret"}, cli.ExitOK, "Ann Other"},
		{[]string{"--auth", "basic:a:b"}, []string{"user", calling.DemoCaller, "--auth", "basic:a:@secret"}, cli.ExitOK, "Ann Other"},
		{[]string{"--auth", "header:X-Api-Key:b"}, []string{"user", calling.DemoCaller, "--auth", "header:X-Api-Key:b"}, cli.ExitOK, "Ann Other"},
		{[]string{"--auth", "bearer:s3cret"}, []string{"user", calling.DemoCaller}, cli.ExitFindings, "set the credentials with --auth"},
		{[]string{"--system", "CLOSED"}, []string{"book"}, cli.ExitFindings, "service-closed"},
		{[]string{"--system", "MAINTENANCE"}, []string{"book"}, cli.ExitFindings, "dispatch-paused"},
		{[]string{"--unknown-user", "create"}, []string{"user", "442079469999"}, cli.ExitOK, "Guest"},
		{nil, []string{"user", "442079469999"}, cli.ExitFindings, "user-not-found"},
		{[]string{"--area", "10"}, []string{"book", "--from", "Far away@51.5,-0.1"}, cli.ExitFindings, "outside-service-area"},
		{nil, []string{"book", "--from", "Far away@51.5,-0.1"}, cli.ExitOK, "WAITING"},
		{[]string{"--rate", "0.001"}, []string{"status"}, cli.ExitFindings, "rate-limited"},
	} {
		s := newShell(t)
		s.Env["TOKEN"] = "s3cret"
		s.Write("secret", "b\n")
		url, stop := s.Serve(row.flags...)
		if strings.Contains(row.says, "rate") { // the burst is one request
			s.Run("status", "--url", url)
		}
		out, errs, code := s.Run(append(row.args, "--url", url)...)
		require.Equal(t, row.code, code, "%v %v: %s%s", row.flags, row.args, out, errs)
		require.Contains(t, out+errs, row.says)
		stop()
	}
}

func TestServeUsesConfigDataAndDuplicateWindow(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--config-data", `{"skipDropOff":true,"language":"cy"}`, "--duplicate-window", "0")
	config := clitest.Decode[struct{ Data map[string]any }](t, clitest.Post(t, url+"/config", "{}").Body)
	require.Equal(t, map[string]any{"skipDropOff": true, "language": "cy"}, config.Data)
	at := cli.Now().Add(24 * time.Hour).Format(time.RFC3339)
	first, again := s.OK("book", "--url", url, "--at", at), s.OK("book", "--url", url, "--at", at)
	require.NotEqual(t, first, again, "duplicates are let through")
}

func TestUsageErrorsNameCauseAndCure(t *testing.T) {
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"sreve"}, `there is no command "sreve"; did you mean serve?`},
		{[]string{"zebra"}, `there is no command "zebra"; 'cabrank --help' lists them`},
		{[]string{"check", "--htlm", "x"}, "unknown flag: --htlm; did you mean --html"},
		{[]string{"check", "--zebra-crossing"}, "unknown flag: --zebra-crossing; 'cabrank check --help'"},
		{[]string{"serve", "--sped", "5"}, "unknown flag: --sped; did you mean --seed or --speed; 'cabrank serve --help'"},
		{[]string{"serve", "extra"}, "got 1 argument"},
		{[]string{"serve", "--speed", "0"}, "--speed is 0, want 1 to 10000"},
		{[]string{"serve", "--cars", "5001"}, "want 1 to 5000"},
		{[]string{"serve", "--behaviour", "rude"}, "none of calm, typical and stormy"},
		{[]string{"serve", "--system", "ON"}, "want OK, BUSY, CLOSED or MAINTENANCE"},
		{[]string{"serve", "--config-data", "[]"}, "want a JSON object"},
		{[]string{"serve", "--unknown-user", "500"}, "want 404 or create"},
		{[]string{"serve", "--auth", "s3cret"}, "want none, basic:USER:PASSWORD"},
		{[]string{"serve", "--auth", ""}, "--auth: want none"},
		{[]string{"user", calling.DemoCaller, "--auth", ""}, "--auth: want none"},
		{[]string{"serve", "--area", "-1"}, "--area is -1, want kilometres from 0 to 20000"},
		{[]string{"serve", "--town", "100"}, "--town: import 100: want a .geojson or .osm.pbf file"},
		{[]string{"serve", "--town", "nowhere.geojson"}, "nowhere.geojson"},
		{[]string{"serve", "--demand", "huge"}, "none of none, quiet, town and city"},
		{[]string{"serve", "--assign", "dice"}, "none of nearest, eta"},
		{[]string{"town", "--import", "x.txt"}, "x.txt"},
		{[]string{"serve", "--speed", "fast"}, "--speed is \"fast\", want a whole number: how many times faster than real time the world's clock runs, 1 to 10000; 'cabrank serve --help'"},
		{[]string{"serve", "--config-data", `{"skipDropOff":"yes"}`}, "skipDropOff wants true or false"},
		{[]string{"demo", "--system", "CLOSED"}, "which --system CLOSED refuses"},
		{[]string{"samples", "--kind", "bad"}, "kinds are minimal"},
		{[]string{"serve", "--log", "loud"}, "want text, json or off"},
		{[]string{"serve", "--listen", "nowhere:http:80"}, "want HOST:PORT"},
		{[]string{"platform", "--listen", "nonsense"}, `--listen is "nonsense", want HOST:PORT such as 127.0.0.1:8080`},
		{[]string{"proxy", "--target", "http://127.0.0.1:9", "--listen", "nonsense"}, `--listen is "nonsense", want HOST:PORT`},
		{[]string{"proxy"}, "--target is missing: want the address"},
		{[]string{"check", "http://127.0.0.1:9", "--timeout", "5"}, `--timeout is "5": add a unit, such as 5s; 'cabrank check --help'`},
		{[]string{"help", "nosuch"}, `there is no command "nosuch"; 'cabrank --help' lists them`},
		{[]string{"help", "check", "slef"}, `there is no command "slef"; did you mean self? 'cabrank check --help' lists them`},
		{[]string{"serve", "--db", "/nowhere/x.db", "--listen", "127.0.0.1:0"}, "there is no folder /nowhere: create it first (mkdir -p /nowhere)"},
		{[]string{"book", "--from", "Atlantis"}, `no place "Atlantis"`},
		{[]string{"book", "--from", "x@1;2"}, "want ADDRESS@LATITUDE,LONGITUDE"},
		{[]string{"book", "--at", "soon"}, "or an ISO 8601 date-time"},
		{[]string{"book", "--at", "+soon"}, "not a duration"},
		{[]string{"book", "--data", "{"}, "not JSON"},
		{[]string{"book", "--url", "ftp://x"}, "http://"},
		{[]string{"user", calling.DemoCaller, "--auth", "bearer:env:NOPE"}, "the environment has no NOPE"},
		{[]string{"user", calling.DemoCaller, "--cert", "nope.pem"}, "client certificate"},
		{[]string{"status", "--every", "1ms"}, "at least 100ms"},
		{[]string{"samples", "pay"}, `no samples for "pay"`},
		{[]string{"samples", "book", "nope"}, "no such sample"},
		{[]string{"check"}, `want "cabrank check URL`},
		{[]string{"check", "http://192.0.2.1"}, "--allow-host allows it"},
		{[]string{"version", "--color", "mauve", "--json", "x"}, "got 1 argument"},
		{[]string{"check", "self", "--color", "mauve"}, "want auto, always or never"},
	} {
		require.Contains(t, newShell(t).Fails(cli.ExitUsage, row.args...), row.says, "%v", row.args)
	}
}

func TestCheckPassesServeAndFailsABadServer(t *testing.T) {
	s := newParallelShell(t)
	url, _ := s.Serve()
	require.Contains(t, s.OK("check", url, "--json", s.Path("report.json")), "every MUST")
	text := clitest.Read(t, s.Path("report.json"))
	var report struct {
		Checks []struct {
			ID, Level, Operation, Outcome string
			Findings                      []any
		}
		Summary struct{ Pass, Fail int }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &report))
	require.Zero(t, report.Summary.Fail)
	require.Greater(t, report.Summary.Pass, 100)

	wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"status":"OK"}`))
	}))
	defer wrong.Close()
	require.Contains(t, s.Ends(cli.ExitFindings, "check", wrong.URL, "--quiet"), "FAIL  BOK-01")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "check", "http://127.0.0.1:9"), "nothing answers")
}

func TestHeadlessDemoPrintsCallAndJourney(t *testing.T) {
	out := newParallelShell(t).OK("demo", "--headless", "--speed", "1000", "--auth", "bearer:s3cret")
	require.Contains(t, out, "COMPLETE")
	require.Contains(t, out, "every MUST")
	at := -1
	for _, line := range []string{ // the calls are beside the sentences that they belong to
		"Ann Other rings the taxi number:\n            POST /config  200  OK\n            POST /user    200  Ann Other, 0 booked\n  platform  Hello Ann Other.",
		"caller    “a taxi from University of Otterbridge to St Brigid's Hospital, now please”",
		"caller    “yes please”\n            POST /book    200  University of Otterbridge → St Brigid's Hospital: J",
		"platform  Your taxi is booked", "COMPLETE",
	} {
		next := strings.Index(out, line)
		require.Greater(t, next, at, "%q in\n%s", line, out)
		at = next
	}
	require.NotContains(t, out, "s3cret")
	require.NotContains(t, out, "\x1b", "no terminal")
	require.NotContains(t, out, "in a browser", "the page is gone before anybody looks")
	require.Regexp(t, `EN_ROUTE   near \S`, out, "a street tells more than coordinates")
	for line := range strings.Lines(out[:strings.Index(out, "Ann Other rings")]) {
		require.Less(t, len(line), 150, "nobody reads a wall of text before the call")
	}
}

// TestDemoRunsInOtherWorlds runs a demo on an open plane, in which the caller has a taxi already and the
// destination is not asked, and one whose caller gets no taxi.
func TestDemoRunsInOtherWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("TestHeadlessDemoPrintsCallAndJourney is the same with the race detector")
	}
	s := newParallelShell(t)
	url, stop := s.Serve("--db", s.Path("kept.db"), "--town", "none")
	s.OK("book", "--url", url, "--at", "+5h")
	stop()
	out := s.OK("demo", "--headless", "--speed", "1000", "--db", s.Path("kept.db"), "--town", "none", "--config-data", `{"skipDropOff":true}`)
	require.Contains(t, out, "Ann Other, 1 booked")
	require.NotContains(t, out, "Where to?")
	require.Contains(t, out, "COMPLETE")
	require.Contains(t, s.Fails(cli.ExitFindings, "demo", "--headless", "--config-data", `{"features":["messaging"]}`), "the caller got no taxi")
}

// TestDemoCanBeInterrupted interrupts a demo during its call.
func TestDemoCanBeInterrupted(t *testing.T) {
	s := newShell(t)
	demo := s.Begin("demo", "--listen", "127.0.0.1:0", "--platform-listen", "127.0.0.1:0", "--color", "always")
	require.Eventually(t, func() bool { return strings.Contains(demo.Out.String(), "Hello Ann Other.") }, time.Minute, 5*time.Millisecond, "the demo begins no call")
	demo.Stop()
	require.Equal(t, cli.ExitOK, demo.Code(), "Ctrl-C is how a demo ends")
	said := demo.Out.String()
	require.Contains(t, said, "\nstopped; every request was answered")
	require.Contains(t, said, "\x1b[36mHello Ann Other.\x1b[0m")
	require.NotContains(t, said, "no taxi")
	require.NotContains(t, said, "Your taxi is booked.", "it does not wait for the end of the call")
}

func TestSamplesCommandPrintsSamples(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.OK("samples"), "book")
	require.True(t, json.Valid([]byte(s.OK("samples", "--json"))))
	require.NotContains(t, s.OK("samples", "book", "--kind", "minimal"), "broken")
	name := strings.Fields(strings.Split(s.OK("samples", "book", "--kind", "minimal", "--direction", "request"), "\n")[0])[3]
	body := s.OK("samples", "book", name)
	require.Contains(t, body, "phoneNumber")
	require.Equal(t, body, s.OK("samples", "book", strings.TrimPrefix(name, "request-")), "the direction goes without saying")
	require.Contains(t, body, cli.Now().AddDate(0, 0, 1).Format(time.DateOnly), "ahead of anybody's clock")
	require.Contains(t, s.OK("samples", "--people"), calling.DemoCaller)
	require.True(t, json.Valid([]byte(s.OK("samples", "--people", "--json"))))
	require.Contains(t, s.OK("samples", "--places"), "station")
	require.True(t, json.Valid([]byte(s.OK("samples", "--places", "--json"))))
}

func TestVersionHelpAndCompletionArePrinted(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.OK("version"), "cabrank ")
	require.Equal(t, s.OK("version"), s.OK("--version"))
	require.Equal(t, s.OK("version"), s.OK("-v"))
	require.True(t, json.Valid([]byte(s.OK("version", "--json"))))
	require.Contains(t, s.OK(), "cabrank check URL")
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		whole := s.OK("completion", shell)
		require.Contains(t, whole, "cabrank")
		require.NotEqual(t, whole, s.OK("completion", shell, "--no-descriptions"), shell)
	}
}
