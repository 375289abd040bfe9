package fault_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// statuses calls /config n times and returns the statuses.
func (w *world) statuses(n int) (all []int) {
	for range n {
		all = append(all, w.post(fault.Config, struct{}{}).status)
	}
	return all
}

func TestRulesApplyOnlyWithinTheirWindow(t *testing.T) {
	t.Parallel()
	w := begin(t)
	clock := w.host.World().Clock()
	first := w.add(`{"window":{"skip":1,"times":2},"do":{"kind":"status","status":503}}`)
	require.Equal(t, "f-1", first.ID)
	require.Equal(t, 2, *first.Left)
	require.Equal(t, "1: status, 2 left", w.set.Summary())
	require.Equal(t, []int{200, 503, 503, 200}, w.statuses(4))
	require.Equal(t, "none", w.set.Summary())

	w.add(`{"id":"third","match":{"nth":3},"do":{"kind":"status","status":418}}`)
	w.add(`{"id":"rest","window":{"ttl":"10m"},"do":{"kind":"status","status":404}}`)
	require.Equal(t, []int{404, 404, 418, 404}, w.statuses(4), "the first that matches decides")
	require.NoError(t, clock.Advance(t.Context(), 10*time.Minute))
	require.Equal(t, []int{200}, w.statuses(1))

	later := w.add(fmt.Sprintf(`{"window":{"from":%q,"to":%q},"do":{"kind":"status"}}`,
		w.now().Add(time.Minute).Format(time.RFC3339Nano), w.now().Add(2*time.Minute).Format(time.RFC3339Nano)))
	require.Equal(t, fault.ToCome, later.State)
	require.Equal(t, []int{200}, w.statuses(1))
	require.NoError(t, clock.Advance(t.Context(), time.Minute))
	require.Equal(t, []int{500}, w.statuses(1))
	require.NoError(t, clock.Advance(t.Context(), time.Minute))
	require.Equal(t, []int{200}, w.statuses(1))

	usual := w.add(`{"do":{"kind":"status"}}`)
	require.Equal(t, fault.DefaultTTL, usual.EndsIn, "what does not say when it ends does so")
	require.Equal(t, 500, usual.Do.Status, "what it leaves out is filled in")
	require.NoError(t, w.set.Remove(usual.ID))
	require.ErrorIs(t, w.set.Remove(usual.ID), fault.ErrUnknown)

	var told []string
	for _, e := range w.told {
		told = append(told, string(e.What)+" "+e.ID)
	}
	require.Equal(t, []string{"added f-1", "hit f-1", "hit f-1", "ended f-1"}, told[:4])
	require.Contains(t, told, "ended rest")
	require.Contains(t, told, "removed "+usual.ID)
}

func TestRulesMatchCallerUserJourneyAndOp(t *testing.T) {
	t.Parallel()
	w := begin(t)
	other := taxi.E164("442079460021")
	mine, theirs := w.post(fault.Book, booking(caller)).journey(t).JourneyID, w.post(fault.Book, booking(other)).journey(t).JourneyID
	ask := func() [2]int {
		return [2]int{w.post(fault.Status, w.ref(caller, mine)).status, w.post(fault.Status, w.ref(other, theirs)).status}
	}
	for _, match := range []string{
		`"phone":"+442079460020"`, `"user":"` + string(w.ref(caller, mine).UserID) + `"`, `"journey":"` + string(mine) + `"`, `"op":"status","phone":"442079460020"`,
	} {
		rule := w.add(`{"match":{` + match + `},"do":{"kind":"status"}}`)
		require.Equal(t, [2]int{500, 200}, ask(), match)
		require.NoError(t, w.set.Remove(rule.ID))
	}
	w.add(`{"match":{"op":"cancel"},"do":{"kind":"status"}}`)
	require.Equal(t, [2]int{200, 200}, ask())
}

// TestSameSeedHitsTheSameRequests checks that the seed decides which requests a rule with a
// probability hits.
func TestSameSeedHitsTheSameRequests(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64) []int {
		w := begin(t, func(o *fault.Options) { o.Seed = seed })
		w.add(`{"match":{"probability":0.5},"do":{"kind":"status","status":404}}`)
		return w.statuses(40)
	}
	once := draw(1)
	require.Equal(t, once, draw(1))
	require.NotEqual(t, once, draw(2))
	require.Contains(t, once, 404)
	require.Contains(t, once, 200)
}

