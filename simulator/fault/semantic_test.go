package fault_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

// under brings a journey to a status and asks for it twice while a fault is active.
func under(t *testing.T, status taxi.Status, do string) (once, twice map[string]any) {
	t.Helper()
	w := begin(t)
	id := w.post(fault.Book, booking(caller)).journey(t).JourneyID
	require.NoError(t, w.host.World().Clock().UntilStatus(t.Context(), id, status, time.Hour))
	rule := w.add(`{"match":{"op":"status","journey":"` + string(id) + `"},"do":{` + do + `}}`)
	first, second := w.post(fault.Status, w.ref(caller, id)), w.post(fault.Status, w.ref(caller, id))
	require.Contains(t, []string{first.header.Get(fault.Header), second.header.Get(fault.Header)}, rule.ID)
	return first.tree(t), second.tree(t)
}

// in reads a member of an object.
func in(t map[string]any, names ...string) any {
	var v any = t
	for _, name := range names {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

func TestSemanticFaultsAlterJourneyAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		at    taxi.Status
		do    string
		holds func(t *testing.T, once, twice map[string]any)
	}{
		{taxi.Waiting, `"kind":"member"`, func(t *testing.T, j, _ map[string]any) { require.NotContains(t, j, "journeyId") }},
		{taxi.Waiting, `"kind":"member","member":"/dropoffs/0/location"`, func(t *testing.T, j, _ map[string]any) {
			require.NotContains(t, j["dropoffs"].([]any)[0], "location")
		}},
		{taxi.Waiting, `"kind":"member","form":"null","member":"/date"`, func(t *testing.T, j, _ map[string]any) {
			require.Contains(t, j, "date")
			require.Nil(t, j["date"])
		}},
		{taxi.Waiting, `"kind":"member","form":"empty","member":"/pickup"`, func(t *testing.T, j, _ map[string]any) { require.Empty(t, j["pickup"]) }},
		{taxi.Waiting, `"kind":"member","form":"another-type"`, func(t *testing.T, j, _ map[string]any) { require.InDelta(t, 7, j["journeyId"], 0) }},
		{taxi.Waiting, `"kind":"member","form":"another-type","member":"/price/value"`, func(t *testing.T, j, _ map[string]any) { require.IsType(t, "", in(j, "price", "value")) }},
		{taxi.Waiting, `"kind":"member","member":"/status","value":"PENDING"`, func(t *testing.T, j, _ map[string]any) { require.Equal(t, "PENDING", j["status"]) }},
		{taxi.EnRoute, `"kind":"stuck-status"`, func(t *testing.T, j, _ map[string]any) {
			require.Equal(t, "WAITING", j["status"])
			require.NotContains(t, j, "driver")
		}},
		{taxi.Waiting, `"kind":"journey-id"`, func(t *testing.T, a, b map[string]any) { require.NotEqual(t, a["journeyId"], b["journeyId"]) }},
		{taxi.Waiting, `"kind":"member","member":"/dropoffs","value":"[]"`, func(t *testing.T, j, _ map[string]any) { require.Empty(t, j["dropoffs"]) }},
		{taxi.Waiting, `"kind":"member","member":"/pickup/address","value":"14 Mill Lane, ring 020 7946 0123"`, func(t *testing.T, j, _ map[string]any) {
			require.Contains(t, in(j, "pickup", "address"), "020 7946 0123")
		}},
		{taxi.Waiting, `"kind":"member","member":"/eta/value","value":"-3"`, func(t *testing.T, j, _ map[string]any) { require.Negative(t, in(j, "eta", "value")) }},
		{taxi.Waiting, `"kind":"eta-growing"`, func(t *testing.T, a, b map[string]any) {
			require.InDelta(t, in(a, "eta", "value").(float64)+3, in(b, "eta", "value"), 0)
		}},
		{taxi.Waiting, `"kind":"member","member":"/eta/unit","value":"jiffies"`, func(t *testing.T, j, _ map[string]any) { require.Equal(t, "jiffies", in(j, "eta", "unit")) }},
		{taxi.Waiting, `"kind":"eta-is","minutes":45`, func(t *testing.T, j, _ map[string]any) { require.InDelta(t, 45, in(j, "eta", "value"), 0) }},
		{taxi.Waiting, `"kind":"member","member":"/price/currency"`, func(t *testing.T, j, _ map[string]any) { require.NotContains(t, j["price"], "currency") }},
		{taxi.Waiting, `"kind":"date"`, func(t *testing.T, j, _ map[string]any) { require.Regexp(t, `^2026-06-01T\d\d:00:00$`, j["date"]) }},
		{taxi.Waiting, `"kind":"date","form":"past"`, func(t *testing.T, j, _ map[string]any) { require.Contains(t, j["date"], "2025-06-01") }},
		{taxi.EnRoute, `"kind":"coordinates-swapped"`, func(t *testing.T, j, _ map[string]any) {
			require.Greater(t, in(j, "location", "longitude"), 50.0)
			require.Greater(t, in(j, "pickup", "location", "longitude"), 50.0)
		}},
		{taxi.EnRoute, `"kind":"member","member":"/location","value":"{\"longitude\":0,\"latitude\":0}"`, func(t *testing.T, j, _ map[string]any) { require.InDelta(t, 0, in(j, "location", "latitude"), 0) }},
		{taxi.EnRoute, `"kind":"location","form":"far"`, func(t *testing.T, j, _ map[string]any) { require.Greater(t, in(j, "location", "latitude"), 56.0) }},
		{taxi.EnRoute, `"kind":"location","form":"jumping"`, func(t *testing.T, a, b map[string]any) {
			require.InDelta(t, in(a, "location", "longitude").(float64)+0.5, in(b, "location", "longitude"), 1e-9)
		}},
		{taxi.Complete, `"kind":"status-backwards"`, func(t *testing.T, a, b map[string]any) {
			require.Equal(t, "COMPLETE", a["status"])
			require.Equal(t, "WAITING", b["status"])
		}},
		{taxi.Arrived, `"kind":"status-skipped"`, func(t *testing.T, j, _ map[string]any) { require.Equal(t, "EN_ROUTE", j["status"]) }},
		{taxi.POB, `"kind":"status-skipped","at":"POB"`, func(t *testing.T, j, _ map[string]any) { require.Equal(t, "ARRIVED", j["status"]) }},
		{taxi.EnRoute, `"kind":"new-driver-en-route"`, func(t *testing.T, a, b map[string]any) {
			require.NotEqual(t, in(a, "driver", "name"), in(b, "driver", "name"))
		}},
		{taxi.EnRoute, `"kind":"odd-name","form":"long"`, func(t *testing.T, j, _ map[string]any) {
			require.Greater(t, len(in(j, "driver", "name").(string)), 900)
		}},
	} {
		t.Run(test.do, func(t *testing.T) {
			t.Parallel()
			once, twice := under(t, test.at, test.do)
			test.holds(t, once, twice)
		})
	}
}

