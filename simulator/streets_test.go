package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

// smallTown is the four kilometres that worlds under test lie in.
var smallTown = streetmap.Default()

func TestStreetsTellOneStory(t *testing.T) {
	roads := simulator.Streets(smallTown)
	rapid.Check(t, func(t *rapid.T) {
		spot := func(name string) simulator.Spot {
			if rapid.Bool().Draw(t, name+" off the street") {
				half := int32(smallTown.Size) * 500
				x, y := rapid.Int32Range(-half, half).Draw(t, name+" x"), rapid.Int32Range(-half, half).Draw(t, name+" y")
				return simulator.SpotOf(smallTown.Point(streetmap.XY{X: x, Y: y}))
			}
			return roads.Door(rapid.Uint64().Draw(t, name))
		}
		from, to := spot("from"), spot("to")
		require.True(t, roads.Covers(from))
		if rapid.Bool().Draw(t, "asked before") {
			roads.Times([]simulator.Candidate{{Spot: to}, {Spot: from}}, to)
		}
		var r simulator.Route
		roads.Route(from, to, &r)
		length, took := roads.Drive(from, to)
		require.Equal(t, took, r.Took)
		require.Equal(t, length, r.Millimetres())
		require.Equal(t, took, simulator.Streets(smallTown).Times([]simulator.Candidate{{Spot: from}, {Spot: from}}, to)[1])

		require.Equal(t, from, r.At(-time.Second))
		require.Equal(t, from, r.At(0))
		require.Equal(t, to, r.At(r.Took))
		last := from
		for at := time.Duration(0); at <= r.Took+time.Second; at += time.Second {
			now := r.At(at)
			require.Less(t, metres(last.Point(), now.Point()), 28.0, "faster than any street allows, at %v of %v", at, r.Took)
			last = now
		}
		require.Equal(t, to, last)
	})
}

// TestStreetsCoverEveryDoor although some doors at the edge of a town are outside its square.
func TestStreetsCoverEveryDoor(t *testing.T) {
	roads := simulator.Streets(smallTown)
	for i := range smallTown.Doors() {
		d := smallTown.Door(smallTown.NthDoor(i))
		require.True(t, roads.Covers(simulator.SpotOf(smallTown.Point(d.At))), d)
	}
}

func TestStreetsReachAsFarAsTheTown(t *testing.T) {
	roads := simulator.Streets(smallTown)
	centre := roads.Centre().Point()
	near, far := centre, centre
	near.Latitude += 1.9 / 111.3
	far.Latitude += 2.1 / 111.3
	require.True(t, roads.Covers(simulator.SpotOf(near)))
	require.False(t, roads.Covers(simulator.SpotOf(far)))
	require.False(t, roads.Covers(simulator.SpotOf(*york.Location)))
}

func TestKnownStreetsCostNoMemory(t *testing.T) {
	roads := simulator.Streets(smallTown)
	var r simulator.Route
	n := uint64(0)
	drive := func() {
		from, to := roads.Door(n%50), roads.Door(n*7%50+50)
		roads.Drive(from, to)
		roads.Route(from, to, &r)
		r.At(r.Took / 2)
	}
	for range 500 { // until the spaces are large enough
		n++
		drive()
	}
	doors := testing.AllocsPerRun(100, func() { roads.Door(n % 50); roads.Door(n%50 + 50) })
	require.InDelta(t, doors, testing.AllocsPerRun(500, func() { n++; drive() }), 0.1)
}

func TestCarsOfATownStandAtItsRanks(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 20})
	_, all := tn.world.Vehicles()
	standing := map[taxi.Point]int{}
	for _, v := range all {
		standing[v.Location]++
	}
	for _, p := range smallTown.Places {
		if p.Kind == streetmap.Rank {
			require.Equal(t, 5, standing[smallTown.Point(p.At)], p.Name)
		}
	}
}

func TestACarGoesToTheRankWhenItIsFree(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown, Cars: 1})
	station, hospital := tn.place(streetmap.Station), tn.place(streetmap.Hospital)
	tn.until(tn.asap(1, station, hospital), taxi.Complete)
	_, all := tn.world.Vehicles()
	require.Equal(t, simulator.CarFree, all[0].State)
	require.Equal(t, *hospital.Location, all[0].Location, "it ended at the drop-off")
	tn.advance(15 * time.Minute)
	_, all = tn.world.Vehicles()
	require.Contains(t, ranks(smallTown), all[0].Location)
}

// place is the address of a kind of place of the town.
func (tn *town) place(kind streetmap.PlaceKind) taxi.Address {
	tn.Helper()
	p, ok := smallTown.PlaceOf(kind)
	require.True(tn, ok)
	return smallTown.Wire(p.Address)
}

func ranks(t *streetmap.Town) []taxi.Point {
	var all []taxi.Point
	for _, p := range t.Places {
		if p.Kind == streetmap.Rank {
			all = append(all, t.Point(p.At))
		}
	}
	return all
}

func TestThePeopleOfTheFixturesMoveToTown(t *testing.T) {
	tn := newTown(t, simulator.Options{Seed: 1, Town: smallTown})
	require.NoError(t, tn.world.Populate(t.Context(), fixtures.People()))
	roads := simulator.Streets(smallTown)
	live := tn.records.AllLive()
	require.NotEmpty(t, live)
	for _, j := range live {
		require.True(t, roads.Covers(simulator.SpotOf(*j.Pickup.Location)), j.Pickup.Address)
		require.True(t, roads.Covers(simulator.SpotOf(*j.Dropoffs[0].Location)), j.Dropoffs[0].Address)
		require.NotEqual(t, *j.Pickup, j.Dropoffs[0])
	}
}
