package console_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// vendor is a small dispatch system with a fault, or none.
func vendor(t *testing.T, fault dispatchsidetest.Fault) string {
	t.Helper()
	return serve(t, dispatchsidetest.NewVendor(fault))
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// checking is a console whose checks are called as the page calls them.
type checking struct {
	*testing.T

	console *console.Console
	url     string
}

func newChecking(t *testing.T) *checking {
	t.Helper()
	c := console.New(console.Options{Guard: func(h http.Handler) http.Handler { return h }, Now: time.Now, Version: "test"})
	t.Cleanup(func() { c.Close(context.Background()) })
	return &checking{t, c, serve(t, c)}
}

// call makes a call and returns its status and text.
func (c *checking) call(method, path, body string) (int, string) {
	c.Helper()
	answer := clitest.Send(c, method, c.url+"/console/checks"+path, body)
	return answer.Status, answer.Body
}

// start begins a check and returns its id.
func (c *checking) start(body string) string {
	c.Helper()
	status, text := c.call(http.MethodPost, "", body)
	require.Equal(c, http.StatusCreated, status, text)
	var made struct{ ID string }
	require.NoError(c, json.Unmarshal([]byte(text), &made))
	return made.ID
}

// follow reads the events of a check to their end, and returns their names and the last.
func (c *checking) follow(id string) (names map[string]int, last string) {
	c.Helper()
	_, text := c.call(http.MethodGet, "/"+id+"/events", "")
	names = map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			names[name]++
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			last = data
		}
	}
	require.NoError(c, lines.Err())
	return names, last
}

// A check of a server with a fault sends its verdicts as events, and offers its evidence and a report in each format.
// None of them contains the credentials or the phone numbers that the check used.
func TestCheckReportsItsFindings(t *testing.T) {
	c := newChecking(t)
	const secret = "correct-horse-battery"
	id := c.start(`{"url":"` + vendor(t, dispatchsidetest.Canceled) + `/","scope":"quick","auth":{"style":"bearer","secret":"` + secret + `"},"phones":["+442079460123","442079460124"]}`)
	names, last := c.follow(id)
	for _, name := range []string{"step", "progress", "verdicts", "state", "end"} {
		require.Positive(t, names[name], name)
	}
	require.Contains(t, last, `"state":"done"`)
	require.Contains(t, last, `"exit":1`)

	var everything strings.Builder
	_, all := c.call(http.MethodGet, "", "")
	_, one := c.call(http.MethodGet, "/"+id, "")
	everything.WriteString(all + one + last)
	require.Contains(t, one, `"causes":[{"message":"`)
	status, evidence := c.call(http.MethodGet, "/"+id+"/verdicts/CAN-01@cancel", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, evidence, `CANCELED`)
	require.Contains(t, evidence, `curl -sS`)
	for form, says := range map[string]string{
		"": "<!doctype html>", "run": `"cabrank-run/1"`, "json": `"CAN-01"`, "junit": "<testsuite", "markdown": "# ❌", "har": `"log"`,
	} {
		status, report := c.call(http.MethodGet, "/"+id+"/report?as="+form+"&save", "")
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, report, says, form)
		everything.WriteString(report)
	}
	for _, hidden := range []string{secret, "442079460123", "442079460124"} {
		require.NotContains(t, everything.String(), hidden)
	}
	status, _ = c.call(http.MethodGet, "/"+id+"/report?as=pdf", "")
	require.Equal(t, http.StatusBadRequest, status)
	status, _ = c.call(http.MethodGet, "/"+id+"/verdicts/NONE@book", "")
	require.Equal(t, http.StatusNotFound, status)
}

// The report is a page by itself, with a policy of its own.
func TestReportMayRunItsOwnScript(t *testing.T) {
	c := newChecking(t)
	id := c.start(`{"url":"` + vendor(t, dispatchsidetest.None) + `","scope":"reads"}`)
	c.follow(id)
	report := ask(t, c.console, http.MethodGet, "/console/checks/"+id+"/report?as=html")
	require.Equal(t, "frame-ancestors 'none'", report.Header().Get("Content-Security-Policy"))
	require.Contains(t, report.Body.String(), `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;`)
	require.Contains(t, ask(t, c.console, http.MethodGet, "/console/checks/"+id).Header().Get("Content-Security-Policy"), "script-src 'self'")
}