// TestLocationFaultFreezesTheCar checks that the location of a car stays the same while the fault is
// active, although the car drives.
func TestLocationFaultFreezesTheCar(t *testing.T) {
	t.Parallel()
	w := begin(t)
	id := w.post(fault.Book, booking(caller)).journey(t).JourneyID
	clock := w.host.World().Clock()
	require.NoError(t, clock.UntilStatus(t.Context(), id, taxi.POB, time.Hour))
	w.add(`{"do":{"kind":"location"}}`)
	first := w.post(fault.Status, w.ref(caller, id)).tree(t)
	require.NoError(t, clock.Advance(t.Context(), 30*time.Second))
	require.Equal(t, first["location"], w.post(fault.Status, w.ref(caller, id)).tree(t)["location"])
	w.set.Clear()
	require.NotEqual(t, first["location"], w.post(fault.Status, w.ref(caller, id)).tree(t)["location"])
}

func TestPriceChangesFaultRaisesTheEditedPrice(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"do":{"kind":"price-changes"}}`)
	asked := booking(caller)
	j := w.post(fault.Book, asked).journey(t)
	asked.JourneyID, asked.Name = &j.JourneyID, "Ann Others"
	edited := w.post(fault.Book, asked).journey(t)
	require.InDelta(t, j.Price.Value+2.5, edited.Price.Value, 1e-9)
	require.InDelta(t, edited.Price.Value, w.post(fault.Status, w.ref(caller, j.JourneyID)).journey(t).Price.Value, 1e-9)
}

func TestUserAndConfigFaultsAlterAnswers(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ask := func(do string) map[string]any {
		w.set.Clear()
		w.add(`{"match":{"op":"user"},"do":{` + do + `}}`)
		return w.post(fault.User, taxi.UserRequest{PhoneNumber: caller}).tree(t)
	}
	require.Equal(t, "442079460199", ask(`"kind":"wrong-user"`)["phoneNumber"])
	require.Equal(t, `Siobhán "O'Rourke" <D'Arcy>\`, ask(`"kind":"odd-name"`)["name"])
	require.Len(t, ask(`"kind":"bookings-added","form":"invented","count":300`)["activeBookings"], 300)
	stale := ask(`"kind":"bookings-added"`)["activeBookings"].([]any)
	require.Equal(t, "COMPLETE", in(stale[0].(map[string]any), "status"))
	require.NotContains(t, ask(`"kind":"member"`), "userId")

	w.set.Clear()
	w.add(`{"do":{"kind":"config-flips"}}`)
	first, second := w.post(fault.Config, struct{}{}).tree(t), w.post(fault.Config, struct{}{}).tree(t)
	require.NotEmpty(t, in(first, "data", "options"))
	require.Empty(t, in(second, "data", "options"))
	w.set.Clear()
	w.add(`{"do":{"kind":"clock-skew","by":"-2h"}}`)
	require.Equal(t, "Mon, 01 Jun 2026 06:00:00 GMT", w.post(fault.Config, struct{}{}).header.Get("Date"))
	w.set.Clear()
	w.add(`{"do":{"kind":"member","member":"/eta/value","value":"-3"}}`)
	require.Negative(t, in(w.post(fault.Config, struct{}{}).tree(t), "eta", "value"))
}

