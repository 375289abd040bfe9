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

func TestAnEarlierPickupTimeReleasesAHeldBooking(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.book(1, tn.clock.Now().Add(5*time.Hour), station, hospital)
	tn.edit(ref, func(r *taxi.BookRequest) { r.PickupTime = taxi.At(tn.clock.Now().Add(time.Hour)) })
	released := tn.clock.Now().Add(45 * time.Minute)
	tn.until(ref, taxi.Waiting)
	require.Equal(t, released, tn.clock.Now())
	tn.until(ref, taxi.Complete)
	require.Zero(t, tn.world.Stats().Void, "the old timer is gone")
}

func TestALaterPickupTimeTakesTheDriverOff(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.book(1, tn.clock.Now().Add(time.Hour), station, hospital)
	tn.until(ref, taxi.Accepted)
	j := tn.edit(ref, func(r *taxi.BookRequest) { r.PickupTime = taxi.At(r.PickupTime.Add(3 * time.Hour)) })
	require.Equal(t, taxi.Held, j.Status)
	require.Equal(t, 40, tn.cars()[simulator.CarFree])
	tn.until(ref, taxi.Complete)
	require.False(t, tn.clock.Now().Before(j.Date.Time))
}

func TestALaterPickupTimeWithinReachKeepsTheDriver(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	ref := tn.book(1, tn.clock.Now().Add(time.Hour), station, hospital)
	driver := tn.until(ref, taxi.Accepted).Driver
	j := tn.edit(ref, func(r *taxi.BookRequest) { r.PickupTime = taxi.At(r.PickupTime.Add(5 * time.Minute)) })
	require.Equal(t, driver, j.Driver)
	tn.until(ref, taxi.Arrived)
	require.WithinDuration(t, j.Date.Add(-3*time.Minute), tn.clock.Now(), time.Second)
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

func TestAnOfferIsWithdrawnByAnEdit(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Cars: 1})
	ref := tn.asap(1, station, hospital)
	tn.advance(16 * time.Second)
	require.Equal(t, 1, tn.cars()[simulator.CarAsked])
	tn.edit(ref, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{harbour} })
	require.Equal(t, 1, tn.cars()[simulator.CarFree])
	tn.until(ref, taxi.Complete)
}

func TestADropOffChangedOnBoard(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	seen, cancel := tn.world.Subscribe(100)
	ref := tn.asap(1, station, hospital, harbour)
	tn.until(ref, taxi.POB)
	tn.advance(time.Minute)
	before := tn.status(ref).Location
	j := tn.edit(ref, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{hospital, airport} })
	require.Equal(t, before, j.Location)
	require.Equal(t, taxi.Estimated, j.Price.Type)
	start := tn.clock.Now()
	tn.until(ref, taxi.Complete)
	require.InDelta(t, j.ETA.Value, tn.clock.Now().Sub(start).Minutes(), 1)
	_, all := tn.world.Vehicles()
	require.Contains(t, places(all), *airport.Location)
	cancel()
	stops := 0
	for tr := range seen {
		if tr.Event == dispatch.EventStop {
			stops++
		}
	}
	require.Equal(t, 1, stops)
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
