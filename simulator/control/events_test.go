package control_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// heard is an event as it is read.
type heard struct{ id, name, data string }

// stream is what a listener reads.
type stream struct {
	*rig

	body  io.ReadCloser
	lines *bufio.Scanner
}

// listen opens an event stream, after an event if one is named.
func (r *rig) listen(query, since string) *stream {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, r.url+control.Prefix+"/events"+query, nil)
	require.NoError(r, err)
	if since != "" {
		req.Header.Set("Last-Event-ID", since)
	}
	resp, err := r.http.Client().Do(req)
	require.NoError(r, err)
	require.Equal(r, http.StatusOK, resp.StatusCode)
	require.Equal(r, "text/event-stream", resp.Header.Get("Content-Type"))
	s := &stream{r, resp.Body, bufio.NewScanner(resp.Body)}
	r.Cleanup(func() { _ = resp.Body.Close() })
	return s
}

// next reads the next event; false: there are no more.
func (s *stream) next() (e heard, more bool) {
	for s.lines.Scan() {
		name, value, _ := strings.Cut(s.lines.Text(), ": ")
		switch {
		case name == "id":
			e.id = value
		case name == "event":
			e.name = value
		case name == "data":
			e.data = value
		case name == "" && e.name != "":
			return e, true
		}
	}
	return e, false
}

// until reads up to an event of a name.
func (s *stream) until(name string) (all []heard) {
	s.Helper()
	for {
		e, more := s.next()
		require.True(s, more, "it ended before %s, after %v", name, all)
		if all = append(all, e); e.name == name {
			return all
		}
	}
}

func TestEventStreamReportsChanges(t *testing.T) {
	r := newRig(t, still(), host.Deps{People: []fixtures.Person{}})
	s := r.listen("", "")
	j, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)
	do[control.Advanced](r, "POST", "/clock/advance", `{"until":{"journey":"latest","status":"ARRIVED"}}`)
	told := s.until("clock")
	require.Len(t, told, 5)
	for i, want := range []taxi.Status{taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived} {
		var c control.Change
		require.NoError(t, json.Unmarshal([]byte(told[i].data), &c))
		require.Equal(t, "journey", told[i].name)
		require.Equal(t, want, c.To)
		require.Equal(t, j.JourneyID, c.JourneyID)
	}
	var clock control.Clock
	require.NoError(t, json.Unmarshal([]byte(told[4].data), &clock))
	require.Equal(t, do[control.Clock](r, "GET", "/clock", ""), clock)

	do[map[string]any](r, "POST", "/faults", `{"match":{"op":"config"},"do":{"kind":"status","status":503,"retryAfter":"30s"},"window":{"times":1}}`)
	require.Contains(t, s.until("fault")[0].data, `"what":"added"`)

	again := r.listen("?types=journey", told[1].id)
	require.Equal(t, told[2:3], again.until("journey"))

	require.NoError(t, r.Host().World().Clock().SetSpeed(7))
	r.ClockSet()
	require.Contains(t, s.until("clock")[0].data, `"speed":7`, "a demo sets it without a call")
}

func TestEventStreamResumesAfterLastEventID(t *testing.T) {
	r := newRig(t, still(), host.Deps{People: []fixtures.Person{}})
	s := r.listen("", "")
	_, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)
	do[control.Advanced](r, "POST", "/clock/advance", `{"by":"2h"}`)
	all := s.until("clock")
	require.NoError(t, s.body.Close())
	do[control.Clock](r, "PUT", "/clock", `{"callers":"wall"}`)

	back := r.listen("", all[0].id).until("clock")
	require.Equal(t, all[1:], back, "what came since")
	back = r.listen("?types=clock&since="+all[0].id, "").until("clock")
	require.Equal(t, all[len(all)-1:], back)
	foreign := r.listen("", "999999").until("missed")
	require.JSONEq(t, `{"since":999999}`, foreign[0].data)

	for range 1100 {
		do[control.Clock](r, "PUT", "/clock", `{}`)
	}
	require.Equal(t, "missed", r.listen("", all[0].id).until("clock")[0].name)
	for _, query := range []string{"?vehicles=yes", "?types=journeys", "?since=x", "?colour=red"} {
		r.refused("GET", "/events"+query, "", 422)
	}
}

