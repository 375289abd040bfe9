package fault_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

func isReset(t *testing.T, r reply) {
	t.Helper()
	require.ErrorIs(t, r.err, syscall.ECONNRESET)
}

func isEnd(t *testing.T, r reply) {
	t.Helper()
	require.True(t, errors.Is(r.err, io.EOF) || errors.Is(r.err, io.ErrUnexpectedEOF), "%v", r.err)
}

// TestFaultsReachTheClientOverHTTP checks what a client receives over a real connection when a
// fault hits its booking, and how many bookings dispatch has afterwards.
func TestFaultsReachTheClientOverHTTP(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		do     string // without its braces
		made   int    // bookings that there are then
		header bool   // the answer names the rule
		meets  func(*testing.T, reply)
	}{
		{`"kind":"close","reset":true`, 0, false, isReset},
		{`"kind":"close"`, 0, false, isEnd},
		{`"kind":"close","part":"response","reset":true`, 1, false, isReset},
		{`"kind":"close","part":"headers","reset":true`, 1, true, func(t *testing.T, r reply) {
			require.Equal(t, 200, r.status)
			require.Empty(t, r.body)
			isReset(t, r)
		}},
		{`"kind":"close","part":"body","reset":true`, 1, true, func(t *testing.T, r reply) {
			require.Equal(t, 200, r.status)
			require.NotEmpty(t, r.body)
			isReset(t, r)
		}},
		{`"kind":"hang","for":"5m"`, 0, false, isEnd},
		{`"kind":"delay","for":"9s"`, 1, true, isWhole},
		{`"kind":"dribble","part":"headers"`, 1, true, isWhole},
		{`"kind":"dribble"`, 1, true, isWhole},
		{`"kind":"dribble","rate":300`, 1, true, isWhole},
		{`"kind":"close","part":"end"`, 1, true, isWhole},
		{`"kind":"close","part":"body"`, 1, true, isEnd},
		{`"kind":"close","part":"body","bytes":7`, 1, true, func(t *testing.T, r reply) {
			require.Len(t, r.body, 7)
			isEnd(t, r)
		}},
		{`"kind":"wrong-length"`, 1, true, isEnd},
		{`"kind":"wrong-length","bytes":-3`, 1, true, func(t *testing.T, r reply) {
			require.NoError(t, r.err)
			require.False(t, json.Valid(r.body), "%s", r.body)
		}},
		{`"kind":"garbage"`, 1, false, func(t *testing.T, r reply) { require.ErrorContains(t, r.err, "malformed HTTP") }},
		{`"kind":"garbage","form":"chunk"`, 1, true, func(t *testing.T, r reply) { require.ErrorContains(t, r.err, "invalid byte in chunk length") }},

		{`"kind":"status","status":404`, 0, true, refusedWith(404, taxi.CodeNotFound)},
		{`"kind":"status"`, 0, true, refusedWith(500, taxi.CodeInternal)},
		{`"kind":"status","status":405`, 0, true, func(t *testing.T, r reply) { require.Equal(t, "GET", r.header.Get("Allow")) }},
		{`"kind":"status","status":429,"retryAfter":"2s"`, 0, true, func(t *testing.T, r reply) {
			refusedWith(429, taxi.CodeRateLimited)(t, r)
			require.Equal(t, "2", r.header.Get("Retry-After"))
		}},
		{`"kind":"status","status":503,"retryAfter":"30s","asDate":true`, 0, true, func(t *testing.T, r reply) {
			require.Equal(t, 503, r.status)
			require.Equal(t, "Mon, 01 Jun 2026 08:00:30 GMT", r.header.Get("Retry-After"))
		}},
		{`"kind":"status","status":307,"value":"/elsewhere","retryAfter":"5s"`, 0, true, func(t *testing.T, r reply) {
			require.Equal(t, 307, r.status)
			require.Equal(t, "/elsewhere", r.header.Get("Location"))
			require.Equal(t, "5", r.header.Get("Retry-After"))
		}},
		{`"kind":"status","status":401,"value":"Bearer realm=\"cabrank\""`, 0, true, func(t *testing.T, r reply) {
			require.Equal(t, 401, r.status)
			require.Equal(t, `Bearer realm="cabrank"`, r.header.Get("WWW-Authenticate"))
		}},
		{`"kind":"html-page"`, 0, true, func(t *testing.T, r reply) {
			require.Equal(t, 502, r.status)
			require.Equal(t, "text/html", r.header.Get("Content-Type"))
		}},
		{`"kind":"empty"`, 1, true, func(t *testing.T, r reply) {
			require.Equal(t, 200, r.status)
			require.Empty(t, r.body)
		}},
		{`"kind":"empty","status":204`, 1, true, func(t *testing.T, r reply) { require.Equal(t, 204, r.status) }},
		{`"kind":"content-type"`, 1, true, func(t *testing.T, r reply) {
			isWhole(t, r)
			require.Equal(t, "text/html", r.header.Get("Content-Type"))
		}},
		{`"kind":"bad-json","form":"bom"`, 1, true, begins("\ufeff{")},
		{`"kind":"bad-json","form":"invalid-utf8"`, 1, true, begins("{\"note\":\"caf\xe9\",\"")},
		{`"kind":"bad-json","form":"duplicate-keys"`, 1, true, begins(`{"status":null,"`)},
		{`"kind":"bad-json"`, 1, true, func(t *testing.T, r reply) { require.Regexp(t, `\}<!-- 12 ms -->$`, string(r.body)) }},
		{`"kind":"large-body","levels":3`, 1, true, begins(`{"nested":[[[]]],"`)},
		{`"kind":"large-body"`, 1, true, func(t *testing.T, r reply) {
			require.Greater(t, len(r.body), 10<<20)
			isWhole(t, r)
		}},
		{`"kind":"numbers-as-strings"`, 1, true, func(t *testing.T, r reply) {
			require.IsType(t, "", r.tree(t)["eta"].(map[string]any)["value"])
		}},

		{`"kind":"commit-then-drop"`, 1, false, isEnd},
		{`"kind":"commit-then-drop","status":500`, 1, true, refusedWith(500, taxi.CodeInternal)},
		{`"kind":"commit-then-drop","for":"1m"`, 1, false, isEnd},
		{`"kind":"commit-twice"`, 2, true, isWhole},
	} {
		t.Run(test.do, func(t *testing.T) {
			t.Parallel()
			w := begin(t)
			rule := w.add(`{"match":{"op":"book","phone":"+442079460020"},"window":{"times":1},"do":{` + test.do + `}}`)
			met := w.post(fault.Book, booking(caller))
			test.meets(t, met)
			if test.header {
				require.Equal(t, rule.ID, met.header.Get(fault.Header))
			}
			w.client.CloseIdleConnections() // the server may be closing one
			require.Len(t, w.booked(caller), test.made)
			listed, err := w.set.Get(rule.ID)
			require.NoError(t, err)
			require.Equal(t, fault.Over, listed.State)
			require.Equal(t, 1, listed.Hits)

			again := w.post(fault.Book, booking(caller)) // dispatch knows the same bytes again
			isWhole(t, again)
			require.Empty(t, again.header.Get(fault.Header))
			require.Len(t, w.booked(caller), max(1, test.made))
		})
	}
}

