package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/assign"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

func TestBatchAssignerWaitsForItsInterval(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 4, Assigner: assign.Batch{Every: time.Minute}})
	tn.advance(5 * time.Second)
	ref := tn.asap(1, tn.place(streetmap.Station), tn.place(streetmap.Hospital))
	tn.advance(54 * time.Second)
	require.Equal(t, 4, tn.cars()[simulator.CarFree], "nobody is asked before the beat")
	tn.advance(time.Second)
	require.Equal(t, 1, tn.cars()[simulator.CarAsked])
	tn.until(ref, taxi.Complete)
}

// Whoever has waited longest is asked, and who comes back waits behind the others.
func TestTheFirstAtTheRankIsAsked(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 12, Assigner: assign.RankQueue{}})
	station := tn.place(streetmap.Station)
	var asked []string
	for caller := range 4 {
		ref := tn.asap(caller, station, tn.place(streetmap.Hotel), station)
		tn.until(ref, taxi.Accepted)
		asked = append(asked, tn.carOf(ref))
		tn.until(ref, taxi.Complete)
		tn.advance(5 * time.Minute) // back in the queue
	}
	require.Equal(t, []string{"car-1", "car-5", "car-9", "car-1"}, asked)
}

// carOf is the car that has a journey.
func (tn *town) carOf(ref taxi.JourneyRef) string {
	tn.Helper()
	j, err := tn.records.Journey(tn.Context(), ref.JourneyID)
	require.NoError(tn, err)
	return j.VehicleID
}

// On an open plane, one car stands four kilometres to the west; the other needs
// eight minutes to drop somebody off where the next passenger waits. It would be
// there long before the first, but so much may happen in eight minutes.
func TestNobodyWaitsForACarThatClearsLate(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Cars: 2, Assigner: assign.NextToClear{}})
	west, east := place("West", -4, 0), place("East", 3.2, 0)
	far := tn.asap(1, station, west)
	tn.until(far, taxi.Complete)
	riding := tn.asap(2, station, east)
	require.Greater(t, tn.until(riding, taxi.POB).ETA.Value, 7.0)
	require.NotEqual(t, tn.carOf(far), tn.carOf(riding))
	next := tn.asap(3, east, station)
	tn.advance(time.Minute)
	require.Equal(t, taxi.EnRoute, tn.status(next).Status)
	require.Equal(t, tn.carOf(far), tn.carOf(next))
}

// A driver with somebody on board says yes, and has the job when he is free.
func TestTheNextJobWaitsForTheLast(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 1, Assigner: assign.NextToClear{}})
	station, hotel := tn.place(streetmap.Station), tn.place(streetmap.Hotel)
	riding := tn.asap(1, station, hotel)
	tn.until(riding, taxi.POB)
	next := tn.asap(2, hotel, station)
	seen, cancel := tn.world.Subscribe(1000)
	tn.until(riding, taxi.Complete)
	require.Equal(t, taxi.Accepted, tn.status(next).Status, "it was promised")
	cancel()
	finished, accepted := <-seen, <-seen
	require.Equal(t, dispatch.EventFinish, finished.Event, "no car has two jobs")
	require.Equal(t, dispatch.EventAccept, accepted.Event)
	require.Equal(t, finished.At, accepted.At)
	tn.until(next, taxi.Complete)
	require.Equal(t, 1, tn.cars()[simulator.CarFree])
}

// The driver who was promised the next job has to go on to York; it is offered to
// another as soon as there is one.
func TestALongerRideLeavesTheNextJobToOthers(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 2, Assigner: assign.NextToClear{}})
	station, hotel := tn.place(streetmap.Station), tn.place(streetmap.Hotel)
	waiting := tn.book(2, tn.clock.Now().Add(14*time.Minute), station, hotel)
	riding := tn.asap(1, station, hotel)
	tn.until(riding, taxi.POB)
	next := tn.asap(3, hotel, station)
	tn.advance(30 * time.Second)
	tn.edit(riding, func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{york} })
	_, err := tn.desk.Cancel(t.Context(), waiting)
	require.NoError(t, err)
	tn.advance(time.Minute)
	require.Equal(t, taxi.EnRoute, tn.status(next).Status)
}
