package query_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
)

// system returns a real dispatch system.
func system(t testing.TB) http.Handler {
	t.Helper()
	return dispatchtest.New(t, dispatchtest.Options{}).World().Service().Handler(time.Now, dispatch.HTTPOptions{})
}

// call posts to an operation and returns the answer's header.
func (l *served) call(t testing.TB, path, body string) http.Header {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer s3cret")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.Header
}

// some makes the calls that the tests of the API query: ids 1 to 4.
func (l *served) some(t testing.TB) {
	t.Helper()
	l.call(t, "/config", `{}`)
	l.call(t, "/user", `{"phoneNumber":"442079460020"}`)
	l.call(t, "/user", `{"phoneNumber":"+442079460021"}`)
	l.call(t, "/status", `{"userId":"u-0001","journeyId":"J0"}`)
}

func ids(v map[string]any) []int {
	out := []int{}
	all, _ := v["requests"].([]any)
	for _, r := range all {
		out = append(out, int(r.(map[string]any)["id"].(float64)))
	}
	return out
}

func TestAnswerHeadersHaveTheVerdict(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	h := l.call(t, "/user", `{"phoneNumber":"442079460020"}`)
	require.Equal(t, "ok", h.Get(live.VerdictHeader))
	h = l.call(t, "/user", `{"phoneNumber":"+442079460020"}`)
	require.Equal(t, "fail", h.Get(live.VerdictHeader))
	token := h.Get(live.RequestHeader)
	code, v, _ := l.ask(t, "GET", "/requests/"+token, "")
	require.Equal(t, 200, code)
	require.Equal(t, "fail", v["verdict"])
	require.Equal(t, token, v["request"])
	require.Equal(t, "442079460020", v["phone"])
	require.Equal(t, "u-0020", v["userId"], "as the answer tells")
	require.Equal(t, map[string]any{"phoneNumber": "+442079460020"}, v["sent"].(map[string]any)["body"])
	f := v["findings"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"P-05", "must", "request", "/phoneNumber"}, []any{f["rule"], f["level"], f["about"], f["pointer"]})
	require.NotEmpty(t, f["hint"])
	require.NotEmpty(t, f["clause"])
	h = l.call(t, "/bookings", `{}`)
	require.Equal(t, "fail", h.Get(live.VerdictHeader), "no operation")
}

func TestSlowAnswersAreFound(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	l := listen(t, system(t), func(o *query.Options) {
		o.Now = func() time.Time { return time.Unix(3*asked.Add(1), 0) }
	})
	l.call(t, "/config", `{}`)
	_, v, text := l.ask(t, "GET", "/requests/1", "")
	require.Equal(t, "warn", v["answerVerdict"])
	require.Contains(t, text, `"rule":"TIM-01","level":"should","about":"answer","message":"the answer took long","expected":"less than 2.5s"`)
}

func TestListsAreFiltered(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	l.some(t)
	for query, want := range map[string][]int{
		"": {1, 2, 3, 4}, "?op=user": {2, 3}, "?op=user&verdict=fail": {3}, "?phone=%2B44+20+7946+0020": {2}, "?rule=P-05": {3}, "?phone=020": {2}, "?phone=02079460020": {2}, "?phone=0207946002": {}, "?rule=p-05": {3},
		"?after=2": {3, 4}, "?after=1&limit=2": {2, 3}, "?before=4&limit=2": {2, 3}, "?before=1": {}, "?before=4&after=2": {3}, "?limit=1": {4}, "?status=404": {4}, "?status=2xx": {1, 2, 3}, "?journeyId=J0": {4}, "?userId=u-0001": {2, 4},
		"?fault=*": {}, "?since=2999-01-01T00:00:00Z": {}, "?answerVerdict=ok&op=config": {1},
	} {
		code, v, text := l.ask(t, "GET", "/requests"+query, "")
		require.Equal(t, 200, code, text)
		if query == "?userId=u-0001" { // /user may have told of another
			continue
		}
		require.Equal(t, want, ids(v), query)
	}
	_, v, _ := l.ask(t, "GET", "/requests?after=1&limit=2", "")
	require.Equal(t, []any{true, 3.0}, []any{v["more"], v["last"]})
	code, _, _ := l.ask(t, "DELETE", "/requests", "")
	require.Equal(t, 204, code)
	_, v, _ = l.ask(t, "GET", "/requests", "")
	require.Empty(t, ids(v))
	l.call(t, "/config", `{}`)
	_, v, _ = l.ask(t, "GET", "/requests?after=4", "")
	require.Equal(t, []int{5}, ids(v), "ids go on")
}