func isWhole(t *testing.T, r reply) {
	t.Helper()
	require.NotEmpty(t, r.journey(t).JourneyID)
}

func begins(with string) func(*testing.T, reply) {
	return func(t *testing.T, r reply) {
		t.Helper()
		require.NoError(t, r.err)
		require.Equal(t, with, string(r.body[:len(with)]))
	}
}

func refusedWith(status int, code taxi.Code) func(*testing.T, reply) {
	return func(t *testing.T, r reply) {
		t.Helper()
		require.Equal(t, status, r.status)
		require.Equal(t, taxi.ProblemContentType, r.header.Get("Content-Type"))
		require.Equal(t, string(code), r.tree(t)["code"])
	}
}

func TestSlowFaultsLastTheirConfiguredTime(t *testing.T) {
	t.Parallel()
	for do, want := range map[string]time.Duration{
		`"kind":"delay","for":"9s"`:                     9 * time.Second,
		`"kind":"dribble","part":"headers","for":"40s"`: 40 * time.Second,
		`"kind":"dribble","for":"10m"`:                  10 * time.Minute,
		`"kind":"hang"`:                                 time.Minute,
		`"kind":"commit-then-drop","for":"1s"`:          time.Second,
	} {
		w := begin(t)
		w.add(`{"match":{"op":"book"},"do":{` + do + `}}`)
		w.post(fault.Book, booking(caller))
		w.mu.Lock()
		require.InDelta(t, want, w.paused, float64(time.Second), do)
		w.mu.Unlock()
	}
}