func TestInvalidCheckRequestsAreRefused(t *testing.T) {
	c := newChecking(t)
	for body, want := range map[string]string{
		`{"url":"file:///etc/passwd"}`:                                        `"pointer":"/url"`,
		`{"url":"ftp://127.0.0.1"}`:                                           `"pointer":"/url"`,
		`{"url":""}`:                                                          `"pointer":"/url"`,
		`{"url":"http://a:b@127.0.0.1"}`:                                      `"pointer":"/url"`,
		`{"url":"http://127.0.0.1:1/_control/v1/reset?"}`:                     `"pointer":"/url"`,
		`{"url":"http://127.0.0.1:1/#"}`:                                      `"pointer":"/url"`,
		`{"url":"https://dispatch.example"}`:                                  `"pointer":"/allowHost"`,
		`{"url":"http://192.0.2.1","allowHost":true}`:                         `"code":"target-not-allowed"`,
		`{"url":"http://[::ffff:10.0.0.1]/taxi","allowHost":true}`:            `"code":"target-not-allowed"`,
		`{"url":"http://127.0.0.1:1","scope":"half"}`:                         `"pointer":"/scope"`,
		`{"url":"http://127.0.0.1:1","auth":{"style":"digest"}}`:              `"pointer":"/auth"`,
		`{"url":"http://127.0.0.1:1","auth":{"style":"bearer","secret":" "}}`: `"pointer":"/auth"`,
		`{"url":"http://127.0.0.1:1","more":1}`:                               `"code":"malformed"`,
		`{"url":"http://127.0.0.1:1"} x`:                                      `"code":"malformed"`,
		`[`:                                                                   `"code":"malformed"`,
	} {
		status, text := c.call(http.MethodPost, "", body)
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, status, body)
		require.Contains(t, text, want, body)
	}
	status, _ := c.call(http.MethodGet, "/1", "")
	require.Equal(t, http.StatusNotFound, status)
}

// If the server is down, or refuses the credentials, the check ends before its first probe and
// says what to do.
func TestCheckOfUnreachableServerFails(t *testing.T) {
	c := newChecking(t)
	id := c.start(`{"url":"http://127.0.0.1:1"}`)
	_, last := c.follow(id)
	require.Contains(t, last, `"state":"failed"`)
	require.Contains(t, last, `"step":"TCP"`)
	status, report := c.call(http.MethodGet, "/"+id+"/report?as=markdown", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, report, "did not start")

	id = c.start(`{"url":"` + serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })) + `"}`)
	_, last = c.follow(id)
	require.Contains(t, last, `"step":"auth"`)
	require.Contains(t, last, `"cure":"`)
}

// At most two checks run at a time. A second stop does not wait for a server that never answers, and neither does the
// end of the program.
func TestConcurrentChecksAreLimitedAndStopped(t *testing.T) {
	c := newChecking(t)
	asked := make(chan struct{}, 100)
	hangs := `{"url":"` + serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or nobody would notice that the caller has gone
		asked <- struct{}{}
		<-r.Context().Done()
	})) + `"}`
	first, second := c.start(hangs), c.start(hangs)
	<-asked
	<-asked
	status, text := c.call(http.MethodPost, "", hangs)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, `"code":"busy"`)
	status, _ = c.call(http.MethodGet, "/"+first+"/report", "")
	require.Equal(t, http.StatusConflict, status)

	for range 2 {
		status, _ = c.call(http.MethodDelete, "/"+first, "")
		require.Equal(t, http.StatusOK, status)
	}
	_, last := c.follow(first)
	require.Contains(t, last, `"code":"interrupted"`)

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c.console.Close(ended)
	_, last = c.follow(second)
	require.Contains(t, last, `"state":"failed"`)
	status, _ = c.call(http.MethodPost, "", hangs)
	require.Equal(t, http.StatusServiceUnavailable, status, "none begins after the end")
}

// The number of listeners is limited.
func TestCheckEventListenersAreLimited(t *testing.T) {
	c := newChecking(t)
	id := c.start(`{"url":"` + serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})) + `"}`)
	for range 100 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/console/checks/"+id+"/events", http.NoBody)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		require.Equal(t, http.StatusOK, resp.StatusCode)
	}
	status, text := c.call(http.MethodGet, "/"+id+"/events", "")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, "too-many-listeners")
	c.call(http.MethodDelete, "/"+id, "")
	c.call(http.MethodDelete, "/"+id, "") // it is left, and all who listen hear the end
}

// The latest ten checks are kept.
func TestOldChecksAreForgotten(t *testing.T) {
	c := newChecking(t)
	var ids []string
	for range 12 {
		ids = append(ids, c.start(`{"url":"http://127.0.0.1:1"}`))
		c.follow(ids[len(ids)-1])
	}
	status, _ := c.call(http.MethodGet, "/"+ids[0], "")
	require.Equal(t, http.StatusNotFound, status)
	status, _ = c.call(http.MethodGet, "/"+ids[2], "")
	require.Equal(t, http.StatusOK, status)
}

func TestChecksRequireAuthorisation(t *testing.T) {
	c := console.New(console.Options{Guard: shut, Now: time.Now})
	for _, path := range []string{"", "/1", "/1/events", "/1/report", "/1/verdicts/CAN-01@cancel"} {
		require.Equal(t, http.StatusUnauthorized, ask(t, c, http.MethodGet, "/console/checks"+path).Code, path)
	}
}
