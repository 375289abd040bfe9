package serving

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// kept returns the calls that the journal of a world has.
func kept(t *testing.T, url string) []struct{ Op, URL, Verdict string } {
	t.Helper()
	return clitest.Decode[struct {
		Requests []struct{ Op, URL, Verdict string }
	}](t, clitest.Get(t, url+control.Prefix+"/requests").Body).Requests
}

// TestJournalRecordsAndJudgesRequests sends requests to the main world and to a sandbox, which have a
// journal each.
func TestJournalRecordsAndJudgesRequests(t *testing.T) {
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

// TestServerStopsDespiteOpenStreams stops a server with an open event stream, which gets no
// more events.
func TestServerStopsDespiteOpenStreams(t *testing.T) {
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

// TestStopReportsOrdersThatAreNotStored checks that a server with a database says when it stops which holds and scripts are
// not stored, and that they are gone after a restart.
func TestStopReportsOrdersThatAreNotStored(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--town", "none", "--db", "taxis.db")
	calls := url + control.Prefix
	for range 2 {
		require.Equal(t, 200, clitest.Post(t, calls+"/journeys/next/script", `{"steps":[{"to":"ACCEPTED"}]}`).Status)
	}
	held := clitest.Decode[control.JourneyList](t, clitest.Get(t, calls+"/journeys").Body).Journeys[0].JourneyID
	require.Equal(t, 200, clitest.Post(t, calls+"/journeys/"+string(held)+"/hold", ``).Status)
	require.Contains(t, clitest.Get(t, calls+"/").Body, `"orders":{"held":1,"scripted":0,"scripts":2,"offDuty":0}`)
	require.Contains(t, stop(), "is on disk; what was ordered for later is not: 1 journey held, 2 scripts for bookings to come")
	url, stop = s.Serve("--town", "none", "--db", "taxis.db")
	require.Contains(t, clitest.Get(t, url+control.Prefix+"/").Body, `"orders":{"held":0,"scripted":0,"scripts":0,`)
	require.NotContains(t, stop(), "ordered for later")
}

// TestRequestsHaveWallAndWorldTimes checks that a request in the journal has its time by the wall clock and by the world's
// clock.
func TestRequestsHaveWallAndWorldTimes(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none", "--speed", "10000")
	clitest.Post(t, url+"/config", `{}`)
	call := clitest.Decode[struct{ Wall, At time.Time }](t, clitest.Get(t, url+control.Prefix+"/requests/1").Body)
	require.True(t, call.At.After(call.Wall), "%v %v", call.Wall, call.At)
}

// journalOf returns the requests of a journal, whole, by id.
func journalOf(t *testing.T, url, token string) (requests []string, last int) {
	t.Helper()
	answer := clitest.Send(t, http.MethodGet, url+control.Prefix+"/requests", "", withToken(token))
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
	type id struct{ ID int }
	for _, text := range clitest.Decode[struct{ Requests []json.RawMessage }](t, answer.Body).Requests {
		requests, last = append(requests, string(text)), clitest.Decode[id](t, string(text)).ID
	}
	return requests, last
}

func withToken(token string) func(*http.Request) {
	return func(r *http.Request) {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}
}

// someRequests sends requests with several verdicts, and as the last one a booking, which
// waits until those before it are stored.
func someRequests(t *testing.T, s *clitest.Shell, url string) {
	t.Helper()
	for _, body := range []string{`{"phoneNumber":"442079460020"}`, `{"phoneNumber":"+442079460020"}`, `{`, ""} {
		clitest.Post(t, url+"/user", body, withToken("s3cret"))
	}
	s.OK("book", "--url", url)
	clitest.Send(t, http.MethodPut, url+"/elsewhere?key=s3cret", "{}")
}

// TestAKeptJournalOutlivesAKill checks that a kept journal is complete after a kill and after a stop. A copy of the
// databases of a running server stands for the kill.
func TestAKeptJournalOutlivesAKill(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--db", "taxis.db", "--keep-journal", "--keep-sandboxes")
	require.Equal(t, http.StatusCreated, clitest.Post(t, url+control.Prefix+"/sandboxes", `{"name":"ann"}`).Status)
	before := map[string][]string{}
	for _, world := range []string{"", "/s/ann"} {
		someRequests(t, s, url+world)
		before[world], _ = journalOf(t, url+world, "")
		require.Len(t, before[world], 6)
		s.OK("book", "--url", url+world, "--phone", "+442079460021")
	}
	killed := t.TempDir()
	require.NoError(t, os.CopyFS(killed, os.DirFS(s.Dir)))
	stop()
	for name, db := range map[string]string{"killed": filepath.Join(killed, "taxis.db"), "stopped": "taxis.db"} {
		url, stop := s.Serve("--db", db, "--keep-journal", "--keep-sandboxes")
		for world, before := range before {
			now, last := journalOf(t, url+world, "")
			require.GreaterOrEqual(t, len(now), len(before), name+world)
			require.Equal(t, before, now[:len(before)], name+world)
			clitest.Post(t, url+world+"/config", "{}")
			after, next := journalOf(t, url+world, "")
			require.Len(t, after, len(now)+1)
			require.Equal(t, last+1, next)
		}
		require.Equal(t, http.StatusOK, clitest.Post(t, url+control.Prefix+"/reset", `{"keep":["journal"]}`).Status)
		require.Equal(t, http.StatusOK, clitest.Post(t, url+"/s/ann"+control.Prefix+"/reset", `{}`).Status)
		kept, _ := journalOf(t, url, "")
		stop()

		url, stop = s.Serve("--db", db, "--keep-journal", "--keep-sandboxes")
		again, _ := journalOf(t, url, "")
		require.Equal(t, kept, again, "they are in the records that replaced the first ones")
		again, _ = journalOf(t, url+"/s/ann", "")
		require.Empty(t, again)
		stop()
	}
	url, stop = s.Serve("--db", "taxis.db")
	found, _ := journalOf(t, url, "")
	require.Empty(t, found, "without the flag")
	stop()
}

// TestAKeptJournalMovesWithItsWorld checks that a kept journal moves with its world to another replica when the first
// one stops.
func TestAKeptJournalMovesWithItsWorld(t *testing.T) {
	s := newParallelShell(t)
	flags := []string{"--db", postgrestest.URL(t), "--keep-journal", "--control-token", "s3cret"}
	first, stop := s.Serve(flags...)
	second, _ := s.Serve(flags...)
	require.Equal(t, http.StatusCreated, clitest.Post(t, first+control.Prefix+"/sandboxes", `{"name":"ann"}`, withToken("s3cret")).Status)
	before := map[string][]string{}
	for _, world := range []string{"", "/s/ann"} {
		someRequests(t, s, first+world)
		before[world], _ = journalOf(t, first+world, "s3cret")
		require.Len(t, before[world], 6)
	}
	stop()
	for world, before := range before {
		require.Eventually(t, func() bool { // the world is moving
			answer := clitest.Send(t, http.MethodGet, second+world+control.Prefix+"/clock", "", withToken("s3cret"))
			return answer.Status != http.StatusServiceUnavailable
		}, notForEver, 10*time.Millisecond, "the world does not move")
		now, last := journalOf(t, second+world, "s3cret")
		require.Equal(t, before, now)
		clitest.Post(t, second+world+"/config", "{}")
		_, next := journalOf(t, second+world, "s3cret")
		require.Equal(t, last+1, next)
	}
}