// TestHangEndsWhenTheClientDisconnects checks that a request that hangs ends when its client gives
// up.
func TestHangEndsWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	w := begin(t, func(o *fault.Options) { o.Pause = nil })
	w.add(`{"match":{"op":"status"},"do":{"kind":"hang","for":"10m"}}`)
	w.client.Transport.(*http.Transport).ResponseHeaderTimeout = time.Millisecond
	met := w.post(fault.Status, taxi.JourneyRef{UserID: "u", JourneyID: "j"})
	require.True(t, os.IsTimeout(met.err), "%v", met.err)
} // the server could not be closed as long as the handler waits

// TestCancelIgnoredFaultKeepsTheJourney checks that the journey stays as it was although the response says
// CANCELLED, and that a refused cancel is passed on and does not count.
func TestCancelIgnoredFaultKeepsTheJourney(t *testing.T) {
	t.Parallel()
	w := begin(t)
	id := w.post(fault.Book, booking(caller)).journey(t).JourneyID
	rule := w.add(`{"do":{"kind":"cancel-ignored"}}`)
	met := w.post(fault.Cancel, w.ref(caller, id))
	require.Equal(t, taxi.Cancelled, met.journey(t).Status)
	require.Equal(t, rule.ID, met.header.Get(fault.Header))
	require.Equal(t, taxi.Waiting, w.post(fault.Status, w.ref(caller, id)).journey(t).Status)
	require.Equal(t, 404, w.post(fault.Cancel, w.ref(caller, "J-0")).status, "a refusal stays one")
	listed, err := w.set.Get(rule.ID)
	require.NoError(t, err)
	require.Equal(t, 1, listed.Hits, "what found nothing to break does not count")
}

// TestLastFaultHitIsReportedBeforeEnd checks the events of a rule with a single hit: a request
// without anything to change causes none, and the hit of the next is reported before the end of
// the rule.
func TestLastFaultHitIsReportedBeforeEnd(t *testing.T) {
	t.Parallel()
	w := begin(t)
	id := w.post(fault.Book, booking(caller)).journey(t).JourneyID
	rule := w.add(`{"do":{"kind":"cancel-ignored"},"window":{"times":1}}`)
	for _, cancelled := range []taxi.JourneyID{"J-0", id} {
		body, err := json.Marshal(w.ref(caller, cancelled))
		require.NoError(t, err)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/cancel", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		fault.Handler(w.set, w.host).ServeHTTP(httptest.NewRecorder(), r) // which returns when all is told
	}
	var told []fault.Happened
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.told {
		require.Equal(t, rule.ID, e.ID)
		told = append(told, e.What)
	}
	require.Equal(t, []fault.Happened{fault.Added, fault.Hit, fault.Ended}, told)
}

// TestOversizedAndInvalidBodiesAreForwarded checks that a rule for a caller does not apply to bodies that are
// too long or not JSON objects, which dispatch refuses, and that a rule for an operation does.
func TestOversizedAndInvalidBodiesAreForwarded(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"match":{"phone":"442079460020"},"do":{"kind":"status"}}`)
	long := booking(caller)
	long.Name = string(make([]byte, 70<<10))
	require.Equal(t, http.StatusRequestEntityTooLarge, w.post(fault.Book, long).status)
	require.Equal(t, http.StatusBadRequest, w.post(fault.Book, "no object").status)
	resp, err := w.client.Get(w.url + "/version")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
	w.add(`{"match":{"op":"book"},"do":{"kind":"commit-then-drop","status":500}}`)
	require.Equal(t, http.StatusInternalServerError, w.post(fault.Book, long).status, "a rule for all of them hits long ones, too")
}

// pieces records the size of the largest write of an answer.
type pieces struct {
	http.ResponseWriter
	largest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.largest = max(p.largest, len(b))
	return p.ResponseWriter.Write(b)
}

// TestLargeBodyIsWrittenInPieces checks that a large body is written in small pieces, since many
// clients may ask for one at once, and read slowly.
func TestLargeBodyIsWrittenInPieces(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"match":{"op":"config"},"do":{"kind":"large-body"}}`)
	got := httptest.NewRecorder()
	written := &pieces{ResponseWriter: got}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, taxi.PathConfig, strings.NewReader("{}"))
	r.Header.Set("Content-Type", "application/json")
	fault.Handler(w.set, w.host).ServeHTTP(written, r)
	require.Equal(t, strconv.Itoa(got.Body.Len()), got.Header().Get("Content-Length"))
	require.Greater(t, got.Body.Len(), 10<<20)
	require.True(t, json.Valid(got.Body.Bytes()))
	require.Less(t, written.largest, 64<<10)
}

