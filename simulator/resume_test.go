package simulator_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// TestEditedRideEndsTheSameAfterRestart checks that a ride whose drop-offs were edited on board
// ends at the same place and time, and at the same price, after a restart.
func TestEditedRideEndsTheSameAfterRestart(t *testing.T) {
	for name, now := range map[string][]taxi.Address{
		"elsewhere":            {harbour},
		"further":              {hospital, harbour},
		"there and back again": {hospital, station, hospital},
	} {
		t.Run(name, func(t *testing.T) {
			records := store.Memory()
			before := openTown(t, records, simulator.Options{Seed: 1, Town: smallTown})
			ref := before.asap(1, station, hospital)
			before.until(ref, taxi.POB)
			before.advance(time.Minute)
			before.edit(ref, func(r *taxi.BookRequest) { r.Dropoffs = now })
			before.advance(time.Minute)
			before.edit(ref, func(r *taxi.BookRequest) {
				r.Dropoffs = slices.Clone(r.Dropoffs)
				r.Dropoffs[0].Address = "the same place, by another name"
			})
			was, stopped := before.status(ref), before.clock.Now()

			after := openTown(t, store.FromImage(records.Image(), store.Options{}), simulator.Options{Seed: 1, Town: smallTown, Start: stopped})
			requireSame(t, was, after.status(ref))
			want, got := before.until(ref, taxi.Complete), after.until(ref, taxi.Complete)
			require.Equal(t, before.clock.Now(), after.clock.Now())
			require.Equal(t, want.Price, got.Price)
			_, all := after.world.Vehicles()
			require.Contains(t, places(all), *now[len(now)-1].Location)
		})
	}
}

// TestRideCostsTheSameAfterRestart checks that a ride costs the same wherever a restart interrupts
// it: the meter, the completed stops and the way continue.
func TestRideCostsTheSameAfterRestart(t *testing.T) {
	records := store.Memory()
	before := openTown(t, records, simulator.Options{Seed: 1, Town: smallTown})
	ref := before.asap(1, station, hospital, station, hospital, harbour)
	before.until(ref, taxi.POB)
	var later []*town
	for before.status(ref).Status == taxi.POB {
		later = append(later, openTown(t, store.FromImage(records.Image(), store.Options{}), simulator.Options{Seed: 1, Town: smallTown, Start: before.clock.Now()}))
		before.advance(3 * time.Minute)
	}
	want := before.status(ref)
	require.Greater(t, len(later), 4)
	for _, after := range later {
		require.Equal(t, want.Price, after.until(ref, taxi.Complete).Price)
	}
}

// TestOutdatedDriveIsReroutedAfterRestart checks that a car whose stored drive leads elsewhere
// than its journey turns where it is, and drives to the places of the journey.
func TestOutdatedDriveIsReroutedAfterRestart(t *testing.T) {
	for _, s := range []taxi.Status{taxi.EnRoute, taxi.POB} {
		t.Run(string(s), func(t *testing.T) {
			records := store.Memory()
			before := openTown(t, records, simulator.Options{Seed: 3, Cars: 1})
			ref := before.asap(1, station, hospital)
			before.until(ref, s)
			before.advance(20 * time.Second)
			was := before.status(ref)
			_, err := records.Apply(func(tx *store.Tx) error {
				j, err := tx.Journey(ref.JourneyID)
				require.NoError(t, err)
				j.Pickup, j.Dropoffs = &harbour, []taxi.Address{airport}
				tx.PutJourney(j)
				return nil
			})
			require.NoError(t, err)

			after := openTown(t, records, simulator.Options{Seed: 3, Cars: 1, Start: before.clock.Now()})
			require.Equal(t, was.Location, after.status(ref).Location, "the car does not jump")
			after.until(ref, taxi.Complete)
			_, all := after.world.Vehicles()
			require.Contains(t, places(all), *airport.Location)
		})
	}
}

// TestWorldCatchesUpAfterRestart checks that what fell due while no process ran the world happens as soon
// as it is opened.
func TestWorldCatchesUpAfterRestart(t *testing.T) {
	records := store.Memory()
	before := openTown(t, records, simulator.Options{Seed: 1})
	held := before.book(1, before.clock.Now().Add(2*time.Hour), station, hospital)
	riding := before.asap(2, station, hospital)
	before.until(riding, taxi.POB)

	after := openTown(t, records, simulator.Options{Seed: 1, Start: before.clock.Now().Add(3 * time.Hour)})
	require.Equal(t, taxi.Complete, after.status(riding).Status)
	require.Equal(t, taxi.Waiting, after.status(held).Status)
	after.until(held, taxi.Complete)
}

func TestASmallerFleetFinishesTheJobsOfALarger(t *testing.T) {
	records := store.Memory()
	before := openTown(t, records, simulator.Options{Seed: 1, Cars: 20})
	refs := make([]taxi.JourneyRef, 10)
	for i := range refs {
		refs[i] = before.asap(i, station, hospital)
	}
	before.until(refs[9], taxi.POB)
	after := openTown(t, records, simulator.Options{Seed: 1, Cars: 1})
	for _, ref := range refs {
		after.until(ref, taxi.Complete)
	}
	require.Equal(t, map[simulator.CarState]int{simulator.CarFree: 1}, after.cars())
}

// requireSame compares what a caller sees before and after a restart.
func requireSame(t *testing.T, was, is taxi.Journey) {
	t.Helper()
	require.Equal(t, was.Status, is.Status)
	require.Equal(t, was.Location, is.Location, "the car does not jump")
	require.Equal(t, was.Driver, is.Driver)
	if was.ETA != nil {
		require.InDelta(t, was.ETA.Value, is.ETA.Value, 1)
	}
}