// TestJourneyIDFaultReturnsAnotherJourney checks that a response may have the id of another journey, and that a change
// of part=journey concerns only the status of journeys.
func TestJourneyIDFaultReturnsAnotherJourney(t *testing.T) {
	t.Parallel()
	w := begin(t)
	one := w.post(fault.Book, booking(caller)).journey(t).JourneyID
	other := booking(caller)
	other.PickupTime = taxi.At(monday.Add(time.Hour))
	two := w.post(fault.Book, other).journey(t).JourneyID
	w.add(`{"do":{"kind":"journey-id","form":"another"}}`)
	require.Equal(t, one, w.post(fault.Status, w.ref(caller, one)).journey(t).JourneyID)
	w.post(fault.User, taxi.UserRequest{PhoneNumber: caller})
	require.Equal(t, one, w.post(fault.Status, w.ref(caller, two)).journey(t).JourneyID)
	w.set.Clear()
	w.add(`{"do":{"kind":"member","member":"/status","part":"journey","value":"WAITING"}}`)
	require.Equal(t, "OK", w.post(fault.Config, struct{}{}).tree(t)["status"])
	listed := w.post(fault.User, taxi.UserRequest{PhoneNumber: caller}).tree(t)
	require.Equal(t, "ENABLED", listed["status"])
	require.Equal(t, "WAITING", listed["activeBookings"].([]any)[1].(map[string]any)["status"])
	require.Equal(t, taxi.Waiting, w.post(fault.Cancel, w.ref(caller, two)).journey(t).Status)
	require.Len(t, w.booked(caller), 1, "it is cancelled all the same")
}

