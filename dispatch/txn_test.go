package dispatch_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// A fleet that plans for a change that is undone would drive to nobody.
func TestTheFleetHearsOnlyOfWhatIsKept(t *testing.T) {
	h := newHouse(t)
	_, ref := h.book(h.request())
	told := len(h.fleet.changes)
	nowhere := math.NaN()
	_, err := h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventAccept, Offered: 1, Set: func(j *store.Journey) {
		j.Drive = &store.Drive{From: taxi.Point{Longitude: nowhere}}
	}})
	require.Error(t, err, "the store refuses what is no number")
	require.Len(t, h.fleet.changes, told)
	_, err = h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventAccept, Offered: 1})
	require.NoError(t, err)
	require.Len(t, h.fleet.changes, told+1)
}

// An edit of the time may be three changes; each tells how things stood then.
func TestEachChangeTellsItsOwnMoment(t *testing.T) {
	h := newHouse(t)
	r := h.request()
	j, ref := h.book(r)
	_, err := h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventAccept, Offered: 1})
	require.NoError(t, err)
	h.fleet.changes = nil
	r.JourneyID, r.PickupTime = &j.JourneyID, taxi.At(h.now.Add(5*time.Hour))
	_, err = h.client.Book(t.Context(), r)
	require.NoError(t, err)
	var events []dispatch.Event
	var statuses []taxi.Status
	for _, c := range h.fleet.changes {
		events = append(events, c.Event)
		statuses = append(statuses, c.Before.Status, c.After.Status)
	}
	require.Equal(t, []dispatch.Event{dispatch.EventEdit, dispatch.EventDrop, dispatch.EventHold}, events)
	require.Equal(t, []taxi.Status{
		taxi.Accepted, taxi.Accepted, taxi.Accepted, taxi.Waiting, taxi.Waiting, taxi.Held,
	}, statuses)
}
