package simulator_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// A world is stopped while a journey has the status, and another is started over
// the same database.
func TestAWorldResumes(t *testing.T) {
	resume := func(t *testing.T, s taxi.Status, streets *streetmap.Town) {
		file := filepath.Join(t.TempDir(), "cabs.db")
		before := openTown(t, openStore(t, file), simulator.Options{Seed: 1, Town: streets})
		ref := before.book(1, before.clock.Now().Add(time.Hour), station, hospital, harbour)
		before.until(ref, s)
		before.advance(time.Second)
		was := before.status(ref)
		stopped := before.clock.Now()
		require.NoError(t, before.records.Close())

		after := openTown(t, openStore(t, file), simulator.Options{Seed: 1, Start: stopped, Town: streets})
		require.Equal(t, stopped, after.clock.Now())
		requireSame(t, was, after.status(ref))
		after.until(ref, taxi.Complete)
		require.Equal(t, 40, after.cars()[simulator.CarFree])
	}
	for _, s := range taxi.Statuses()[:6] {
		t.Run(string(s), func(t *testing.T) { resume(t, s, nil) })
		t.Run(string(s)+" in town", func(t *testing.T) { resume(t, s, smallTown) })
	}
}

func TestAResumedCarTurnsWhereTheEditTurnedIt(t *testing.T) {
	records := store.Memory()
	before := openTown(t, records, simulator.Options{Seed: 3, Cars: 1})
	ref := before.asap(1, station, hospital)
	before.until(ref, taxi.EnRoute)
	before.advance(10 * time.Second)
	corner := place("Corner", 0.2, 0.1)
	before.edit(ref, func(r *taxi.BookRequest) { r.Pickup = &corner })
	before.advance(20 * time.Second)

	after := openTown(t, records, simulator.Options{Seed: 3, Cars: 1, Start: before.clock.Now()})
	requireSame(t, before.status(ref), after.status(ref))
	require.Equal(t, *corner.Location, *after.until(ref, taxi.Arrived).Location)
}

func TestAResumedRideKeepsItsDoneStops(t *testing.T) {
	records := store.Memory()
	before := openTown(t, records, simulator.Options{Seed: 1})
	ref := before.asap(1, station, hospital, harbour)
	before.until(ref, taxi.POB)
	seen, cancel := before.world.Subscribe(1)
	defer cancel()
	require.NoError(t, before.clock.Until(t.Context(), time.Hour, func() bool { return len(seen) > 0 })) // the hospital
	before.advance(time.Minute)

	after := openTown(t, records, simulator.Options{Seed: 1, Start: before.clock.Now()})
	requireSame(t, before.status(ref), after.status(ref))
	rest, stop := after.world.Subscribe(10)
	defer stop()
	after.until(ref, taxi.Complete)
	require.Equal(t, dispatch.EventFinish, (<-rest).Event, "straight to the harbour")
}

func TestAWorldDoesNotGoBackInTime(t *testing.T) {
	records := store.Memory()
	before := openTown(t, records, simulator.Options{})
	before.advance(48 * time.Hour)
	before.asap(1, station, hospital)
	after := openTown(t, records, simulator.Options{})
	require.Equal(t, before.clock.Now(), after.clock.Now())
}

// What fell due while no world was there happens at once.
func TestAWorldCatchesUp(t *testing.T) {
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

func openStore(t *testing.T, file string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file, store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}
