package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestRequestsCommandReadsTheJournal books a taxi and reads the journal of the server.
func TestRequestsCommandReadsTheJournal(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none")
	at := func(args ...string) []string { return append(args, "--url", url) }
	require.Equal(t, "no request has arrived yet\n", s.OK(at("requests")...))

	follower := s.Begin(at("requests", "--follow", "--op", "book")...)
	s.OK(at("user", "+442079460020")...)
	require.Eventually(t, func() bool {
		s.OK(at("book")...)
		return strings.Contains(follower.Out.String(), "/book 200")
	}, time.Minute, 10*time.Millisecond, "no booking is followed")
	follower.Stop()
	require.NotContains(t, follower.Out.String(), "/user")

	list := s.OK(at("requests", "--op", "user")...)
	require.Regexp(t, `^    1  \d\d:\d\d:\d\d  /user 200 +[\d.]+ ms  warn  \*\*\*020`, list)
	require.NotContains(t, list, "442079460020")
	require.Contains(t, list, "P-02 no /config was called before")
	require.Contains(t, list, "'cabrank requests ID' shows all details of one")
	require.Contains(t, s.OK(at("requests", "--verdict", "fail")...), "none of ")
	require.Contains(t, s.OK(at("requests", "--status", "5xx")...), "none of ")
	require.Contains(t, s.OK(at("requests", "--fault", "*")...), "none of ")
	require.Contains(t, s.OK(at("requests", "--fault", "f-9")...), `matches; there is no fault "f-9" now: 'cabrank fault list' prints the ids, 'cabrank fault catalogue' the kinds`)
	s.OK(at("fault", "add", "delay", "--op", "cancel", "--id", "slow")...)
	require.NotContains(t, s.OK(at("requests", "--fault", "slow")...), "no fault")
	require.Contains(t, s.OK(at("requests", "--answer-verdict", "fail")...), "none of ")
	require.Regexp(t, `^    1  .*\n1 of `, s.OK(at("requests", "--rule", "P-02")...))
	require.Regexp(t, `^    2  .*\n1 of `, s.OK(at("requests", "--after", "1", "--limit", "1", "--since", "2026-01-01T00:00:00Z")...))
	require.Regexp(t, `\n1 of .*; --limit shows more`, s.OK(at("requests", "--limit", "1")...))

	whole := s.OK(at("requests", "1")...)
	for _, want := range []string{"should  P-02, request: ", "clause ", "cure   ", `sent           {"phoneNumber":"442079460020"}`, `answered       {"userId"`, "in the world "} {
		require.Contains(t, whole, want)
	}
	require.Contains(t, s.OK(at("requests", "1", "--as", "curl")...), "curl -sS -X POST '"+url+"/user'")
	require.Contains(t, s.OK(at("requests", "1", "--as", "http")...), "POST /user HTTP/1.1")
	har := clitest.Decode[struct{ Log struct{ Entries []any } }](t, s.OK(at("requests", "1", "--as", "har")...))
	require.Len(t, har.Log.Entries, 1)
	one := clitest.Decode[struct{ Op, Phone string }](t, s.OK(at("requests", "1", "--json")...))
	require.Equal(t, "442079460020", one.Phone, "as it was sent")
	all := clitest.Decode[struct{ Requests []struct{ Op string } }](t, s.OK(at("requests", "--op", "book", "--json")...))
	require.NotEmpty(t, all.Requests)
	clitest.Post(t, url+"/book", `{"phoneNumber":"442079460720"}`)
	for _, fault := range []string{"magic-720", "html-page"} {
		require.Regexp(t, `fault magic-720.*\n1 of `, s.OK(at("requests", "--fault", fault)...))
	}
	require.NotContains(t, s.OK(at("requests", "--fault", "bad-json")...), "prints the ids", "a kind")
	require.Contains(t, s.OK("__complete", "requests", "--url", url, ""), "1\t/user 200\n")
	require.Contains(t, s.OK("__complete", "requests", "--verdict", ""), "warn\n")
	require.Contains(t, s.OK("__complete", "requests", "--rule", "SEQ-"), "SEQ-01\tA caller is looked up")

	for args, want := range map[string]string{
		"requests 99": `there is no request "99"`, "requests wiat": `there is no request "wiat"; did you mean 'cabrank requests wait'?`, "requests --op fly": "op is \"fly\"", "requests --limit 0": "--limit is 0", "requests --answer-verdict odd": `--answer-verdict is "odd"`, "requests wait --answer-verdict odd": `--answer-verdict is "odd"`, "requests 1 --as png": "want curl, har or http",
		"requests --rule NOPE": "rule is \"NOPE\", which is not the id of a check; ids start with ", "requests --rule p-099": "did you mean P-09?",
		"requests --rule BOKK-16 --follow": "did you mean BOK-16? 'cabrank explain' lists them", "requests --as curl": "needs the id of a request", "requests 1 --follow": "--follow", "requests 1 --verdict fail": "--verdict is for the list", "requests wiat --op book": "did you mean 'cabrank requests wait'?", "requests --after -1": "--after is -1", "requests 1 --as curl --json": "two forms",
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, at(strings.Fields(args)...)...), want)
	}
	stop()
	require.Contains(t, s.Fails(cli.ExitUnreachable, at("requests")...), "'cabrank serve' starts one")
	require.Contains(t, s.Fails(cli.ExitUnreachable, at("requests", "--follow")...), "'cabrank serve' starts one")
	url, _ = s.Serve("--town", "none", "--no-journal")
	require.Contains(t, s.Fails(cli.ExitUnreachable, "requests", "--url", url), "keeps no journal")
}

