package simulator_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

func TestAJourneyMisbehavesOnRequest(t *testing.T) {
	for _, c := range []struct {
		name, data, announced string
		events                []dispatch.Event
		reason                taxi.CancelReason
	}{
		{"reject", `{"simulate": {"behaviour": "reject"}}`, "reject", []dispatch.Event{
			"book", "reoffer", "accept", "set-off", "arrive", "board", "finish",
		}, ""},
		{"drop", `{"simulate": {"behaviour": "drop"}}`, "drop", []dispatch.Event{
			"book", "accept", "set-off", "drop", "accept", "set-off", "arrive", "board", "finish",
		}, ""},
		{"noshow", `{"simulate": {"behaviour": "noshow"}}`, "noshow", []dispatch.Event{
			"book", "accept", "set-off", "arrive", "no-show",
		}, taxi.ReasonNoShow},
		{"nocar", `{"simulate": {"behaviour": "nocar"}}`, "nocar", []dispatch.Event{"book", "no-driver"}, taxi.ReasonNoDriver},
		{"a transport fault is none", `{"simulate": {"status": 503}}`, "", []dispatch.Event{
			"book", "accept", "set-off", "arrive", "board", "finish",
		}, ""},
		{"nonsense is none", `{"simulate": "reject"}`, "", []dispatch.Event{
			"book", "accept", "set-off", "arrive", "board", "finish",
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tn := newTown(t, simulator.Options{Seed: 3, Town: smallTown})
			r := request(1, tn.clock.Now(), tn.place(streetmap.Station), tn.place(streetmap.Hospital))
			r.Data = json.RawMessage(c.data)
			seen, cancel := tn.world.Subscribe(100)
			j, err := tn.desk.Book(t.Context(), r)
			require.NoError(t, err)
			require.NoError(t, tn.clock.UntilIdle(t.Context(), 2*time.Hour))
			cancel()
			var events []dispatch.Event
			for tr := range seen {
				require.Equal(t, c.announced, tr.Fault)
				if tr.Event != dispatch.EventContact {
					events = append(events, tr.Event)
				}
			}
			require.Equal(t, c.events, events)
			snap, err := tn.records.Journey(t.Context(), j.JourneyID)
			require.NoError(t, err)
			if c.reason != "" {
				require.Equal(t, c.reason, snap.Data.Reason)
			}
		})
	}
}

func TestALateDriverSaysSo(t *testing.T) {
	arrive := func(data string) (eta float64, took time.Duration) {
		tn := newTown(t, simulator.Options{Seed: 7, Town: smallTown})
		r := request(1, tn.clock.Now(), tn.place(streetmap.Station), tn.place(streetmap.Hospital))
		r.Data = json.RawMessage(data)
		j, err := tn.desk.Book(t.Context(), r)
		require.NoError(t, err)
		require.NoError(t, tn.clock.UntilStatus(t.Context(), j.JourneyID, taxi.Accepted, time.Hour))
		u, err := tn.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: r.PhoneNumber})
		require.NoError(t, err)
		since := tn.clock.Now()
		eta = u.ActiveBookings[0].ETA.Value
		tn.until(taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}, taxi.Arrived)
		return eta, tn.clock.Now().Sub(since)
	}
	eta, took := arrive("")
	lateETA, lateTook := arrive(`{"simulate": {"behaviour": "late"}}`)
	require.Equal(t, took+10*time.Minute, lateTook)
	require.InDelta(t, eta+10, lateETA, 0, "nobody is told less than the truth")
}
