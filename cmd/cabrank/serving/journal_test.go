package serving

import (
	"bufio"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/control"
)

// kept returns the calls that the journal of a world has.
func kept(t *testing.T, url string) []struct{ Op, URL, Verdict string } {
	t.Helper()
	return clitest.Decode[struct {
		Requests []struct{ Op, URL, Verdict string }
	}](t, clitest.Get(t, url+control.Prefix+"/requests").Body).Requests
}

// TestRequestsAreKeptAndJudged sends requests to the main world and to a sandbox, which have a
// journal each.
func TestRequestsAreKeptAndJudged(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none")
	header := clitest.Post(t, url+"/user", `{"phoneNumber":"+442079460020"}`).Header
	require.Equal(t, "fail", header.Get("X-Cabrank-Verdict"))
	require.Equal(t, 201, clitest.Post(t, url+control.Prefix+"/sandboxes", `{"name":"one"}`).Status)
	header = clitest.Post(t, url+"/s/one/config", `{}`).Header
	require.Equal(t, "ok", header.Get("X-Cabrank-Verdict"))
	inside := kept(t, url+"/s/one")
	require.Len(t, inside, 1)
	require.Equal(t, url+"/s/one/config", inside[0].URL)
	require.Len(t, kept(t, url), 1)
	require.Contains(t, clitest.Get(t, url+"/s/one"+control.Prefix+"/report?as=junit").Body, `name="cabrank check `+url+`/s/one"`)
	require.Contains(t, clitest.Get(t, url+control.Prefix+"/report?as=junit").Body, `name="cabrank check `+url+`"`)
	require.Contains(t, clitest.Post(t, url+control.Prefix+"/verify", `{"expect":[{"op":"user","match":{"verdict":"fail"},"times":1}]}`).Body, `"verified":true`)
	for range 3 {
		clitest.Post(t, url+"/config", `{}`)
	}
	require.Len(t, kept(t, url), 4)
	metrics := clitest.Get(t, url+"/metrics").Body
	require.Contains(t, metrics, "\ncabrank_journal_calls 4\n")
	require.Contains(t, metrics, `cabrank_journal_verdicts{about="request",verdict="fail"} 1`)
	reset := clitest.Post(t, url+control.Prefix+"/reset", `{}`).Body
	require.Empty(t, kept(t, url), reset)
}

// TestAServerWithListenersStopsAtOnce stops a server with an open event stream, which gets no
// more events.
func TestAServerWithListenersStopsAtOnce(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+control.Prefix+"/requests/stream", nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	require.True(t, lines.Scan())
	require.Contains(t, stop(), "every request was answered")
	for lines.Scan() {
		require.Empty(t, lines.Text())
	}
}

func TestFlagsOfTheJournal(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none", "--no-journal")
	header := clitest.Post(t, url+"/config", `{}`).Header
	require.Empty(t, header.Get("X-Cabrank-Verdict"))
	counted := clitest.Post(t, url+control.Prefix+"/requests/count", `{}`)
	require.Equal(t, 404, counted.Status)
	require.Contains(t, counted.Body, "keeps no journal")
}

// TestOrdersForLaterAreNotKept expects a message about them when a server with a database stops.
func TestOrdersForLaterAreNotKept(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--db", "taxis.db")
	calls := url + control.Prefix
	for range 2 {
		require.Equal(t, 200, clitest.Post(t, calls+"/journeys/next/script", `{"steps":[{"to":"ACCEPTED"}]}`).Status)
	}
	require.Equal(t, 200, clitest.Post(t, calls+"/journeys/latest/hold", ``).Status)
	require.Contains(t, clitest.Get(t, calls+"/").Body, `"orders":{"held":1,"scripted":0,"scripts":2,"offDuty":0}`)
	require.Contains(t, stop(), "is on disk; what was ordered for later is not: 1 journey held, 2 scripts for bookings to come")
	url, stop = s.Serve("--town", "none", "--db", "taxis.db")
	require.Contains(t, clitest.Get(t, url+control.Prefix+"/").Body, `"orders":{"held":0,"scripted":0,"scripts":0,`)
	require.NotContains(t, stop(), "ordered for later")
}

// TestCallsHaveBothTimes reads a call in a world that runs fast.
func TestCallsHaveBothTimes(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none", "--speed", "10000")
	clitest.Post(t, url+"/config", `{}`)
	call := clitest.Decode[struct{ Wall, At time.Time }](t, clitest.Get(t, url+control.Prefix+"/requests/1").Body)
	require.True(t, call.At.After(call.Wall), "%v %v", call.Wall, call.At)
}
