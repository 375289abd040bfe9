package serving

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/cmd/cabrank/controlling"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestInvalidFlagsAreRefusedBeforeStart checks that an invalid flag is named before anything is started, and the same one each
// time.
func TestInvalidFlagsAreRefusedBeforeStart(t *testing.T) {
	s := newShell(t)
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"demo", "--story", "--headless"}, "--story needs the console"},
		{[]string{"demo", "--story", "--no-console"}, "--story needs the console"},
		{[]string{"demo", "--listen", "127.0.0.1:0", "--url-file", "nowhere/u"}, "cabrank: --url-file nowhere/u: there is no folder nowhere: create it first (mkdir -p nowhere)\n"},
		{[]string{"demo", "--room", "--headless"}, "leave out --headless"},
		{[]string{"demo", "--room", "--room-for", "1s"}, "--room-for is 1s, want 1m to 24h"},
		{[]string{"demo", "--room", "--room-guests", "0"}, "--room-guests is 0, want 1"},
		{[]string{"demo", "--room", "--room-listen", "nowhere", "--listen", "127.0.0.1:0", "--no-open"}, `--room-listen is "nowhere"`},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--url-file", "nowhere/u"}, "--url-file nowhere/u: there is no folder nowhere"},
		{[]string{"serve", "--keep-journal"}, "--keep-journal needs --db, where the requests are kept"},
		{[]string{"serve", "--keep-journal", "--db", "taxis.db", "--no-journal"}, "--keep-journal: --no-journal keeps none"},
		{[]string{"serve", "--rate", "NaN"}, "is a number"},
		{[]string{"serve", "--rate", "-1", "--duplicate-window", "-1s", "--area", "-1"}, "--rate cannot be negative"},
		{[]string{"samples", "--people", "--places"}, "--people and --places do not go together"},
		{[]string{"samples", "book", "--people"}, "--people and book do not go together"},
		{[]string{"samples", "--places", "--kind", "odd"}, "--places and --kind do not go together"},
	} {
		for range 3 {
			require.Contains(t, s.Fails(cli.ExitUsage, row.args...), row.says, "%v", row.args)
		}
	}
}

func TestRefuseLateCancelFlagTakesEffect(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none", "--cars", "150", "--refuse-late-cancel")
	s.OK("clock", "pause", "--url", url)
	s.OK("book", "--url", url)
	s.OK("clock", "advance", "--until", "ARRIVED", "--url", url)
	require.Contains(t, s.Fails(cli.ExitFindings, "cancel", "--url", url), "cancel-refused")
}

func TestLogFlagSelectsTheFormat(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--log", "json")
	s.OK("user", calling.DemoCaller, "--url", url)
	s.OK("book", "--url", url)
	printed := stop()
	require.Contains(t, printed, `"msg":"journey","journey":"J`)
	require.Contains(t, printed, `"status":"WAITING","event":"book","world":"`)
	var logged []string
	for line := range strings.Lines(printed) { // the banner is printed while the first requests come
		if strings.HasPrefix(line, `{"time"`) {
			logged = append(logged, line)
		}
	}
	require.NotEmpty(t, logged, printed)
	var entry struct {
		Msg, Path string
		Status    int
		TookMS    *float64 `json:"took_ms"`
	}
	require.NoError(t, json.Unmarshal([]byte(logged[0]), &entry), printed)
	require.Equal(t, "request", entry.Msg)
	require.NotNil(t, entry.TookMS, "with its unit")
	require.NotContains(t, strings.Join(logged, ""), calling.DemoCaller, "no phone number in a log")

	_, stop = s.Serve("--log", "text", "--color", "always")
	require.NotContains(t, stop(), `{"time"`)
}