func TestInvalidQueriesAreRefusedWithAPointer(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	for _, c := range []struct {
		method, path, body string
		code               int
		pointer            string
	}{
		{"GET", "/requests?op=fly", "", 422, "op"},
		{"GET", "/requests?colour=red", "", 422, "colour"},
		{"GET", "/requests?limit=0", "", 422, "limit"},
		{"GET", "/requests?since=noon", "", 422, "since"},
		{"GET", "/requests?op=book&op=user", "", 422, "op"},
		{"GET", "/requests?rule=NOPE", "", 422, "rule"},
		{"GET", "/requests/99", "", 404, ""},
		{"GET", "/requests/x?as=png", "", 404, ""},
		{"GET", "/nothing", "", 404, ""},
		{"PUT", "/requests", "", 405, ""},
		{"POST", "/requests/find", `{"match":{"op":"fly"}}`, 422, "/match/op"},
		{"POST", "/requests/find", `{"match":{"op":7}}`, 422, "/match/op"},
		{"POST", "/requests/wait", `{"match":{"rule":"P-999"}}`, 422, "/match/rule"},
		{"POST", "/requests/find", `{"match":{"colour":"red"}}`, 422, "/match/colour"},
		{"POST", "/requests/find", `{"match":{"body":{"name":"x"}}}`, 422, "/match/body/name"},
		{"POST", "/requests/find", `{"match":{"body":"x"}}`, 422, "/match/body"},
		{"POST", "/requests/find", `{"match":{"status":"6xx"}}`, 422, "/match/status"},
		{"POST", "/requests/find", `{"match":[]}`, 422, "/match"},
		{"POST", "/requests/find", `{"macht":{}}`, 422, "/macht"},
		{"POST", "/requests/find", `{"match":{}`, 400, ""},
		{"POST", "/requests/find", `{"match":{"op":"book","op":"user"}}`, 400, ""},
		{"POST", "/requests/find", `{"limit":"x"}`, 422, "/limit"},
		{"POST", "/requests/find", strings.Repeat(" ", 70<<10), 413, ""},
		{"POST", "/requests/wait", `{"timeout":"ages"}`, 422, "/timeout"},
		{"POST", "/requests/wait", `{"timeout":"1h"}`, 422, "/timeout"},
		{"POST", "/requests/wait", `{"timeout":5}`, 422, "/timeout"},
		{"POST", "/requests/wait", `{"count":0}`, 422, "/count"},
		{"POST", "/verify", `{}`, 422, "/expect"},
		{"POST", "/verify", `{"expect":[{"times":-1}]}`, 422, "/expect/0/times"},
		{"POST", "/verify", `{"expect":[{"times":{"atLeast":3,"atMost":1}}]}`, 422, "/expect/0/times"},
		{"POST", "/verify", `{"expect":[{"op":"user"},{"op":"fly"}]}`, 422, "/expect/1/op"},
		{"POST", "/verify", `{"expect":[{"match":{"rule":"P05"},"times":0}]}`, 422, "/expect/0/match/rule"},
		{"GET", "/report?as=pdf", "", 422, "as"},
		{"GET", "/report?suite=no", "", 422, "suite"},
	} {
		code, v, text := l.ask(t, c.method, c.path, c.body)
		require.Equal(t, c.code, code, "%s %s %.60s: %s", c.method, c.path, c.body, text)
		require.NotEmpty(t, v["detail"])
		require.NotContains(t, v["detail"], "absent")
		if c.pointer != "" {
			require.Equal(t, c.pointer, v["errors"].([]any)[0].(map[string]any)["pointer"], text)
		}
	}
	_, v, text := l.ask(t, "POST", "/requests/find", `{"limit":"x","brief":3,"macht":{}}`)
	require.Len(t, v["errors"], 3, text)
}

