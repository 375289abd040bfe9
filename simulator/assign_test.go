package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

// riverside is roads on which the way from the west takes an hour longer.
type riverside struct{ road.Roads }

func (r riverside) Times(from []road.Candidate, to road.Spot) []time.Duration {
	took := r.Roads.Times(from, to)
	for i := range from {
		if from[i].Spot.Lon < to.Lon {
			took[i] += time.Hour
		}
	}
	return took
}

func spotAt(eastMetres int32) road.Spot {
	return road.Spot{Lon: 21_000_000 + eastMetres*155, Lat: 547_000_000}
}

func TestWhoIsAsked(t *testing.T) {
	roads := riverside{road.Plane(spotAt(0))}
	car := func(n int32, at int32) road.Candidate { return road.Candidate{Car: n, Spot: spotAt(at)} }
	first := func(c road.Candidate) road.Candidate { c.First = true; return c }
	clearing := func(c road.Candidate, in time.Duration) road.Candidate { c.FreeIn = in; return c }
	for name, c := range map[string]struct {
		policy     string
		candidates []road.Candidate
		want       int
	}{
		"nearest":                  {"nearest", []road.Candidate{car(1, -100), car(2, 200), car(3, 300)}, 0},
		"nearest by time":          {"eta", []road.Candidate{car(1, -100), car(2, 200), car(3, 300)}, 1},
		"the batch of one":         {"batch", []road.Candidate{car(1, -100), car(2, 200), car(3, 300)}, 1},
		"first at the rank":        {"rank", []road.Candidate{first(car(1, -100)), first(car(2, 200))}, 0},
		"all ranks are empty":      {"rank", []road.Candidate{car(1, -100), car(2, 200)}, 1},
		"the free one is nearer":   {"clear", []road.Candidate{car(1, 200), clearing(car(2, 100), time.Minute)}, 0},
		"one clears soon and near": {"clear", []road.Candidate{car(1, 2000), clearing(car(2, 100), time.Minute)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			policy, err := simulator.ParseAssigner(c.policy)
			require.NoError(t, err)
			jobs := []simulator.OpenJob{{Pickup: spotAt(0), Candidates: c.candidates}}
			policy.Assign(jobs, roads)
			require.Equal(t, c.want, jobs[0].Choice)
		})
	}
	_, err := simulator.ParseAssigner("whoever")
	require.Error(t, err)
}

func TestABatchWaitsForItsBeat(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 4, Assigner: simulator.Batch{Every: time.Minute}})
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
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 12, Assigner: simulator.RankQueue{}})
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
	tn := newTown(t, simulator.Options{Seed: 1, Cars: 2, Assigner: simulator.NextToClear{}})
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
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 1, Assigner: simulator.NextToClear{}})
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
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 2, Assigner: simulator.NextToClear{}})
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