// TestExamplesInTheBannerHaveCredentials checks that the commands in the banner have an --auth flag without the
// secret.
func TestExamplesInTheBannerHaveCredentials(t *testing.T) {
	for auth, shown := range map[string]string{
		"bearer:s3cret": " --auth bearer:TOKEN && cabrank status --follow", "bearer:env:MY_TOKEN": " --auth bearer:env:MY_TOKEN\n",
		"basic:ann:s3cret": " --auth basic:ann:PASSWORD\n", "header:X-Key:s3cret": " --auth header:X-Key:VALUE\n",
	} {
		s := newShell(t)
		s.Env["MY_TOKEN"] = "s3cret"
		_, stop := s.Serve("--town", "none", "--auth", auth)
		banner := stop()
		require.Contains(t, banner, shown)
		require.NotContains(t, banner, "s3cret")
	}
}

// TestShellsCompleteValuesOfFlags expects the values that a flag accepts.
func TestShellsCompleteValuesOfFlags(t *testing.T) {
	s := newShell(t)
	for _, command := range []string{"serve", "demo"} {
		require.Contains(t, s.OK("__complete", command, "--demand", ""), "none\nquiet\ntown\ncity\n")
	}
	require.Contains(t, s.OK("__complete", "serve", "--behaviour", "st"), "stormy\n")
}

// TestDemandSetsTheNumberOfCars expects as many cars as the demand keeps busy, unless --cars is
// given.
func TestDemandSetsTheNumberOfCars(t *testing.T) {
	s := newShell(t)
	_, stop := s.Serve("--town", "none", "--demand", "city")
	require.Contains(t, stop(), "3500 cars")
	_, stop = s.Serve("--town", "none", "--demand", "city", "--cars", "50")
	require.Contains(t, stop(), " 50 cars")
}

// TestServeHintsAtUnusedClientCredentials expects a hint if CABRANK_AUTH is set and the server
// has no credentials.
func TestServeHintsAtUnusedClientCredentials(t *testing.T) {
	s := newShell(t)
	s.Env["CABRANK_AUTH"] = "bearer:s3cret"
	_, stop := s.Serve()
	require.Contains(t, stop(), "CABRANK_SERVE_AUTH")
	_, stop = s.Serve("--auth", "none")
	require.NotContains(t, stop(), "CABRANK_SERVE_AUTH")
	s.Env["CABRANK_SERVE_AUTH"] = "bearer:s3cret"
	_, stop = s.Serve()
	require.NotContains(t, stop(), "CABRANK_SERVE_AUTH")
}

func TestFollowAsJSONLines(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none")
	s.OK("clock", "pause", "--url", url)
	s.OK("book", "--url", url)
	follower := s.Begin("status", "--url", url, "--follow", "--every", "100ms", "--json")
	require.Eventually(t, func() bool { return strings.Contains(follower.Out.String(), "WAITING") }, time.Minute, 5*time.Millisecond, "the journey is not followed")
	s.OK("clock", "advance", "--until", "COMPLETE", "--url", url)
	require.Equal(t, cli.ExitOK, follower.Code(), follower.Out)
	last := ""
	for line := range strings.Lines(follower.Out.String()) {
		require.True(t, json.Valid([]byte(line)), line)
		last = line
	}
	require.Contains(t, last, `"COMPLETE"`)
}

func TestTimeoutFlagEndsUnansweredRequests(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	url := "http://" + silent.Addr().String()
	s := newShell(t)
	s.Env["CABRANK_USER_TIMEOUT"], s.Env["CABRANK_READY_TIMEOUT"] = "1h", "1h" // the flag takes precedence
	for _, args := range [][]string{{"user", calling.DemoCaller, "--url", url}, {"ready", url}} {
		s.Fails(cli.ExitUnreachable, append(args, "--timeout", "50ms")...)
	}
}