func TestFindAndCountApplyTheMatch(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	l.some(t)
	for match, want := range map[string]int{
		`{}`: 4, `{"op":"user"}`: 2, `{"body":{"/phoneNumber":"+442079460021"}}`: 1, `{"body":{"/phoneNumber":442079460021}}`: 0,
		`{"op":"status","without":["/phoneNumber"]}`: 1, `{"status":404}`: 1, `{"status":"4xx"}`: 1, `{"verdict":"fail"}`: 1,
		`{"answer":{"/status":"OK"}}`: 1, `{"answer":{"/eta/value":2.0}}`: 1, `{"phone":"442079460020","op":"user"}`: 1,
	} {
		_, v, text := l.ask(t, "POST", "/requests/count", `{"match":`+match+`}`)
		require.EqualValues(t, want, v["count"], "%s: %s", match, text)
		_, v, _ = l.ask(t, "POST", "/requests/find", `{"match":`+match+`}`)
		require.Len(t, ids(v), want)
	}
}

func TestWaitTimeoutReportsNearestRequests(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	l.some(t)
	code, v, text := l.ask(t, "POST", "/requests/wait", `{"match":{"op":"user","body":{"/phoneNumber":"442079460099"}},"timeout":"1ms"}`)
	require.Equal(t, 408, code, text)
	require.EqualValues(t, 0, v["count"])
	nearest := v["nearest"].([]any)
	require.Len(t, nearest, 3)
	first := nearest[0].(map[string]any)
	require.EqualValues(t, 3, first["request"].(map[string]any)["id"], "the newest of two that differ alike")
	require.Equal(t, []any{map[string]any{
		"pointer": "/match/body/~1phoneNumber", "term": "body /phoneNumber", "expected": `"442079460099"`, "got": `"+442079460021"`,
	}}, first["differences"])
}

func TestVerifyComparesExpectations(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	l.some(t)
	for body, want := range map[string]int{
		`{"expect":[{"op":"config"},{"op":"user","times":2},{"op":"book","times":0}]}`:                                  200,
		`{"expect":[{"op":"user","times":1}]}`:                                                                          409,
		`{"expect":[{"op":"user","times":{"atLeast":1,"atMost":2}}]}`:                                                   200,
		`{"expect":[{"op":"user","times":{"atLeast":3}}]}`:                                                              409,
		`{"inOrder":true,"expect":[{"op":"config"},{"op":"user"},{"op":"status"}]}`:                                     200,
		`{"inOrder":true,"expect":[{"op":"status"},{"op":"config"}]}`:                                                   409,
		`{"inOrder":true,"expect":[{"op":"user","match":{"phone":"442079460021"}},{"match":{"phone":"442079460020"}}]}`: 409,
		`{"after":1,"expect":[{"op":"config","times":0}]}`:                                                              200,
	} {
		code, v, text := l.ask(t, "POST", "/verify", body)
		require.Equal(t, want, code, "%s: %s", body, text)
		if code == 200 {
			require.Equal(t, true, v["verified"])
			continue
		}
		require.NotEmpty(t, v["failed"].([]any)[0].(map[string]any)["want"])
	}
	_, v, _ := l.ask(t, "POST", "/verify", `{"inOrder":true,"expect":[{"op":"user","times":2},{"op":"config"}]}`)
	require.Equal(t, []any{1.0}, v["failed"].([]any)[0].(map[string]any)["earlier"], "it was there, but before")
	_, v, _ = l.ask(t, "POST", "/verify", `{"expect":[{"op":"book","match":{"phone":"442079460020"}}]}`)
	nearest := v["failed"].([]any)[0].(map[string]any)["nearest"].([]any)
	require.Len(t, nearest, 3)
	_, v, _ = l.ask(t, "POST", "/verify", `{"expect":[{"op":"user","times":1},{"op":"config","times":0}]}`)
	for i, want := range []any{[]any{2.0, 3.0}, []any{1.0}} {
		require.Equal(t, want, v["failed"].([]any)[i].(map[string]any)["found"], "the ids of what is too much")
	}
}

