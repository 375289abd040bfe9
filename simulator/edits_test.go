package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// edit repeats a booking of caller 1 with changes.
func (tn *town) edit(ref taxi.JourneyRef, change func(*taxi.BookRequest)) taxi.Journey {
	tn.Helper()
	j := tn.status(ref)
	r := request(1, j.Date.Time, *j.Pickup, j.Dropoffs...)
	r.JourneyID = &ref.JourneyID
	change(&r)
	edited, err := tn.desk.Book(tn.Context(), r)
	require.NoError(tn, err)
	return edited
}

func TestAPickupNearbyTurnsTheCar(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 3, Cars: 1})
	ref := tn.asap(1, station, hospital)
	tn.until(ref, taxi.EnRoute)
	tn.advance(10 * time.Second)
	before := tn.status(ref)
	corner := place("Corner", 0.2, 0.1)
	j := tn.edit(ref, func(r *taxi.BookRequest) { r.Pickup = &corner })
	require.Equal(t, before.Location, j.Location, "it does not jump")
	require.Equal(t, *corner.Location, *tn.until(ref, taxi.Arrived).Location)
}

func TestDoneStopsStayDone(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.asap(1, station, hospital, harbour)
	tn.until(ref, taxi.POB)
	seen, cancel := tn.world.Subscribe(100)
	require.NoError(t, tn.clock.Until(t.Context(), time.Hour, func() bool { return len(seen) > 0 })) // the hospital
	tn.advance(time.Minute)
	tn.edit(ref, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{hospital, airport} })
	tn.until(ref, taxi.Complete)
	cancel()
	var events []dispatch.Event
	for tr := range seen {
		events = append(events, tr.Event)
	}
	require.Equal(t, []dispatch.Event{dispatch.EventStop, dispatch.EventEdit, dispatch.EventFinish}, events)
}