// TestNotReadyMessageIsShort expects a short message also for long bodies and web pages.
func TestNotReadyMessageIsShort(t *testing.T) {
	page := "<!doctype html>\n<html><body>" + strings.Repeat("welcome ", 100) + "</body></html>"
	status, media := http.StatusBadGateway, "text/html"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, page)
	}))
	defer server.Close()
	s := newShell(t)
	require.Equal(t, "cabrank: not ready: 502 Bad Gateway (a web page)\n", s.Fails(cli.ExitFindings, "ready", server.URL))
	media, page = "text/plain", "the disk is full"
	require.Contains(t, s.Fails(cli.ExitFindings, "ready", server.URL), "not ready: 502 Bad Gateway the disk is full")
	require.Contains(t, s.Fails(cli.ExitFindings, "ready", server.URL, "--wait", "10ms"), "not ready within 10ms: 502")
	require.Contains(t, s.Fails(cli.ExitUsage, "ready", strings.TrimPrefix(server.URL, "http://")), "is not an address; want "+server.URL)
	page = strings.Repeat("a\nb ", 1000)
	require.Less(t, len(s.Fails(cli.ExitFindings, "ready", server.URL)), 200)
	media, page = taxi.ProblemContentType, `{"detail":"the disk\nis full","status":503}`
	require.Equal(t, "cabrank: not ready: 502 Bad Gateway the disk is full\n", s.Fails(cli.ExitFindings, "ready", server.URL))
	status, media, page = http.StatusOK, "text/html", "<html>"+strings.Repeat("welcome ", 100)
	said := s.Fails(cli.ExitFindings, "ready", server.URL)
	require.Contains(t, said, "looks like a web site")
	require.Less(t, len(said), 600)
}

// TestReadyUsesTheListenVariables uses the listening address of the environment.
func TestReadyUsesTheListenVariables(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	full := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer full.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	s := newShell(t)
	for _, host := range []string{"0.0.0.0", "", "[::]", "localhost"} {
		s.Env = map[string]string{"CABRANK_SERVE_LISTEN": host + ":" + port}
		require.Equal(t, "ready\n", s.OK("ready"), host)
	}
	s.Env = map[string]string{"CABRANK_SERVE_LISTEN": "127.0.0.1:1", "CABRANK_DEMO_LISTEN": "0.0.0.0:" + port}
	s.OK("ready")
	s.Fails(cli.ExitUnreachable, "ready", "--url", "http://127.0.0.1:1") // what is named is what is asked
	s.Env = map[string]string{"CABRANK_SERVE_LISTEN": full.Listener.Addr().String(), "CABRANK_DEMO_LISTEN": "127.0.0.1:0"}
	require.Contains(t, s.Fails(cli.ExitFindings, "ready"), "503")
	s.Env = map[string]string{"CABRANK_URL": full.URL, "CABRANK_SERVE_LISTEN": ":" + port}
	s.Fails(cli.ExitFindings, "ready")
}

// TestReadyCallsConfigOfOtherSystems asks another dispatch system, which is up at the second try.
func TestReadyCallsConfigOfOtherSystems(t *testing.T) {
	s := newParallelShell(t)
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/taxi/readyz" {
			tries++
		}
		switch {
		case tries < 2:
			w.WriteHeader(http.StatusBadGateway)
		case r.URL.Path == "/taxi/config" && r.Method == http.MethodPost:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"status":"OK"}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	require.Contains(t, s.Fails(cli.ExitFindings, "ready", server.URL+"/taxi"), "502")
	tries = 0
	require.Contains(t, s.OK("ready", server.URL+"/taxi/", "--wait", "20s"), `ready: /config is answered with status "OK"`)
	require.Contains(t, s.Fails(cli.ExitFindings, "ready", server.URL+"/cab"), "check the path")
}

func TestLoopbackServerRefusesOtherHostNames(t *testing.T) {
	s := newShell(t)
	for listen, want := range map[string]int{"127.0.0.1:0": http.StatusMisdirectedRequest, "0.0.0.0:0": http.StatusOK} {
		url, stop := s.Serve("--listen", listen)
		answer := clitest.Get(t, url+"/livez", clitest.As("dispatch.example"))
		require.Equal(t, want, answer.Status, listen)
		require.Equal(t, "nosniff", answer.Header.Get("X-Content-Type-Options"))
		if want == http.StatusMisdirectedRequest {
			require.Equal(t, "application/problem+json", answer.Header.Get("Content-Type"))
			require.Contains(t, answer.Body, `"status":421`)
		}
		for _, own := range []string{"LOCALHOST", "localhost.", "[::1]", "127.0.0.1:1"} {
			require.Equal(t, http.StatusOK, clitest.Get(t, url+"/livez", clitest.As(own)).Status, own)
		}
		stop()
	}
}