func TestCallIsExportedAsCurlHTTPAndHAR(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	l.call(t, "/user", `{"phoneNumber":"442079460020", "data":{"a'b":"é"}}`)
	_, _, curl := l.ask(t, "GET", "/requests/1?as=curl", "")
	require.Contains(t, curl, "curl -sS -X POST '"+l.url+"/user'")
	require.Contains(t, curl, `442079460020`)
	_, _, text := l.ask(t, "GET", "/requests/1?as=http", "")
	require.Regexp(t, `(?s)^POST /user HTTP/1.1\r\nHost: .*\r\n\r\n\{"phoneNumber":"442079460020", .*HTTP/1.1 200 OK\r\n`, text)
	_, har, _ := l.ask(t, "GET", "/requests/1?as=har", "")
	require.Len(t, har["log"].(map[string]any)["entries"], 1)
	for _, as := range []string{"json", "curl", "http", "har"} {
		_, _, plain := l.ask(t, "GET", "/requests/1?as="+as, "")
		require.NotContains(t, plain, "s3cret", "credentials are told nobody")
		_, _, masked := l.ask(t, "GET", "/requests/1?masked=true&as="+as, "")
		require.NotContains(t, masked, "442079460020", as)
	}
}

func TestReportIsWrittenInEveryFormat(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	l.some(t)
	_, v, text := l.ask(t, "GET", "/report", "")
	require.EqualValues(t, 4, v["calls"], text)
	require.EqualValues(t, 1, v["verdicts"].(map[string]any)["fail"])
	rule := v["rules"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"P-05", "must", 1.0, []any{3.0}}, []any{rule["rule"], rule["level"], rule["calls"], rule["examples"]})
	for as, want := range map[string]string{"junit": `<testsuites`, "html": "<!doctype html>", "har": `"entries"`} {
		for _, suite := range []string{"caller", "third-party"} {
			code, _, text := l.ask(t, "GET", "/report?as="+as+"&suite="+suite, "")
			require.Equal(t, 200, code)
			require.Contains(t, strings.ToLower(text), want)
			require.NotContains(t, text, "442079460020", "numbers are pseudonyms")
		}
	}
}

