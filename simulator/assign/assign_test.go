package assign_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/road"
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

func TestPoliciesChooseExpectedCandidate(t *testing.T) {
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
			policy, err := assign.Parse(c.policy)
			require.NoError(t, err)
			jobs := []assign.OpenJob{{Pickup: spotAt(0), Candidates: c.candidates}}
			policy.Assign(jobs, roads)
			require.Equal(t, c.want, jobs[0].Choice)
		})
	}
	_, err := assign.Parse("whoever")
	require.Error(t, err)
}
