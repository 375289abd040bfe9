package simulator_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// journeyCosts are what a journey of a town's day costs, in counts that are the same on
// every machine: events exactly, allocations and bytes but for the spaces that the runtime
// gives back, well within one percent.
type journeyCosts struct{ allocs, bytes, events float64 }

// costsOfAJourney lives through a day of the default town, with residents who book.
func costsOfAJourney(tb testing.TB) journeyCosts {
	tb.Helper()
	const day = 24 * time.Hour
	records := store.Memory()
	w, err := simulator.New(tb.Context(), records, simulator.Options{
		Seed: 1, Town: smallTown, Cars: 40, Start: simulator.Epoch.Truncate(day), Demand: simulator.Demand{PerHour: 40, Prebooked: 20},
	})
	require.NoError(tb, err)
	roads := simulator.Streets(smallTown)
	roads.Drive(roads.Door(0), roads.Door(1)) // waits until routes can be found
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	require.NoError(tb, w.Clock().Advance(tb.Context(), day))
	runtime.ReadMemStats(&after)
	all, err := records.Journeys(tb.Context(), 0)
	require.NoError(tb, err)
	n := float64(len(all))
	return journeyCosts{
		allocs: float64(after.Mallocs-before.Mallocs) / n,
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / n,
		events: float64(w.Stats().Events) / n,
	}
}

// labelsReadForARoute is how many entries of hub labels a route between two doors of a
// town takes, on the average of a thousand.
func labelsReadForARoute(t *streetmap.Town) float64 {
	const routes = 1000
	r := t.NewRouter()
	for i := range routes {
		from, to := t.NthDoor(i*t.Doors()/routes), t.NthDoor((i*7+13)%routes*t.Doors()/routes)
		r.Measure(t.Door(from).Kerb, t.Door(to).Kerb)
	}
	return float64(r.LabelsRead()) / routes
}

func TestCostsAreTheSameEachTime(t *testing.T) {
	once, again := costsOfAJourney(t), costsOfAJourney(t)
	t.Logf("a journey: %.2f allocations, %.0f bytes, %.3f events; a route: %.2f label entries",
		once.allocs, once.bytes, once.events, labelsReadForARoute(smallTown))
	require.Equal(t, once.events, again.events)
	require.InEpsilon(t, once.allocs, again.allocs, 0.01)
	require.InEpsilon(t, once.bytes, again.bytes, 0.01)
	require.Equal(t, labelsReadForARoute(smallTown), labelsReadForARoute(smallTown))
}
