package judging

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestCheckSendsCredentials(t *testing.T) {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "me" || secret != "s3cret" || r.FormValue("grant_type") != "client_credentials" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":"token-for-%s","expires_in":3600}`, r.FormValue("scope"))
	}))
	t.Cleanup(issuer.Close)
	another := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("client_secret") != "s3cret" { // it does not read headers
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"by-form","token_type":"bearer","expires_in":"3600"}`)
	}))
	t.Cleanup(another.Close)
	for _, row := range []struct {
		flags []string
		want  string // "header: value" or "?query"
	}{
		{[]string{"--auth", "none"}, "Authorization: "},
		{[]string{"--auth", "basic:ann:env:SECRET"}, "Authorization: Basic YW5uOnMzY3JldA=="},
		{[]string{"--auth", "bearer:@secret"}, "Authorization: Bearer s3cret"},
		{[]string{"--auth", "header:X-Api-Key:s3cret"}, "X-Api-Key: s3cret"},
		{[]string{"--auth", "header:X-Api-Key:k", "--auth", "header:X-Tenant:7"}, "X-Tenant: 7"},
		{[]string{"--auth", "header:X-Tenant:7", "--auth", "header:X-Api-Key:k"}, "X-Tenant: 7"},
		{[]string{"--auth", "query:key:env:SECRET"}, "?key=s3cret"},
		{[]string{"--auth", "oauth2:me:env:SECRET", "--token-url", issuer.URL, "--scope", "taxi"}, "Authorization: Bearer token-for-taxi"},
		{[]string{"--auth", "oauth2:me:env:SECRET", "--token-url", another.URL}, "Authorization: Bearer by-form"},
	} {
		s := newShell(t)
		s.Env["SECRET"] = "s3cret"
		s.Write("secret", "s3cret\n")
		a := clitest.NewDown(t, (*httptest.Server).Start)
		s.Fails(cli.ExitUnreachable, append([]string{"check", a.URL}, row.flags...)...)
		if query, ok := strings.CutPrefix(row.want, "?"); ok {
			require.Equal(t, query, a.First.URL.RawQuery)
			continue
		}
		name, value, _ := strings.Cut(row.want, ": ")
		require.Equal(t, value, a.First.Header.Get(name), "%v", row.flags)
	}
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUnreachable, "check", "http://127.0.0.1:9", "--auth", "oauth2:me:wrong", "--token-url", issuer.URL), "401")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--auth", "oauth2:me:x"), "needs --token-url")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--scope", "taxi"), "go with --auth oauth2")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--auth", "bearer:@nofile"), "--auth: secret: open nofile")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--auth", "query:key"), "query:NAME:VALUE")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--auth", "digest:x"), "--auth: want none, basic:USER:PASSWORD")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--auth", ""), "--auth: want none")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--auth", "header:X Key:s3cret"), `header "X Key"`)
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://127.0.0.1:9", "--auth", "bearer:env:NOPE"), "no NOPE")
}

// TestRemoteAddressNeedsAllowHost checks that an address of another machine is called only with --allow-host. The
// address belongs to nobody.
func TestRemoteAddressNeedsAllowHost(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "http://192.0.2.1"), "--allow-host allows it")
	s.Fails(cli.ExitUnreachable, "check", "http://192.0.2.1", "--allow-host", "--timeout", "50ms")
}

func TestFailedPreflightIsPrintedWithoutRetry(t *testing.T) {
	s := newShell(t)
	a := clitest.NewDown(t, (*httptest.Server).Start)
	out, errs, code := s.Run("check", a.URL)
	require.Equal(t, cli.ExitUnreachable, code)
	require.Equal(t, 2, a.Requests(), "nothing is repeated or waited for")
	require.Regexp(t, `ok +DNS +127.0.0.1 is 127.0.0.1\nok +TCP +127.0.0.1:\d+.*\nFAIL +HTTP .*503`, out)
	require.Contains(t, out, "cure      look at the server's log")
	require.Contains(t, errs, "cannot be tested")
}

// TestRunFileGivesTheSameReports checks that reports made from a run file are the same as those written during the run.
func TestRunFileGivesTheSameReports(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole run, whose formats are made one after another")
	}
	s := newShell(t)
	url := wrong(t, dispatchsidetest.None)
	flags := []string{"--seed", "9"}
	for _, f := range report.Formats() {
		flags = append(flags, "--"+f.Name, "now."+f.Name)
	}
	out := s.OK(append([]string{"check", url, "--out", "run.json", "--quiet"}, flags...)...)
	require.Contains(t, out, "seed 9")
	require.NotContains(t, out, "pass  BOK-01", "--quiet")
	run := []string{"report", "run.json"}
	for _, f := range report.Formats() {
		run = append(run, "--"+f.Name, "later."+f.Name)
	}
	require.Empty(t, s.OK(run...))
	for _, f := range report.Formats() {
		atOnce := clitest.Read(t, "now."+f.Name)
		later := clitest.Read(t, "later."+f.Name)
		require.NotEmpty(t, atOnce)
		require.True(t, atOnce == later, "%s differs", f.Name) //nolint:testifylint // they are too long to print
	}
	require.Contains(t, s.OK("report", "run.json", "--verbose"), "pass  BOK-01")
	require.Contains(t, s.OK("report", "run.json", "--markdown", "-"), "# ✅ Every MUST")
	require.Contains(t, s.Fails(cli.ExitUsage, "report", "now.json"), "run file")
	require.Contains(t, s.Fails(cli.ExitUsage, "report", "run.json", "--html", "/nowhere/x"), "--html")

	s.OK("check", url, "--out", "old.json", "--only", few, "--quiet", "--seed", "9")
	s.OK("check", url, "--out", "new.json", "--only", few, "--quiet", "--seed", "10")
	diff := s.OK("diff", "old.json", "new.json")
	require.Contains(t, diff, "every verdict is as it was")
	require.True(t, json.Valid([]byte(s.OK("diff", "old.json", "new.json", "--json"))))

	require.Contains(t, s.OK("check", "traffic", "now.har"), "passed")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "traffic", "missing.har"), "missing.har")
}

// few is --only for tests in which any checks will do.
const few = "CAN-01,JRN-03,BOK-16"

// TestAFailureIsRepeatedComparedAndExcused follows one failure through repeat, diff and a
// baseline.
func TestAFailureIsRepeatedComparedAndExcused(t *testing.T) {
	s := newShell(t)
	bad, good := wrong(t, dispatchsidetest.Canceled), wrong(t, dispatchsidetest.None)
	out := s.Ends(cli.ExitFindings, "check", bad, "--only", few, "--out", "bad.json", "--quiet")
	require.Contains(t, out, "FAIL  CAN-01")
	run, err := readRun("bad.json")
	require.NoError(t, err)
	shown := s.OK("report", "bad.json", "--call", fmt.Sprint(conformance.WorstOf(run.Checks, "CAN-01", "cancel").Findings[0].Exchanges[0]))
	for _, says := range []string{"> POST ", `"status":"CANCELED"`, "CAN-01 must cancel", "curl -sS"} {
		require.Contains(t, shown, says)
	}
	for _, call := range []string{"99999", "-5"} {
		require.Contains(t, s.Fails(cli.ExitUsage, "report", "bad.json", "--call", call), "the run has no call "+call)
	}

	again := s.Ends(cli.ExitFindings, "repeat", "bad.json#CAN-01", "--quiet")
	require.Contains(t, again, "FAIL  CAN-01")
	require.NotContains(t, again, "pass  ")
	require.Contains(t, s.OK("repeat", "bad.json#CAN-01", "--url", good, "--json", "again.json"), "pass  CAN-01: the fault is gone")
	require.FileExists(t, "again.json")
	require.Contains(t, s.Fails(cli.ExitUsage, "repeat", "bad.json#CAN-01", "--html", "/nowhere/x"), "nothing was run")
	all := s.Ends(cli.ExitFindings, "repeat", "bad.json")
	require.Contains(t, all, "CAN-01@cancel: the fault was reproduced\n")
	require.Regexp(t, `\n\d+ failures? repeated: 0 gone, \d+ still there, 0 not shown\n$`, all)
	require.Regexp(t, `\n\d+ failures? repeated: \d+ gone, 0 still there, 0 not shown\n$`, s.OK("repeat", "bad.json", "--url", good))
	require.Contains(t, s.Fails(cli.ExitUsage, "repeat", "bad.json", "--json", "x.json"), "a report is of one verdict")
	require.Contains(t, s.Fails(cli.ExitUsage, "repeat", "bad.json#NO-1"), "no verdict")

	s.OK("check", good, "--only", few, "--out", "good.json", "--quiet")
	require.Contains(t, s.Ends(cli.ExitFindings, "diff", "good.json", "bad.json"), "broken  CAN-01")
	require.Regexp(t, `(?s)fixed   CAN-01.*\nbroken 0, .*fixed [1-9]`, s.OK("diff", "bad.json", "good.json"))

	known := excuseAll(t, "bad.json", "known.json")
	require.Contains(t, s.OK("check", bad, "--only", few, "--baseline", "known.json", "--quiet", "--seed", "5"), fmt.Sprintf("%d known failure", known))
	out = s.Ends(cli.ExitFindings, "check", good, "--only", few, "--baseline", "known.json", "--quiet")
	require.Contains(t, out, "stale baseline entry: CAN-01@cancel (owner ann)")
}

// excuseAll writes a baseline of all MUSTs that a run failed, which no race decides,
// and returns how many there are.
func excuseAll(t *testing.T, path, baseline string) int {
	t.Helper()
	run, err := readRun(path)
	require.NoError(t, err)
	var known []string
	for _, r := range run.Checks {
		if r.Outcome == conformance.Fail && r.Level == conformance.Must {
			known = append(known, fmt.Sprintf(`{"id":%q,"operation":%q,"owner":"ann","until":"2126-01-01"}`, r.ID, r.Operation))
		}
	}
	require.NoError(t, os.WriteFile(baseline, []byte(`{"known":[`+strings.Join(known, ",")+`]}`), 0o600))
	return len(known)
}

func TestCheckFlagsSelectAndScoreChecks(t *testing.T) {
	s := newParallelShell(t)
	url := wrong(t, dispatchsidetest.None)
	out := s.Ends(cli.ExitFindings, "check", url, "--claim", "driver,core", "--quiet")
	require.Contains(t, out, "claimed and not shown: driver")
	require.Contains(t, s.OK("check", url, "--only", few, "--requirements", "latest", "--quiet"), "requirements/latest")
	require.NotContains(t, s.OK("check", url, "--only", "can-01"), "left out")
	only := s.OK("check", url, "--only", "can-01", "-v")
	require.Contains(t, only, "pass  CAN-01")
	require.Contains(t, only, "\n1 verdict on ")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--only", "CAN-99"), `--only: the suite third-party has no check "CAN-99": its ids begin with W, CFG, USR`)
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--skip", "CAN-19"), "did you mean CAN-09")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--skip", "NOPE-*"), `has no check "NOPE-*"`)
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--only", "CFG-[", "--skip", "CFG-02"), "is not a pattern")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--only", "CFG-01", "--skip", "CFG-*"), "no check is left")
	require.Contains(t, s.OK("check", url, "--only", "cfg-0*", "--skip", "CFG-05,CFG-06,CFG-07,CFG-09", "--quiet"), "CFG-01, CFG-02, CFG-03, CFG-04, CFG-08")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--requirements", "0"), "want 1 or latest")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--claim", "wings"), "coming-now")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--baseline", "missing.json"), "missing.json")
}

func TestHookFlagsRunAidsAndAreValidated(t *testing.T) {
	s := newShell(t)
	url := wrong(t, dispatchsidetest.None)
	var mu sync.Mutex
	var asked []string
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, string(body))
		http.Error(w, "no such journey", http.StatusNotFound)
	}))
	t.Cleanup(hook.Close)
	out := s.Ends(conformance.ExitAid, "check", url, "--only", "JRN-06,JRN-01", "--advance-url", hook.URL)
	require.Regexp(t, `\nERROR the advance aid could not bring a journey to WAITING: --advance-url answered 404 Not Found: no such journey\n$`, out)
	require.Regexp(t, `^\{"journeyId":"[^"]+","status":"[A-Z_]+"\}$`, asked[0])

	asked = nil
	out = s.Ends(conformance.ExitAid, "check", url, "--only", "JRN-18,JRN-01", "--clock-url", hook.URL)
	require.Regexp(t, `\nERROR the clock aid failed: --clock-url answered 404 Not Found: no such journey\n$`, out)
	require.Regexp(t, `^\{"to":"\d{4}-\d\d-\d\dT\d\d:05:00Z"\}$`, asked[0])

	touch := filepath.Join(s.Dir, "touched-{status}")
	require.Contains(t, s.OK("check", url, "--only", "JRN-06,JRN-01", "--advance-cmd", "touch", "--advance-cmd", touch, "--quiet"), "could not be advanced to COMPLETE")
	require.FileExists(t, filepath.Join(s.Dir, "touched-ACCEPTED"))

	require.Contains(t, s.OK("check", url, "--only", "JRN-12,JRN-01", "--restart-cmd", "true"), "pass  JRN-12")
	out = s.Ends(conformance.ExitAid, "check", url, "--only", "JRN-12,JRN-01", "--restart-cmd", "false")
	require.Contains(t, out, "-     JRN-12")

	s.Write("short.json", `{"disabled":"12"}`)
	s.Write("users.json", `{"disabled":"+442079460101"}`)
	run := func(flags ...string) string {
		s.OK(append([]string{"check", url, "--only", "USR-14", "--quiet", "--har", "run.har"}, flags...)...)
		text := clitest.Read(t, "run.har")
		return text
	}
	require.Contains(t, run("--fixtures", "users.json"), "101")
	s.Write("barred.json", `{"disabled":"442079460777","blacklisted":"442079460888"}`)
	require.Contains(t, run("--fixtures", "barred.json"), `888\"`)
	s.Write("blacklisted.json", `{"blacklisted":"12"}`)
	s.Write("national.json", `{"disabled":"020774600010"}`)
	for _, row := range []struct {
		flags []string
		says  string
	}{
		{[]string{"--fixtures", "missing.json"}, "missing.json"},
		{[]string{"--fixtures", "short.json"}, `--fixtures short.json: "disabled" is "12", want a telephone number`},
		{[]string{"--fixtures", "blacklisted.json"}, `"blacklisted" is "12", want a telephone number`},
		{[]string{"--fixtures", "national.json"}, `"disabled" is "020774600010", want a telephone number with its country code`},
		{[]string{"--phone", "+44 20"}, `--phone is "+44 20", want a telephone number`},
		{[]string{"--fixtures", "bad.json"}, `want {"disabled"`},
		{[]string{"--advance-url", "http://x", "--advance-cmd", "y"}, "want one of them"},
		{[]string{"--advance-url", "127.0.0.1:8080/advance"}, "--advance-url \"127.0.0.1:8080/advance\" is not an address; want http://127.0.0.1:8080/advance"},
		{[]string{"--advance-url", "me:s3cret@host/advance"}, "--advance-url is not an address; want http://host/path"},
		{[]string{"--clock-url", "now"}, "--clock-url \"now\" is not an address; want http://now"},
		{[]string{"--advance-token", "t"}, "--advance-token goes with --advance-url or --clock-url"},
		{[]string{"--advance-url", "http://x", "--advance-token", "env:NONE"}, "--advance-token: secret: the environment has no NONE"},
	} {
		s.Write("bad.json", `{"barred":1}`)
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"check", url}, row.flags...)...), row.says)
	}
	help := s.OK("check", "--help")
	require.Regexp(t, `(?s)--advance-url or --advance-cmd\n +needed by .*JRN-06`, help)
	require.Regexp(t, `(?s)--restart-cmd\n +needed by JRN-12`, help)
	require.Regexp(t, `(?s)--fixtures\n +needed by USR-14`, help)
}