// TestReportFormatsAgreeOnFailures checks that the forms of a report agree: a warning fails neither JSON, JUnit nor HTML, and
// a failed MUST fails JUnit and Markdown; and that onlySeen omits skipped checks from JUnit.
func TestReportFormatsAgreeOnFailures(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	l.call(t, "/user", `{"phoneNumber":"442079460020"}`)
	_, v, text := l.ask(t, "GET", "/report", "")
	rule := v["rules"].([]any)[0].(map[string]any)
	require.Equal(t, []any{0.0, "P-02", "should"}, []any{v["verdicts"].(map[string]any)["fail"], rule["rule"], rule["level"]}, text)
	_, _, junit := l.ask(t, "GET", "/report?as=junit", "")
	require.Zero(t, strings.Count(junit, `failures="1"`))
	require.Zero(t, strings.Count(junit, "<failure"))
	_, _, html := l.ask(t, "GET", "/report?as=html", "")
	require.Zero(t, strings.Count(html, "✗ P-02"))
	l.call(t, "/user", `{"phoneNumber":"+442079460020"}`)
	_, _, junit = l.ask(t, "GET", "/report?as=junit", "")
	require.Contains(t, junit, `failures="1"`, "P-05 is a MUST")
	require.Contains(t, junit, "<skipped")
	for _, seen := range []string{"onlySeen", "onlySeen=true"} {
		_, _, short := l.ask(t, "GET", "/report?as=junit&"+seen, "")
		require.NotContains(t, short, "<skipped")
		require.Contains(t, short, `failures="1"`)
	}
	_, _, whole := l.ask(t, "GET", "/report?as=junit&onlySeen=false", "")
	require.Contains(t, whole, "<skipped")
	for _, query := range []string{"as=junit&onlySeen=perhaps", "as=json&onlySeen", "as=har&onlySeen=true", "onlySeen=false"} {
		wrong, _, said := l.ask(t, "GET", "/report?"+query, "")
		require.Equal(t, 422, wrong, query)
		require.Contains(t, said, "onlySeen")
	}
	code, _, markdown := l.ask(t, "GET", "/report?as=markdown", "")
	require.Equal(t, 200, code)
	require.Regexp(t, `^# ❌ `, markdown)
	require.Contains(t, markdown, "P-05")
	require.NotContains(t, markdown, "2079460020", "numbers are pseudonyms")
	_, _, markdown = l.ask(t, "GET", "/report?as=markdown&suite=third-party", "")
	require.NotContains(t, markdown, "P-05")
}

// TestEventStreamSendsCallsAndResumes checks that the event stream sends calls as they come, resumes after Last-Event-ID, and
// reports calls that are no longer stored as a gap.
func TestEventStreamSendsCallsAndResumes(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), func(o *query.Options) { o.Most = 4 })
	l.call(t, "/config", `{}`)
	events := func(path, last string) func() string {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.api+path, nil)
		require.NoError(t, err)
		req.Header.Set("Last-Event-ID", last)
		if last == "" {
			req.Header.Del("Last-Event-ID")
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
		lines := bufio.NewScanner(resp.Body)
		return func() string {
			var event []string
			for lines.Scan() {
				switch {
				case lines.Text() == "" && len(event) > 0:
					return strings.Join(event, "|")
				case !strings.HasPrefix(lines.Text(), ":") && lines.Text() != "":
					event = append(event, lines.Text())
				}
			}
			return ""
		}
	}
	next := events("/requests?follow&op=user&brief", "")
	l.some(t)
	require.Regexp(t, `^id: 3\|event: request\|data: \{"id":3,.*"op":"user"`, next())
	require.Regexp(t, `^id: 4\|.*"P-05"`, next())
	later := events("/requests/stream?brief", "1")
	require.Regexp(t, `^id: 2\|`, later())
	for range 3 {
		l.call(t, "/config", `{}`)
	}
	gap := events("/requests/stream?brief&op=status", "1")
	require.Equal(t, `event: gap|data: {"missed":3}`, gap())
	require.Regexp(t, `^id: 5\|`, gap())
}

// TestARuleIsExplained checks that a rule of each suite is explained, in whichever case its id is written, and
// that an unknown one is answered 404.
func TestARuleIsExplained(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	for id, about := range map[string]string{"P-05": "request", "p-05": "request", "BOK-01": "answer"} {
		code, v, text := l.ask(t, "GET", "/rules/"+id, "")
		require.Equal(t, 200, code, text)
		require.Equal(t, strings.ToUpper(id), v["id"])
		require.Equal(t, about, v["about"])
		require.NotEmpty(t, v["requirement"])
		require.NotEmpty(t, v["why"])
	}
	code, v, _ := l.ask(t, "GET", "/rules/NONE-1", "")
	require.Equal(t, 404, code)
	require.Equal(t, "no-such-rule", v["code"])
}