// TestOpenServerPrintsAWarning checks that a server that listens on all addresses prints a warning if it has no
// credentials, or if they are sent in clear text.
func TestOpenServerPrintsAWarning(t *testing.T) {
	s := newShell(t)
	_, stop := s.Serve("--listen", "0.0.0.0:0")
	said := stop()
	require.Contains(t, said, "warning: other machines can reach ")
	require.Contains(t, said, "without credentials")
	require.Regexp(t, `credentials +none; listens on (0\.0\.0\.0|\[::\]):\d+, where other machines can call`, said)
	_, stop = s.Serve("--listen", "0.0.0.0:0", "--auth", "bearer:s3cret")
	said = stop()
	require.Contains(t, said, "in clear text")
	require.NotContains(t, said, "s3cret")
	_, stop = s.Serve("--auth", "basic:ada:s3cret")
	said = stop()
	require.NotContains(t, said, "warning")
	require.Contains(t, said, "credentials      basic; only programs on this machine can call")
}

// TestServeStartsWithFaults checks that --faults starts a scenario, and that magic numbers cause faults unless
// --no-magic is set.
func TestServeStartsWithFaults(t *testing.T) {
	s := newShell(t)
	_, stopMean := s.Serve("--town", "none", "--faults", "mean-dispatcher")
	require.Contains(t, stopMean(), "faults 6: commit-then-drop on book, 15m0s left; ")
	url, stop := s.Serve("--town", "none")
	require.Contains(t, s.Fails(cli.ExitFindings, "book", "--url", url, "--phone", "442079460503"), "magic-503")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "book", "--url", url, "--phone", "442079460700"), "connection reset by peer")
	stop()
	url, stop = s.Serve("--town", "none", "--no-magic")
	s.OK("book", "--url", url, "--phone", "442079460503")
	require.Contains(t, stop(), "faults none\n")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--faults", "calm"), `--faults is "calm", want one of bad-json, blacklisted`)
}

// TestVariationFlagChangesResponses checks the responses and the banner at each level of --variation.
func TestVariationFlagChangesResponses(t *testing.T) {
	s := newShell(t)
	s.Env = map[string]string{"CABRANK_SERVE_VARIATION": "2"}
	url, stop := s.Serve("--town", "none", "--seed", "2")
	require.Regexp(t, `"journeyId": "[0-9a-f]{8}-`, s.OK("book", "--url", url, "--json"))
	require.Contains(t, s.OK("status", "--url", url, "--json"), `"pickup"`)
	s.OK("cancel", "--url", url)
	require.Contains(t, stop(), "seed 2, variation 2, ")
	url, stop = s.Serve("--town", "none", "--variation", "0")
	config := clitest.Post(t, url+"/config", "{}").Body
	require.Equal(t, `{"status":"OK","eta":{"value":2,"unit":"minutes"}}`, config)
	require.Contains(t, stop(), "seed 1, variation 0, ")
	s.Env = nil
	_, stop = s.Serve("--town", "none")
	require.Contains(t, stop(), "seed 1, variation 1, ", "a little by default")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--variation", "3"), "--variation is 3, want 0 (none), 1 (mild) or 2 (rich)")
}

var newShell, newParallelShell = clitest.Shells(commands)

// commands are those that run a server and those that call it.
func commands(out cli.Outside) []cli.Group {
	return []cli.Group{
		{Title: "serving", Commands: Commands(out)},
		{Title: "calling", Commands: calling.Commands(out)},
		{Title: "controlling", Commands: controlling.Commands(out)},
		{Title: "judging", Commands: judging.Commands(out)},
	}
}