// TestDriverFaultsProduceExpectedEvents checks the events and the end of journeys with faults of cars and drivers,
// booked for now and for later.
func TestDriverFaultsProduceExpectedEvents(t *testing.T) {
	t.Parallel()
	driven := []dispatch.Event{"accept", "set-off", "arrive", "board", "finish"}
	for _, test := range []struct {
		do     string
		events []dispatch.Event  // after the booking and its release
		reason taxi.CancelReason // "": it is complete in the end
	}{
		{`"kind":"no-cars"`, []dispatch.Event{"no-driver"}, taxi.ReasonNoDriver},
		{`"kind":"no-show"`, []dispatch.Event{"accept", "set-off", "arrive", "no-show"}, taxi.ReasonNoShow},
		{`"kind":"driver-cancels","at":"WAITING"`, driven, ""},
		{`"kind":"driver-late"`, driven, ""},
		{`"kind":"driver-cancels"`, slices.Concat([]dispatch.Event{"accept", "drop"}, driven), ""},
		{`"kind":"driver-cancels","at":"EN_ROUTE"`, slices.Concat([]dispatch.Event{"accept", "set-off", "drop"}, driven), ""},
		{`"kind":"driver-cancels","at":"ARRIVED"`, slices.Concat([]dispatch.Event{"accept", "set-off", "arrive", "drop"}, driven), ""},
	} {
		for _, ahead := range []time.Duration{0, 50 * time.Hour} {
			t.Run(fmt.Sprint(test.do, " ", ahead), func(t *testing.T) {
				t.Parallel()
				w := begin(t)
				rule := w.add(`{"match":{"op":"book"},"window":{"times":1},"do":{` + test.do + `}}`)
				seen, stop := w.host.World().Subscribe(1000)
				asked := booking(caller)
				asked.PickupTime = taxi.At(monday.Add(ahead))
				met := w.post(fault.Book, asked)
				require.Equal(t, rule.ID, met.header.Get(fault.Header))
				id := met.journey(t).JourneyID
				require.NoError(t, w.host.World().Clock().Advance(t.Context(), ahead+2*time.Hour))
				stop()
				var events []dispatch.Event
				for c := range seen {
					if c.Journey != id {
						continue // of the people who have booked before
					}
					if c.Event != dispatch.EventBook && c.Event != dispatch.EventRelease && c.Event != dispatch.EventContact {
						events = append(events, c.Event)
					}
					if c.Event == dispatch.EventNoShow {
						require.True(t, c.At.After(asked.PickupTime.Time), "nobody is late before the pickup time")
					}
				}
				require.Equal(t, test.events, events)
				j := w.post(fault.Status, w.ref(caller, id)).journey(t)
				require.Equal(t, test.reason == "", j.Status == taxi.Complete)
				if test.reason != "" {
					require.Equal(t, test.reason, j.Data.Reason)
				}
			})
		}
	}
}

func TestDriverLateFaultDelaysDeparture(t *testing.T) {
	t.Parallel()
	setsOff := func(do string) time.Duration {
		w := begin(t)
		w.add(`{"do":{` + do + `}}`)
		id := w.post(fault.Book, booking(caller)).journey(t).JourneyID
		require.NoError(t, w.host.World().Clock().UntilStatus(t.Context(), id, taxi.EnRoute, time.Hour))
		return w.now().Sub(monday)
	}
	require.Equal(t, 20*time.Minute, setsOff(`"kind":"driver-late","minutes":30`)-setsOff(`"kind":"driver-late"`))
}

// TestRestartFaultKeepsOrLosesTheBooking checks that a booking is found after the fault restart, and is not with
// form=lost.
func TestRestartFaultKeepsOrLosesTheBooking(t *testing.T) {
	t.Parallel()
	for do, status := range map[string]int{`"kind":"restart"`: http.StatusOK, `"kind":"restart","form":"lost"`: http.StatusNotFound} {
		w := begin(t)
		ref := w.ref(caller, w.post(fault.Book, booking(caller)).journey(t).JourneyID)
		w.add(`{"window":{"times":1},"do":{` + do + `}}`)
		require.Equal(t, status, w.post(fault.Status, ref).status, do)
	}
}

func TestFleetFaultsNeedAWorld(t *testing.T) {
	t.Parallel()
	w := begin(t, func(o *fault.Options) { o.World = nil })
	for _, kind := range []string{"restart", "no-cars"} {
		_, err := w.set.Add(fault.Rule{Do: fault.Do{Kind: kind}})
		require.ErrorContains(t, err, "/do/kind cannot be done here")
	}
}
