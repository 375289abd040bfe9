package town_test

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
)

func TestRoutesMatchBruteForceSearch(t *testing.T) {
	tn := town.Default()
	r := tn.NewRouter()
	chance := rand.New(rand.NewPCG(1, 2))
	var path []town.Step
	var from town.Kerb
	var cost []int64
	for i := range 2_000 {
		if i%10 == 0 { // ten ways from each
			from = randomKerb(chance, tn)
			cost = relaxed(tn, from)
		}
		to := randomKerb(chance, tn)
		if i%5 == 0 { // both on one link, or on one and the next
			to.Link = min(from.Link+int32(i%10/5), int32(len(tn.Links)-1))
			to.Offset = chance.Int32N(tn.Links[to.Link].Length + 1)
		}
		route, ok := r.Route(from, to, path)
		path = route.Steps
		require.True(t, ok)
		want := shortest(tn, cost, from, to)
		require.Equal(t, want, route.Duration, "from %v to %v", from, to)
		require.Equal(t, []int64{want}, r.ETAs([]town.Kerb{from}, to, nil))
		mm, ms := r.Measure(from, to)
		require.Equal(t, [...]int64{route.Length, want}, [...]int64{mm, ms})
		checkSteps(t, tn, &route)
	}
}

// checkSteps checks that each step of a route begins where the one before ended, that one-way
// streets are respected, and that the sums are right.
func checkSteps(t *testing.T, tn *town.Town, r *town.Route) {
	t.Helper()
	length, at := int64(0), int32(-1)
	for i, s := range r.Steps {
		l := tn.Links[s.Arc>>1]
		from, to := l.From, l.To
		if s.Arc&1 == 1 {
			from, to = to, from
			if l.OneWay {
				t.Fatalf("step %d goes against a one-way street", i)
			}
		}
		if i > 0 && (at != from || s.Until < r.Steps[i-1].Until) {
			t.Fatalf("step %d does not begin where the last ended", i)
		}
		at = to
		length += int64(l.Length)
	}
	if n := len(r.Steps); n > 1 {
		require.EqualValues(t, r.Duration, r.Steps[n-1].Until)
		length -= travelled(tn, r.Steps[0].Arc, r.From)
		last := r.Steps[n-1].Arc
		length -= int64(tn.Links[last>>1].Length) - travelled(tn, last, r.To)
		require.Equal(t, length, r.Length)
	}
	require.Equal(t, tn.At(r.From), r.At(0))
	require.Equal(t, tn.At(r.To), r.At(r.Duration))
}

func travelled(tn *town.Town, arc int32, k town.Kerb) int64 {
	if arc&1 == 0 {
		return int64(k.Offset)
	}
	return int64(tn.Links[k.Link].Length - k.Offset)
}

// relaxed returns the costs from a kerb to all nodes, by the algorithm that is hardest to get
// wrong: it goes over all links again and again until no node gets nearer.
func relaxed(tn *town.Town, from town.Kerb) []int64 {
	const far = math.MaxInt64 / 2
	cost := make([]int64, len(tn.Nodes))
	for i := range cost {
		cost[i] = far
	}
	l := tn.Links[from.Link]
	cost[l.To] = tn.ArcCost(2*from.Link, from.Offset, l.Length)
	if !l.OneWay {
		cost[l.From] = min(cost[l.From], tn.ArcCost(2*from.Link+1, l.Length-from.Offset, l.Length))
	}
	for changed := true; changed; {
		changed = false
		for i, l := range tn.Links {
			if c := cost[l.From] + tn.ArcCost(int32(2*i), 0, l.Length); c < cost[l.To] {
				cost[l.To], changed = c, true
			}
			if c := cost[l.To] + tn.ArcCost(int32(2*i+1), 0, l.Length); !l.OneWay && c < cost[l.From] {
				cost[l.From], changed = c, true
			}
		}
	}
	return cost
}

// shortest returns the cost of the shortest way between two kerbs, from the costs to the nodes
// that relaxed returns.
func shortest(tn *town.Town, cost []int64, from, to town.Kerb) int64 {
	l := tn.Links[to.Link]
	best := cost[l.From] + tn.ArcCost(2*to.Link, 0, to.Offset)
	if !l.OneWay {
		best = min(best, cost[l.To]+tn.ArcCost(2*to.Link+1, 0, l.Length-to.Offset))
	}
	if from.Link == to.Link {
		if from.Offset <= to.Offset {
			best = min(best, tn.ArcCost(2*to.Link, from.Offset, to.Offset))
		} else if !l.OneWay {
			best = min(best, tn.ArcCost(2*to.Link+1, l.Length-from.Offset, l.Length-to.Offset))
		}
	}
	return best
}

func randomKerb(chance *rand.Rand, tn *town.Town) town.Kerb {
	link := chance.Int32N(int32(len(tn.Links)))
	return town.Kerb{Link: link, Offset: chance.Int32N(tn.Links[link].Length + 1)}
}

func TestRoutePositionsFollowTheStreets(t *testing.T) {
	tn := town.Default()
	r := tn.NewRouter()
	chance := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		from, to := randomKerb(chance, tn), randomKerb(chance, tn)
		route, ok := r.Route(from, to, nil)
		require.True(t, ok)
		before := route.At(-1)
		for ms := int64(0); ms <= route.Duration; ms += 1_000 {
			p := route.At(ms)
			require.LessOrEqual(t, gap(before, p), 27.0, "a second takes a car at most 27 m")
			require.LessOrEqual(t, gap(p, tn.At(tn.Kerb(p))), 0.01, "a car stays on the street")
			before = p
		}
		last := int64(-1)
		for ms, p := range route.Bends() {
			require.Greater(t, ms, last-1)
			require.LessOrEqual(t, gap(p, route.At(ms)), 0.03, "a car is at a bend when the bend says so")
			last = ms
		}
		require.Equal(t, route.Duration, last)
		onwards, ok := r.Route(route.KerbAt(route.Duration/2), to, nil)
		require.True(t, ok)
		require.InDelta(t, float64(route.Duration-route.Duration/2), float64(onwards.Duration), 5,
			"from half-way there is half the way to go")
	}
}

// gap returns metres between two points.
func gap(a, b town.XY) float64 {
	return math.Hypot(float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y)) / 1000
}

// TestRoutingAllocatesNothing checks that a search for a route allocates no memory. It counts
// in a process of its own: the runtime counts what all goroutines allocate, and other tests
// leave some that prepare the routes of their towns.
func TestRoutingAllocatesNothing(t *testing.T) {
	const alone = "TOWN_TEST_ALONE"
	if os.Getenv(alone) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestRoutingAllocatesNothing$")
		cmd.Env = append(os.Environ(), alone+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	tn := town.Default()
	r := tn.NewRouter()
	chance := rand.New(rand.NewPCG(5, 6))
	kerbs := make([]town.Kerb, 64)
	for i := range kerbs {
		kerbs[i] = randomKerb(chance, tn)
	}
	path, etas := make([]town.Step, 0, 1024), make([]int64, 0, 8)
	run := func() {
		for i := range kerbs {
			route, _ := r.Route(kerbs[i], kerbs[(i+7)%64], path)
			_ = route.At(route.Duration / 2)
			etas = r.ETAs(kerbs[:8], kerbs[i], etas[:0])
			r.Measure(kerbs[i], kerbs[(i+9)%64])
		}
	}
	// AllocsPerRun runs it once before it counts, so that scratch space grows to what it needs.
	require.Zero(t, testing.AllocsPerRun(1, run))
}