// TestEventStreamSurvivesResetAndEndsWithSandbox checks that an event stream reports a reset and what happens
// after it, and ends with the sandbox.
func TestEventStreamSurvivesResetAndEndsWithSandbox(t *testing.T) {
	main := newRig(t, still(), host.Deps{})
	do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"a"}`)
	r := main.at("/s/a")
	s := r.listen("", "")
	do[control.Overview](r, "POST", "/reset", `{"to":"empty"}`)
	s.until("world")
	_, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)
	s.until("journey")
	main.send("DELETE", "/sandboxes/a", "")
	require.JSONEq(t, `{"reason":"the sandbox has ended"}`, s.until("end")[0].data)
	_, more := s.next()
	require.False(t, more)
}

// TestEventsBeforeAResetAreNotReplayed checks that a stream that is opened after a reset starts at
// the new world; if the event after which it resumes is no longer stored, it reports missed
// first.
func TestEventsBeforeAResetAreNotReplayed(t *testing.T) {
	r := newRig(t, still(), host.Deps{People: []fixtures.Person{}})
	s := r.listen("", "")
	_, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)
	old := s.until("journey")
	do[control.Overview](r, "POST", "/reset", `{}`)
	anew := s.until("world")
	do[control.Clock](r, "PUT", "/clock", `{}`)

	require.Equal(t, anew[len(anew)-1], r.listen("?since=0", "").until("clock")[0], "the world begins what is told")
	back := r.listen("", old[0].id).until("clock")
	require.Equal(t, "world", back[len(back)-2].name)
	for range 1100 {
		do[control.Clock](r, "PUT", "/clock", `{}`)
	}
	back = r.listen("", old[0].id).until("clock")
	require.Equal(t, "missed", back[0].name)
	require.Equal(t, anew[len(anew)-1], back[1], "also long after")
}

// slow is a response writer that waits until the test lets it write.
type slow struct {
	http.ResponseWriter

	reading, let chan struct{}
	once         sync.Once
	text         strings.Builder
}

func (s *slow) Write(text []byte) (int, error) {
	s.once.Do(func() { close(s.reading) })
	<-s.let
	return s.text.Write(text)
}

func (*slow) Flush() {}

// TestASlowListenerIsDropped checks that an event stream ends if more events occur than its
// client reads.
func TestASlowListenerIsDropped(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	s := &slow{ResponseWriter: httptest.NewRecorder(), reading: make(chan struct{}), let: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, control.Prefix+"/events", nil)
		req.Host = "localhost"
		r.ServeHTTP(s, req)
	}()
	<-s.reading
	for range 1100 {
		do[control.Clock](r, "PUT", "/clock", `{}`)
	}
	close(s.let)
	<-ended
	require.True(t, strings.HasSuffix(s.text.String(), "event: end\ndata: {\"reason\":\"more events came than were read\"}\n\n"))
	require.Greater(t, strings.Count(s.text.String(), "event: clock"), 1000)
}

func TestEventStreamReportsVehiclePositions(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	var p control.Positions
	require.NoError(t, json.Unmarshal([]byte(r.listen("?vehicles=1", "").until("vehicles")[0].data), &p))
	require.Len(t, p.Vehicles, 5)
	require.Equal(t, monday, p.At)
	require.NotEmpty(t, p.Vehicles[0].ID)
	require.NotZero(t, p.Vehicles[0].Location)
	require.Equal(t, "free", p.Vehicles[0].State)

	often := r.listen("?vehicles=1&every=200ms", "")
	for range 3 {
		often.until("vehicles")
	}
	for _, query := range []string{"?every=100ms", "?every=11s", "?every=1"} {
		require.Contains(t, r.refused("GET", "/events"+query, "", 422).Detail, "want 200ms to 10s")
	}
}

func TestEventStreamsEndWhenTheServerStops(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	s := r.listen("?vehicles=1", "")
	r.Quit()
	told := s.until("end")
	require.JSONEq(t, `{"reason":"the server stops"}`, told[len(told)-1].data)
}