// TestLargeBodyIsRefusedBeforeItIsSent checks that a client that waits for permission to send a megabyte
// (Expect) is refused before it sends: it would be disconnected while it sends.
func TestLargeBodyIsRefusedBeforeItIsSent(t *testing.T) {
	set := fault.New(fault.Options{Now: time.Now, Seed: 1})
	refuses := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestEntityTooLarge) })
	server := httptest.NewServer(fault.Handler(set, refuses))
	defer server.Close()
	body := strings.NewReader(strings.Repeat(" ", 1<<20))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+taxi.PathBook, body)
	require.NoError(t, err)
	req.Header.Set("Expect", "100-continue")
	client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusRequestEntityTooLarge, resp.StatusCode)
	require.Equal(t, 1<<20, body.Len(), "nothing was sent")
}

// TestRequestDelayPostponesDispatch checks that dispatch receives a cancel request only after the delay,
// also when the client has disconnected by then.
func TestRequestDelayPostponesDispatch(t *testing.T) {
	t.Parallel()
	for _, here := range []bool{true, false} {
		var w *world
		var waited time.Duration
		meanwhile := 0 // journeys that are not cancelled yet
		w = begin(t, func(o *fault.Options) {
			o.Pause = func(_ context.Context, d time.Duration) bool {
				w.mu.Lock()
				defer w.mu.Unlock()
				waited, meanwhile = d, len(w.booked(caller))
				return here
			}
		})
		w.add(`{"match":{"op":"cancel"},"do":{"kind":"delay","part":"request","for":"9s"}}`)
		made := w.post(fault.Book, booking(caller)).journey(t)
		r := w.post(fault.Cancel, w.ref(caller, made.JourneyID))
		require.Equal(t, here, r.err == nil)
		w.mu.Lock()
		require.Equal(t, 9*time.Second, waited)
		require.Equal(t, 1, meanwhile)
		w.mu.Unlock()
		require.Empty(t, w.booked(caller), "it arrived")
	}
}

// TestStaleFaultRepeatsAnEarlierAnswer checks that the status after a cancellation is the one from before, for
// as long as the fault says.
func TestStaleFaultRepeatsAnEarlierAnswer(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"match":{"op":"status"},"do":{"kind":"stale","by":"1m"}}`)
	made := w.post(fault.Book, booking(caller)).journey(t)
	ref := w.ref(caller, made.JourneyID)
	require.Equal(t, taxi.Waiting, w.post(fault.Status, ref).journey(t).Status)
	require.Equal(t, taxi.Cancelled, w.post(fault.Cancel, ref).journey(t).Status)
	require.Equal(t, taxi.Waiting, w.post(fault.Status, ref).journey(t).Status, "as it was")
	require.NoError(t, w.host.World().Clock().Advance(t.Context(), time.Minute))
	require.Equal(t, taxi.Cancelled, w.post(fault.Status, ref).journey(t).Status, "a minute is over")
}

// listener is a journal to which a handler reports what was made.
type listener struct {
	*httptest.ResponseRecorder
	made []string
}

func (l *listener) Made(name, id string) { l.made = append(l.made, name+" "+id) }

// outer wraps a listener, like the response writers of other handlers.
type outer struct{ http.ResponseWriter }

func (o outer) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// TestJournalLearnsTheJourneyOfALostAnswer checks that the id of a booked journey is reported to the
// journal if its response is lost, since only the handler knows it.
func TestJournalLearnsTheJourneyOfALostAnswer(t *testing.T) {
	t.Parallel()
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"journeyId":"J7","status":"WAITING"}`)
	})
	for path, want := range map[string][]string{"/book": {"journeyId J7"}, "/status": nil} {
		w := begin(t)
		w.add(`{"do":{"kind":"commit-then-drop","status":500}}`)
		l := &listener{ResponseRecorder: httptest.NewRecorder()}
		fault.Handler(w.set, answer).ServeHTTP(outer{l}, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("{}")))
		require.Equal(t, 500, l.Code)
		require.Equal(t, want, l.made, path)
		require.NotContains(t, l.Body.String(), "J7")
	}
}
