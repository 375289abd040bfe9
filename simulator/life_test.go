package simulator_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// requirePresence requires that a journey has the fields that the table lists for its status.
func requirePresence(t require.TestingT, j taxi.Journey) {
	want := dispatch.Fields(j.Status)
	require.Equal(t, want.Crew, j.Vehicle != nil, "%s: vehicle", j.Status)
	require.Equal(t, want.Crew, j.Driver != nil, "%s: driver", j.Status)
	require.Equal(t, want.Location, j.Location != nil, "%s: location", j.Status)
	require.Equal(t, want.ETA, j.ETA != nil, "%s: eta", j.Status)
	if want.Price {
		require.NotNil(t, j.Price, "%s: price", j.Status)
	}
}

func TestPrebookingPassesThroughEveryStatus(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1})
	pickup := tn.clock.Now().Add(2 * time.Hour)
	ref := tn.book(1, pickup, station, hospital)
	require.Equal(t, taxi.Held, tn.status(ref).Status)

	for _, s := range taxi.Statuses()[:7] {
		j := tn.until(ref, s)
		requirePresence(t, j)
		now := tn.clock.Now()
		switch s {
		case taxi.Waiting:
			require.Equal(t, pickup.Add(-15*time.Minute), now, "released at the lead time, to the millisecond")
		case taxi.EnRoute:
			require.Less(t, now, pickup)
		case taxi.Arrived:
			require.Equal(t, taxi.ETA{Value: 0, Unit: taxi.UnitMinutes}, *j.ETA)
			require.WithinDuration(t, pickup.Add(-3*time.Minute), now, time.Second, "a little early")
			require.Equal(t, *station.Location, *j.Location)
		case taxi.POB:
			require.False(t, now.Before(pickup), "nobody boards before the pickup time")
		case taxi.Complete:
			require.Equal(t, taxi.Fixed, j.Price.Type)
		}
	}
	require.Equal(t, 40, tn.cars()[simulator.CarFree])
}

func TestImmediateBookingIsServedAsQuoted(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 2})
	booked := tn.clock.Now()
	ref := tn.asap(1, station, hospital)
	quoted := tn.status(ref)
	require.Equal(t, taxi.Waiting, quoted.Status)
	require.Equal(t, taxi.Estimated, quoted.Price.Type)

	tn.until(ref, taxi.EnRoute)
	require.Less(t, tn.clock.Now().Sub(booked), time.Minute)
	tn.until(ref, taxi.Arrived)
	require.InDelta(t, quoted.ETA.Value, tn.clock.Now().Sub(booked).Minutes(), 1.1, "the quote was honest")
	j := tn.until(ref, taxi.Complete)
	require.InDelta(t, quoted.Price.Value, j.Price.Value, 0.6, "the estimate was honest; waiting costs a little")
}

// TestETAOnBoardIncludesTimeAtStops checks that the ETA on board includes the time that the car
// stands at the stops on the way.
func TestETAOnBoardIncludesTimeAtStops(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 4})
	ref := tn.asap(1, station, hospital, harbour, station, hospital, harbour, station)
	eta := tn.until(ref, taxi.POB).ETA.Value
	start := tn.clock.Now()
	tn.until(ref, taxi.Complete)
	require.InDelta(t, math.Ceil(tn.clock.Now().Sub(start).Minutes()), eta, 0)
}

func TestJourneyWithoutADriverIsCancelled(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 6, Cars: 1})
	tn.until(tn.asap(1, station, york), taxi.POB) // the only car is away for hours
	booked := tn.clock.Now()
	ref := tn.asap(2, station, hospital)
	j := tn.until(ref, taxi.Cancelled)
	require.Equal(t, taxi.ReasonNoDriver, j.Data.Reason)
	require.Equal(t, 20*time.Minute, tn.clock.Now().Sub(booked))
}

func TestCarReturnsToTownAfterDistantDropOff(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 6, Cars: 1})
	tn.until(tn.asap(1, station, york), taxi.Complete)
	require.Equal(t, 1, tn.cars()[simulator.CarOffDuty])
	tn.advance(6 * time.Hour)
	require.Equal(t, 1, tn.cars()[simulator.CarFree])
	tn.until(tn.asap(2, station, hospital), taxi.Complete)
}

func TestAPartnerServesPickupsOutOfTown(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 7, Cars: 2})
	minster := taxi.Address{Address: "York Minster", Location: &taxi.Point{Longitude: -1.0823, Latitude: 53.9623}}
	booked := tn.clock.Now()
	ref := tn.asap(1, york, minster)
	j := tn.until(ref, taxi.EnRoute)
	d := metres(*j.Location, *york.Location)
	require.Greater(t, d, 450.0)
	require.Less(t, d, 2600.0)
	requirePresence(t, j)
	require.Equal(t, 2, tn.cars()[simulator.CarFree], "the firm's own cars stay")
	tn.until(ref, taxi.Complete)
	require.Less(t, tn.clock.Now().Sub(booked), 30*time.Minute)
	_, all := tn.world.Vehicles()
	require.Len(t, all, 2, "the partner's car has gone")
}

func TestConfigReturnsAnETA(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 9})
	c, err := tn.desk.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	require.Equal(t, taxi.UnitMinutes, c.ETA.Unit)
	require.Positive(t, c.ETA.Value)
}

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

func TestPickupEditReroutesTheCar(t *testing.T) {
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

func TestCompletedStopsAreNotRepeatedAfterEdit(t *testing.T) {
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