func TestRuleChangesAreMergedAndValidated(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"id":"one","window":{"times":1},"do":{"kind":"status","status":503,"retryAfter":"30s"}}`)
	require.Equal(t, []int{503, 200}, w.statuses(2))
	changed, err := w.set.Change("one", []byte(`{"window":{"times":3},"do":{"kind":"status","status":404,"retryAfter":null}}`))
	require.NoError(t, err)
	require.Equal(t, fault.AtWork, changed.State)
	require.Equal(t, 2, *changed.Left, "what it hit stays counted")
	require.Equal(t, []int{404, 404, 200}, w.statuses(3))
	changed, err = w.set.Change("one", []byte(`{"do":{"kind":"dribble","status":null}}`))
	require.NoError(t, err)
	require.Equal(t, host.Duration(5*time.Second), changed.Do.For)
	changed, err = w.set.Change("one", []byte(`{"do":{"rate":100}}`))
	require.NoError(t, err, "what was filled in makes way")
	require.Zero(t, changed.Do.For)
	_, err = w.set.Change("one", []byte(`{"id":"two"}`))
	require.ErrorContains(t, err, "/id cannot be changed")
	_, err = w.set.Change("one", []byte(`{"match":{"op":"fly"}}`))
	require.ErrorContains(t, err, "/match/op is not one of config, user, book, cancel, status")
	_, err = w.set.Change("none", []byte(`{}`))
	require.ErrorIs(t, err, fault.ErrUnknown)
}

func TestRuleSetIsLimitedTo200(t *testing.T) {
	t.Parallel()
	set := fault.New(fault.Options{Now: func() time.Time { return monday }})
	rule := fault.Rule{Do: fault.Do{Kind: "close"}}
	for range 200 {
		_, err := set.Add(rule)
		require.NoError(t, err)
	}
	_, err := set.Add(rule)
	require.ErrorIs(t, err, fault.ErrFull)
	_, err = set.Add(fault.Rule{ID: "f-7", Do: rule.Do})
	require.ErrorIs(t, err, fault.ErrTaken)
	require.Len(t, set.List(), 200)
	set.Clear()
	require.Empty(t, set.List())
}

// TestOnlyLatest100EndedRulesAreListed checks that a set lists only the latest hundred rules that have
// ended.
func TestOnlyLatest100EndedRulesAreListed(t *testing.T) {
	t.Parallel()
	now := monday
	set := fault.New(fault.Options{Now: func() time.Time { return now }})
	for range 250 {
		_, err := set.Add(fault.Rule{Do: fault.Do{Kind: "close"}})
		require.NoError(t, err)
		now = now.Add(time.Hour)
	}
	list := set.List()
	require.Len(t, list, 100)
	require.Equal(t, "f-250", list[99].ID)
}

// TestConcurrentRequestsAreCountedExactly checks that a rule with a hundred hits left hits exactly a hundred of two
// hundred requests of concurrent clients.
func TestConcurrentRequestsAreCountedExactly(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"window":{"times":100},"do":{"kind":"status"}}`)
	var mu sync.Mutex
	count := map[int]int{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 25 {
				status := w.post(fault.Config, struct{}{}).status
				mu.Lock()
				count[status]++
				mu.Unlock()
				w.set.List()
			}
		})
	}
	all.Wait()
	require.Equal(t, map[int]int{http.StatusInternalServerError: 100, http.StatusOK: 100}, count)
}

func TestInvalidRulesAreRefused(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		``:           "is not JSON",
		`[]`:         "wants an object, not an array",
		`{}`:         "/do/kind is missing: a fault of the catalogue",
		`{"dos":{}}`: "/dos is not a known member",
		`{"do":{"kind":"close"},"do":{"kind":"close"}}`:                                                "duplicate",
		`{"do":{"kind":"drop"}}`:                                                                       `/do/kind is "drop", which is not a fault of the catalogue; perhaps commit-then-drop is meant`,
		`{"do":{"kind":"close","status":500}}`:                                                         "/do/status is not a parameter of close",
		`{"do":{"kind":"status","status":99}}`:                                                         "/do/status is 99, want 200 to 599",
		`{"do":{"kind":"close","bytes":5}}`:                                                            "/do/bytes has no effect without part=body",
		`{"do":{"kind":"bad-json","form":"bom","value":"x"}}`:                                          "/do/value has no effect without form=trailing-bytes",
		`{"do":{"kind":"dribble","part":"headers","rate":5}}`:                                          "/do/rate has no effect without part=body",
		`{"do":{"kind":"dribble","for":"1s","rate":5}}`:                                                "/do/for has no effect with rate",
		`{"do":{"kind":"member","form":"null","value":"x"}}`:                                           "/do/form has no effect with value",
		`{"do":{"kind":"status","asDate":true}}`:                                                       "/do/asDate has no effect without retryAfter",
		`{"do":{"kind":"delay","for":"1h"}}`:                                                           "/do/for is 1h0m0s, want 1ms to 10m0s",
		`{"do":{"kind":"delay","for":"soon"}}`:                                                         "/do/for",
		`{"do":{"kind":"empty","status":500}}`:                                                         "/do/status is not one of 200, 204",
		`{"do":{"kind":"status","value":"a\r\nb"}}`:                                                    "/do/value is longer than 255 characters, or has control characters",
		`{"do":{"kind":"member","form":"null","member":"status"}}`:                                     "/do/member is not a JSON Pointer",
		`{"do":{"kind":"driver-cancels","at":"POB"}}`:                                                  "/do/at is not one of ACCEPTED, EN_ROUTE, ARRIVED",
		`{"match":{"op":"config"},"do":{"kind":"commit-twice"}}`:                                       "/match/op is config, and commit-twice happens to book",
		`{"match":{"op":"config","phone":"442079460020"},"do":{"kind":"close"}}`:                       "/match/phone cannot be matched",
		`{"match":{"phone":"020 7946"},"do":{"kind":"close"}}`:                                         "/match/phone is not a phone number",
		`{"match":{"probability":0},"do":{"kind":"close"}}`:                                            "/match/probability",
		`{"match":{"probability":2},"do":{"kind":"close"}}`:                                            "/match/probability",
		`{"match":{"nth":-1},"do":{"kind":"close"}}`:                                                   "/match/nth",
		`{"window":{"times":-1,"skip":-1,"ttl":"-1s"},"do":{"kind":"close"}}`:                          "/window/skip is not 0 to 1000000; /window/times is not 1 to 1000000; /window/ttl",
		`{"id":"No Good","do":{"kind":"close"}}`:                                                       "/id is not lower-case letters",
		`{"id":"magic-1","do":{"kind":"close"}}`:                                                       "/id begins with magic-",
		`{"window":{"times":0},"do":{"kind":"close"}}`:                                                 "/window/times is not 1 to 1000000; leave it out for no limit",
		`{"window":{"from":"2026-06-01T09:00:00Z","to":"2026-06-01T08:00:00Z"},"do":{"kind":"close"}}`: "/window/to is not after from",
	} {
		_, err := fault.Read([]byte(text))
		require.ErrorContains(t, err, says, text)
	}
}

