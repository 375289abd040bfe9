package road

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/simulator/chance"
)

func TestTheGridFindsTheNearest(t *testing.T) {
	centre := Spot{21_000_000, 547_000_000}
	rapid.Check(t, func(t *rapid.T) {
		spot := func(name string) Spot {
			reach := rapid.SampledFrom([]int64{1_000_000, 30_000_000}).Draw(t, name+" reach") // mm; some are off the grid
			return centre.Offset(rapid.Int64Range(-reach, reach).Draw(t, name+" east"), rapid.Int64Range(-reach, reach).Draw(t, name+" north"))
		}
		few := rapid.Bool().Draw(t, "few")
		cars := rapid.IntRange(1, 40).Draw(t, "cars")
		if !few {
			cars *= 10 // so that cells are smaller than the way to the last of a shortlist
		}
		g := newGrid(centre.Offset(-2e6, -2e6), centre.Offset(2e6, 2e6), cars)
		var free []int32
		crowd := chance.From(rapid.Uint64().Draw(t, "crowd"))
		for i := range int32(cars) {
			if few {
				g.Put(i, spot("car"))
			} else {
				g.Put(i, centre.Offset(crowd.Below(4e6)-2e6, crowd.Below(4e6)-2e6))
			}
			free = append(free, i)
		}
		gone := int32(rapid.IntRange(0, cars-1).Draw(t, "gone"))
		g.Take(gone)
		g.Take(gone) // once is enough
		from := centre.Offset(rapid.Int64Range(-15e6, 15e6).Draw(t, "east"), rapid.Int64Range(-15e6, 15e6).Draw(t, "north"))
		fits := func(c int32) bool { return c%3 != 0 }
		free = slices.DeleteFunc(free, func(c int32) bool { return c == gone || !fits(c) })
		slices.SortFunc(free, func(a, b int32) int {
			return cmp.Or(cmp.Compare(apart2(g, from, a), apart2(g, from, b)), cmp.Compare(a, b))
		})
		const most = 8
		require.Equal(t, free[:min(len(free), most)], g.Nearest(from, most, []int32{}, fits))
	})
}

// apart2 is the square of the distance from a spot to a car in the grid.
func apart2(g *Grid, from Spot, car int32) int64 {
	a, b := g.plane(from), g.plane(g.spots[car])
	x, y := int64(a.X)-int64(b.X), int64(a.Y)-int64(b.Y)
	return x*x + y*y
}

func TestDistanceBetweenSpots(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b Spot
		km   float64
	}{
		{"a degree of latitude", Spot{0, 0}, Spot{0, 10_000_000}, 111.319},
		{"a degree on the equator", Spot{0, 0}, Spot{10_000_000, 0}, 111.319},
		{"a degree at 60° north", Spot{0, 600_000_000}, Spot{10_000_000, 600_000_000}, 55.66},
		{"a degree at 60° south", Spot{0, -600_000_000}, Spot{10_000_000, -600_000_000}, 55.66},
		{"over the date line", Spot{1_795_000_000, 0}, Spot{-1_795_000_000, 0}, 111.319},
		{"on the spot", Spot{5, 5}, Spot{5, 5}, 0},
	} {
		require.InDelta(t, c.km, float64(Distance(c.a, c.b))/1e6, c.km/1000, c.name)
		require.Equal(t, Distance(c.a, c.b), Distance(c.b, c.a), c.name)
	}
}

func TestOffsetMovesByTheGivenDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := Spot{rapid.Int32Range(-1_800_000_000, 1_800_000_000).Draw(t, "lon"), rapid.Int32Range(-850_000_000, 850_000_000).Draw(t, "lat")}
		east, north := rapid.Int64Range(-3e6, 3e6).Draw(t, "east"), rapid.Int64Range(-3e6, 3e6).Draw(t, "north")
		want := math.Hypot(float64(east), float64(north))
		require.InDelta(t, want, float64(Distance(from, from.Offset(east, north))), want/100+50)
	})
}

func TestIntegerCosineMatchesMath(t *testing.T) {
	for lat := int64(-900_000_000); lat <= 900_000_000; lat += 1_234_567 {
		want := math.Cos(float64(lat) / 1e7 * math.Pi / 180)
		require.InDelta(t, want, float64(cosine(lat))/(1<<cosineBits), 1e-6, lat)
	}
}

func TestRoutePositionOverTime(t *testing.T) {
	a, b := Spot{0, 0}, Spot{1000, 500}
	r := Route{From: a, To: b, Took: 20 * time.Second}
	for after, want := range map[time.Duration]Spot{
		-time.Second:     a,
		0:                a,
		10 * time.Second: {500, 250},
		15 * time.Second: {750, 375},
		20 * time.Second: b,
		time.Hour:        b,
	} {
		require.Equal(t, want, r.At(after), after)
	}
	pacific := Route{From: Spot{1_799_000_000, 0}, To: Spot{-1_799_000_000, 0}, Took: 4 * time.Second}
	require.Equal(t, Spot{1_799_500_000, 0}, pacific.At(time.Second))
	require.Equal(t, Spot{-1_799_500_000, 0}, pacific.At(3*time.Second))
}

func TestPlaneDriveLengthAndDuration(t *testing.T) {
	p := Plane(Spot{0, 0})
	km := func(n int64) Spot { return Spot{0, 0}.Offset(0, n*1_000_000) }
	mm, took := p.Drive(Spot{0, 0}, km(5))
	require.InDelta(t, 6_500_000, mm, 100)
	require.InDelta(t, 13, took.Minutes(), 0.01, "6.5 km at 30 km/h")
	mm, took = p.Drive(Spot{0, 0}, km(100))
	require.InDelta(t, 130_000_000, mm, 1000)
	require.InDelta(t, 20+80, took.Minutes(), 0.1, "10 km at 30 km/h and 120 km at 90 km/h")
	require.True(t, p.Covers(km(14)))
	require.False(t, p.Covers(km(16)))
}