// TestFailOnSetsTheExitCode compares the exit code with the failures in the JUnit file.
func TestFailOnSetsTheExitCode(t *testing.T) {
	s := newShell(t)
	url := wrong(t, dispatchsidetest.CrashesOnText)
	for level, code := range map[string]int{"harm": cli.ExitOK, "must": cli.ExitOK, "should": cli.ExitOK, "robustness": cli.ExitFindings} {
		s.Ends(code, "check", url, "--only", "CAN-01,BAD-01,BAD-02,BAD-03", "--fail-on", level, "--junit", "j.xml", "--quiet")
		require.Equal(t, code == cli.ExitOK, regexp.MustCompile(`<testsuites [^>]*failures="0" errors="0"`).MatchString(clitest.Read(t, "j.xml")), level)
	}
	require.Contains(t, s.OK("check", url, "--only", "BAD-01,BAD-02,BAD-03", "--quiet"), "no chosen check failed that fails the run; failed: BAD-0")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--fail-on", "warn"), "want harm, must, should or robustness")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", url, "--html", "-", "--junit", "-"), "only one report fits")
}

// TestBaselineFromRunExcusesItsFailures checks that a baseline made from a run excuses the failures of that run.
func TestBaselineFromRunExcusesItsFailures(t *testing.T) {
	s := newShell(t)
	bad, good := wrong(t, dispatchsidetest.Canceled), wrong(t, dispatchsidetest.None)
	few := []string{"--only", "BOK-01,CAN-01,CAN-02"}
	s.Ends(cli.ExitFindings, append([]string{"check", bad, "--out", "bad.json"}, few...)...)
	made := []string{"baseline", "--from", "bad.json", "--owner", "ann", "--until"}
	text := s.OK(append(made, "2999-12-31")...)
	require.Contains(t, text, `"id": "CAN-01"`)
	s.Write("known.json", text)
	require.Contains(t, s.OK(append([]string{"check", bad, "--baseline", "known.json"}, few...)...), "known failure")
	require.Contains(t, s.Fails(cli.ExitUsage, append(made, "2020-01-01")...), "which is in the past")
	require.Contains(t, s.Fails(cli.ExitUsage, append(made, "tomorrow")...), "want a date")
	require.Contains(t, s.Fails(cli.ExitUsage, "baseline", "--from", "bad.json"), "--owner")
	s.OK(append([]string{"check", good, "--out", "good.json"}, few...)...)
	require.Contains(t, s.Fails(cli.ExitFindings, "baseline", "--from", "good.json", "--owner", "ann", "--until", "2999-12-31"), "nothing fails")
	s.Write("wrong.json", `{"known": "CAN-01"}`)
	require.Contains(t, s.Fails(cli.ExitUsage, "check", bad, "--baseline", "wrong.json"), `"known" is a string; want {"known": [{"id"`)
}