// TestFollowEndsWithTheServer stops the server of 'cabrank requests --follow', which reports
// that.
func TestFollowEndsWithTheServer(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none")
	s.OK("user", "+442079460020", "--url", url)
	follower := s.Begin("requests", "--follow", "--json", "--url", url)
	require.Eventually(t, func() bool {
		s.OK("user", "+442079460021", "--url", url)
		return strings.Contains(follower.Out.String(), `"phone":"442079460021"`)
	}, time.Minute, 10*time.Millisecond, "no request is followed")
	stop()
	require.Equal(t, cli.ExitUnreachable, follower.Code())
	require.Contains(t, follower.Out.String(), "has ended")
}

// TestRequestsAreAwaitedAndVerified uses wait, verify and report on the journal of a server.
func TestRequestsAreAwaitedAndVerified(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none")
	at := func(args ...string) []string { return append(append([]string{"requests"}, args...), "--url", url) }
	waiting := s.Begin(at("wait", "--op", "book", "--timeout", "1m")...)
	s.OK("user", "+442079460020", "--url", url)
	s.OK("book", "--phone", "442079460020", "--url", url)
	require.Equal(t, cli.ExitOK, waiting.Code())
	require.Contains(t, waiting.Out.String(), "/book 200")
	require.Regexp(t, `/user 200 .*020`, s.OK(at("wait", "--op", "user", "--phone", "020", "--match", `{"body": {"/phoneNumber": "442079460020"}}`)...))
	list := clitest.Decode[struct{ Requests []struct{ Op, Phone string } }](t, s.OK(at("wait", "--count", "2", "--json")...))
	require.Equal(t, "442079460020", list.Requests[0].Phone, "as it was sent")

	out, errs, code := s.Run(at("wait", "--op", "cancel", "--phone", "020", "--timeout", "0s")...)
	require.Equal(t, []any{cli.ExitFindings, "cabrank: 0 requests fit within 0s, 1 wanted\n"}, []any{code, errs})
	require.Regexp(t, `nearest 1  .*/user 200.*\n        op: wanted cancel, got user\n`, out)
	out = s.Ends(cli.ExitFindings, at("wait", "--after", "2", "--timeout", "0s", "--json")...)
	require.Contains(t, out, `"code": "not-seen"`)

	s.Write("expect.json", `[{"op": "user"}, {"op": "book", "times": 1}, {"op": "cancel", "times": 0}]`)
	require.Equal(t, "met      1  /user: call 1\nmet      2  /book: call 2\nmet      3  /cancel: no call\n", s.OK(at("verify", "expect.json", "--in-order")...))
	require.Contains(t, s.OK(at("verify", "expect.json", "--json")...), `"verified": true`)
	s.Write("reverse.json", `{"inOrder": true, "expect": [{"op": "book"}, {"op": "user"}, {"match": {"op": "book", "body": {"/name": "Ada"}}, "times": 1}]}`)
	out, errs, code = s.Run(at("verify", "reverse.json")...)
	require.Equal(t, []any{cli.ExitFindings, "cabrank: 2 of 3 expectations are not met\n"}, []any{code, errs})
	require.Contains(t, out, "not met  2  /user: at least 1 wanted, no call\n            too early: call 1, before the calls of an earlier expectation\n")
	require.Contains(t, out, `not met  3  {"op": "book", "body": {"/name": "Ada"}}: exactly 1 wanted, no call`)
	out = s.Ends(cli.ExitFindings, at("verify", "reverse.json", "--json")...)
	require.Contains(t, out, `"earlier": [`)
	s.Ends(cli.ExitFindings, at("verify", "expect.json", "--after", "1")...)
	s.Write("odd.json", `{"expected": []}`)
	s.Write("half.json", `[`)
	s.Write("long.json", strings.Repeat(" ", 65<<10))

	require.Regexp(t, `^2 requests: 1 ok, 1 warn, 0 fail\nshould  P-02    request of 1, such as call 1: `, s.OK(at("report")...))
	require.Contains(t, s.OK(at("report", "--as", "junit")...), "<skipped")
	require.NotContains(t, s.OK(at("report", "--as", "junit", "--only-seen")...), "<skipped")
	require.Contains(t, s.Fails(cli.ExitUsage, at("report", "--only-seen")...), "go with --as html, junit or markdown")
	require.Regexp(t, "^# ", s.OK(at("report", "--as", "markdown", "--suite", "caller")...))
	s.OK(at("report", "--as", "html", "--suite", "third-party", "-o", "report.html")...)
	require.Contains(t, clitest.Read(t, "report.html"), "<html")
	require.Contains(t, s.OK(at("report", "--json")...), `"calls": 2`)
	require.Equal(t, s.OK(at("report", "--json")...), s.OK(at("report", "--as", "json")...))

	for args, want := range map[string]string{
		"wait --count 0": "--count is 0", "wait --timeout 6m": "--timeout is 6m0s, want at most 5m0s", "wait --op book --match {\"op\":\"user\"}": "--match and --op both set",
		"wait --match []": "--match is not a JSON object", "wait --rule P-O2": "did you mean P-02", "verify none.json": "none.json", "verify half.json": "half.json is not a list of expectations",
		"verify odd.json": "odd.json is not a list of expectations: /expected is not a known member", "verify long.json": "longer than 65536 bytes", "verify": "want \"cabrank requests verify FILE|-",
		"report --as pdf": "--as is \"pdf\"", "report --as html --json": "two forms", "report --suite caller": "go with --as", "report --as junit --suite nobody": "suite is \"nobody\"",
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, at(strings.Fields(args)...)...), want)
	}
}