// TestCatalogueEntriesAreValid checks that each entry of the catalogue is complete, and that its examples
// are valid rules.
func TestCatalogueEntriesAreValid(t *testing.T) {
	t.Parallel()
	all := fault.Catalogue()
	require.LessOrEqual(t, len(all), 45, "a parameter of a fault that there is?")
	for _, f := range all {
		require.NotEmpty(t, f.Ops, f.Name)
		for _, x := range f.All() {
			require.NotEmpty(t, x.Does, x.Do)
			require.NotEqual(t, x.NoticedBy == "", x.Unnoticed == "", "%s: one of both", x.Do)
			text, err := json.Marshal(x.Rule())
			require.NoError(t, err)
			_, err = fault.Read(text)
			require.NoError(t, err, "%s", text)
		}
		for _, p := range f.Parameters {
			require.NotEmpty(t, p.Means, f.Name)
			require.Contains(t, []string{"integer", "duration", "boolean", "string"}, p.Type)
		}
	}
}

// TestBeginForgetsEarlierRequests checks that a fault that happens once to each
// request happens again to the same request after Begin.
func TestBeginForgetsEarlierRequests(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"do":{"kind":"commit-then-drop","status":500,"once":true}}`)
	require.Equal(t, []int{500, 200}, w.statuses(2))
	w.set.Begin(1)
	require.Equal(t, []int{500, 200}, w.statuses(2))
}

// TestRuleRemovedDuringARequestFreesItsPlace checks that a rule that is removed during a
// request does not count towards the limit of a set, although its hit is taken back afterwards
// since the response had nothing to change.
func TestRuleRemovedDuringARequestFreesItsPlace(t *testing.T) {
	t.Parallel()
	set := fault.New(fault.Options{Now: func() time.Time { return monday }})
	_, err := set.Add(fault.Rule{ID: "mine", Window: fault.Window{Times: 1}, Do: fault.Do{Kind: "commit-twice"}})
	require.NoError(t, err)
	h := fault.Handler(set, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := set.Remove("mine"); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusUnprocessableEntity)
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/book", strings.NewReader("{}")))
	for i := range 200 {
		_, err := set.Add(fault.Rule{ID: fmt.Sprint(i), Do: fault.Do{Kind: "close"}})
		require.NoError(t, err, i)
	}
}

// TestForwardedContextEndsWithTheExchange checks that the context of a request to dispatch
// is cancelled when the exchange is over, since dispatch counts its large responses until then,
// and not when the client disconnects, since the request is acted on all the same.
func TestForwardedContextEndsWithTheExchange(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"do":{"kind":"commit-then-drop","status":500}}`)
	ctx, gone := context.WithCancel(t.Context())
	var inner context.Context
	h := fault.Handler(w.set, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		gone()
		inner = r.Context()
		if err := inner.Err(); err != nil {
			t.Error(err)
		}
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/book", strings.NewReader("{}")))
	require.ErrorIs(t, inner.Err(), context.Canceled)
}