func TestOpenAPICommandPrintsTheContract(t *testing.T) {
	s := newShell(t)
	require.Equal(t, string(taxi.OpenAPI()), s.OK("openapi"))
	require.Contains(t, s.Fails(cli.ExitUsage, "explain", "NOPE"), `there is no check "NOPE"; 'cabrank explain'`)
	require.Contains(t, s.Fails(cli.ExitUsage, "explain", "CAM-01"), "did you mean CAN-01?")
}

// TestGitHubActionsJobGetsAnnotations checks that failures are printed as annotations in a job of GitHub Actions, and not
// unknownCheckHint.
func TestGitHubActionsJobGetsAnnotations(t *testing.T) {
	s := newShell(t)
	s.Env["GITHUB_ACTIONS"] = "true"
	url := wrong(t, dispatchsidetest.Canceled)
	out, _, _ := s.Run("check", url, "--only", "CAN-01", "--source-file", "src/server.js")
	require.Contains(t, out, "\n::error file=src/server.js,line=1,title=CAN-01 must cancel::in the reply of /cancel, status is \"CANCELED\"")
	out, errs, _ := s.Run("check", url, "--only", "CAN-01", "--markdown", "-")
	require.NotContains(t, out, "::error")
	require.Contains(t, errs, "::error title=CAN-01")
	s.Env["GITHUB_ACTIONS"] = ""
	out, errs, _ = s.Run("check", url, "--only", "CAN-01")
	require.NotContains(t, out+errs, "::error")
}

func TestInvalidAddressesAreExplained(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "127.0.0.1:9070"), "write http://127.0.0.1:9070")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "day.har"), "'cabrank check traffic day.har'")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "selff"), "http://selff (or https://), or one of the commands caller, init, platform, self, traffic\n")
	missing := s.Fails(cli.ExitUsage, "check", "traffic", "nosuch.har")
	require.Contains(t, missing, "nosuch.har")
	require.NotContains(t, missing, "--har")
}

var newShell, newParallelShell = clitest.Shells(commands)

func commands(out cli.Outside) []cli.Group {
	return []cli.Group{{Title: "judging", Commands: Commands(out)}}
}

// wrong serves the small dispatch system of package dispatchsidetest with a fault, or none.
func wrong(t *testing.T, fault dispatchsidetest.Fault) string {
	t.Helper()
	server := httptest.NewServer(dispatchsidetest.NewVendor(fault))
	t.Cleanup(server.Close)
	return server.URL
}
