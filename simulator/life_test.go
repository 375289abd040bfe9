package simulator_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
)

// requirePresence holds a journey against the table of what each status shows.
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

func TestABookingMadeAheadLivesThroughEveryStatus(t *testing.T) {
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

func TestARideForNowComesAtOnce(t *testing.T) {
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

func TestTheLocationMovesTowardsThePassenger(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 3, Cars: 1})
	ref := tn.asap(1, station, hospital)
	far, eta := 1e9, 1e9
	for j := tn.until(ref, taxi.EnRoute); j.Status == taxi.EnRoute; j = tn.status(ref) {
		d := metres(*j.Location, *station.Location)
		require.Less(t, d, far)
		require.LessOrEqual(t, j.ETA.Value, eta)
		require.GreaterOrEqual(t, j.ETA.Value, 1.0)
		far, eta = d, j.ETA.Value
		tn.advance(10 * time.Second)
	}
	require.Less(t, far, 150.0)
}

// However many stops there are, the minutes told on board are those it takes.
func TestStandingAtStopsIsReckonedWith(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 4})
	ref := tn.asap(1, station, hospital, harbour, station, hospital, harbour, station)
	eta := tn.until(ref, taxi.POB).ETA.Value
	start := tn.clock.Now()
	tn.until(ref, taxi.Complete)
	require.InDelta(t, math.Ceil(tn.clock.Now().Sub(start).Minutes()), eta, 0)
}

func TestADriverCallsAtEveryDropOff(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 4})
	seen, cancel := tn.world.Subscribe(100)
	ref := tn.asap(1, station, hospital, harbour, station)
	eta := tn.until(ref, taxi.POB).ETA.Value
	start := tn.clock.Now()
	tn.until(ref, taxi.Complete)
	require.InDelta(t, eta, tn.clock.Now().Sub(start).Minutes(), 1, "the ETA was to the last drop-off")
	cancel()
	stops := 0
	for tr := range seen {
		if tr.Event == dispatch.EventStop {
			stops++
		}
	}
	require.Equal(t, 2, stops)
	_, all := tn.world.Vehicles()
	require.Contains(t, places(all), *station.Location, "the car stands at the last drop-off")
}

func TestCancellingFreesTheCar(t *testing.T) {
	for _, s := range []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived} {
		t.Run(string(s), func(t *testing.T) {
			tn := newTown(t, simulator.Options{Seed: 5, Cars: 3})
			ref := tn.book(1, tn.clock.Now().Add(time.Hour), station, hospital)
			tn.until(ref, s)
			_, err := tn.desk.Cancel(t.Context(), ref)
			require.NoError(t, err)
			require.Equal(t, map[simulator.CarState]int{simulator.CarFree: 3}, tn.cars())
			tn.advance(3 * time.Hour)
			require.Equal(t, taxi.Cancelled, tn.status(ref).Status, "nothing stirs the dead")
			require.Zero(t, tn.world.Stats().Void, "no event was sent in vain")
		})
	}
}

func TestACancelledOfferIsWithdrawn(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 5, Cars: 1})
	ref := tn.asap(1, station, hospital)
	tn.advance(16 * time.Second)
	require.Equal(t, 1, tn.cars()[simulator.CarAsked])
	_, err := tn.desk.Cancel(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, 1, tn.cars()[simulator.CarFree])
}

func TestNoCarInTime(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 6, Cars: 1})
	tn.until(tn.asap(1, station, york), taxi.POB) // the only car is away for hours
	booked := tn.clock.Now()
	ref := tn.asap(2, station, hospital)
	j := tn.until(ref, taxi.Cancelled)
	require.Equal(t, taxi.ReasonNoDriver, j.Data.Reason)
	require.Equal(t, 20*time.Minute, tn.clock.Now().Sub(booked))
}

func TestACarOutOfTownComesBack(t *testing.T) {
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

func TestAJourneyToTheAirportHasAnAgreedPrice(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 8, Places: []fixtures.Place{{Address: airport, Kind: "airport"}}})
	ref := tn.asap(1, station, airport)
	agreed := tn.status(ref).Price
	require.Equal(t, taxi.Fixed, agreed.Type)
	require.Equal(t, agreed, tn.until(ref, taxi.Complete).Price)
}

func TestConfigTellsATypicalWait(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 9})
	c, err := tn.desk.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	require.Equal(t, taxi.UnitMinutes, c.ETA.Unit)
	require.Positive(t, c.ETA.Value)
}
