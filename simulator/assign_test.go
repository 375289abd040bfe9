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

// TestRankQueueOffersToLongestWaitingCar checks that a job is offered to the car that has waited longest
// at the rank, and that a car which comes back queues behind the others.
func TestRankQueueOffersToLongestWaitingCar(t *testing.T) {
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

// carOf returns the id of the car that serves a journey.
func (tn *town) carOf(ref taxi.JourneyRef) string {
	tn.Helper()
	j, err := tn.records.Journey(tn.Context(), ref.JourneyID)
	require.NoError(tn, err)
	return j.VehicleID
}

// TestFreeCarIsPreferredToOneThatClearsLate checks that a free car on the other side of an open
// plane is sent to a pickup, and not the car that drops off a passenger there in more than
// seven minutes: much may happen until then.
func TestFreeCarIsPreferredToOneThatClearsLate(t *testing.T) {
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

// TestNextJobIsAcceptedWhenTheRideEnds checks that a car with a passenger can be promised its next
// job, and accepts it at the moment at which it finishes the current one.
func TestNextJobIsAcceptedWhenTheRideEnds(t *testing.T) {
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

// TestNextJobIsReofferedIfTheRideGetsLonger checks that a job which was promised to a car is
// given to another one if the current ride of the first becomes longer.
func TestNextJobIsReofferedIfTheRideGetsLonger(t *testing.T) {
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
