package simulator

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

func TestEventsComeInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var all []event
		for i, at := range rapid.SliceOfN(rapid.Int64Range(0, 9), 1, 60).Draw(t, "at") {
			e := event{at: moment(at), seq: uint64(i)}
			all = append(all, e)
			q.push(e)
			if rapid.IntRange(0, 3).Draw(t, "pop") == 0 {
				slices.SortFunc(all, bySeq)
				require.Equal(t, all[0], q.pop())
				all = all[1:]
			}
		}
		slices.SortFunc(all, bySeq)
		for _, want := range all {
			at, ok := q.next()
			require.True(t, ok)
			require.Equal(t, want.at, at)
			require.Equal(t, want, q.pop())
		}
		_, ok := q.next()
		require.False(t, ok)
	})
}

func bySeq(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq)) }

func TestTheGridFindsTheNearest(t *testing.T) {
	centre := Spot{21_000_000, 547_000_000}
	rapid.Check(t, func(t *rapid.T) {
		spot := func(name string) Spot {
			reach := rapid.SampledFrom([]int64{1_000_000, 30_000_000}).Draw(t, name+" reach") // mm; some are off the grid
			return centre.offset(rapid.Int64Range(-reach, reach).Draw(t, name+" east"), rapid.Int64Range(-reach, reach).Draw(t, name+" north"))
		}
		few := rapid.Bool().Draw(t, "few")
		cars := rapid.IntRange(1, 40).Draw(t, "cars")
		if !few {
			cars *= 10 // so that cells are smaller than the way to the last of a shortlist
		}
		g := newGrid(centre.offset(-2e6, -2e6), centre.offset(2e6, 2e6), cars)
		var free []int32
		crowd := chance.From(rapid.Uint64().Draw(t, "crowd"))
		for i := range int32(cars) {
			if few {
				g.put(i, spot("car"))
			} else {
				g.put(i, centre.offset(crowd.Below(4e6)-2e6, crowd.Below(4e6)-2e6))
			}
			free = append(free, i)
		}
		gone := int32(rapid.IntRange(0, cars-1).Draw(t, "gone"))
		g.take(gone)
		g.take(gone) // once is enough
		from := centre.offset(rapid.Int64Range(-15e6, 15e6).Draw(t, "east"), rapid.Int64Range(-15e6, 15e6).Draw(t, "north"))
		fits := func(c int32) bool { return c%3 != 0 }
		free = slices.DeleteFunc(free, func(c int32) bool { return c == gone || !fits(c) })
		slices.SortFunc(free, func(a, b int32) int {
			return cmp.Or(cmp.Compare(apart2(g, from, a), apart2(g, from, b)), cmp.Compare(a, b))
		})
		require.Equal(t, free[:min(len(free), shortlist)], g.nearest(from, []int32{}, fits))
	})
}

// apart2 is the square of the distance from a spot to a car in the grid.
func apart2(g *grid, from Spot, car int32) int64 {
	a, b := g.plane(from), g.plane(g.spots[car])
	x, y := int64(a.X)-int64(b.X), int64(a.Y)-int64(b.Y)
	return x*x + y*y
}

func TestDistances(t *testing.T) {
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
		require.InDelta(t, c.km, float64(distance(c.a, c.b))/1e6, c.km/1000, c.name)
		require.Equal(t, distance(c.a, c.b), distance(c.b, c.a), c.name)
	}
}

func TestOffsetsLeadWhereTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := Spot{rapid.Int32Range(-1_800_000_000, 1_800_000_000).Draw(t, "lon"), rapid.Int32Range(-850_000_000, 850_000_000).Draw(t, "lat")}
		east, north := rapid.Int64Range(-3e6, 3e6).Draw(t, "east"), rapid.Int64Range(-3e6, 3e6).Draw(t, "north")
		want := math.Hypot(float64(east), float64(north))
		require.InDelta(t, want, float64(distance(from, from.offset(east, north))), want/100+50)
	})
}

func TestACosineIsACosine(t *testing.T) {
	for lat := int64(-900_000_000); lat <= 900_000_000; lat += 1_234_567 {
		want := math.Cos(float64(lat) / 1e7 * math.Pi / 180)
		require.InDelta(t, want, float64(cosine(lat))/(1<<cosineBits), 1e-6, lat)
	}
}

func TestWhereARouteIs(t *testing.T) {
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

func TestThePaceOfAPlane(t *testing.T) {
	p := Plane(Spot{0, 0})
	km := func(n int64) Spot { return Spot{0, 0}.offset(0, n*1_000_000) }
	mm, took := p.Drive(Spot{0, 0}, km(5))
	require.InDelta(t, 6_500_000, mm, 100)
	require.InDelta(t, 13, took.Minutes(), 0.01, "6.5 km at 30 km/h")
	mm, took = p.Drive(Spot{0, 0}, km(100))
	require.InDelta(t, 130_000_000, mm, 1000)
	require.InDelta(t, 20+80, took.Minutes(), 0.1, "10 km at 30 km/h and 120 km at 90 km/h")
	require.True(t, p.Covers(km(14)))
	require.False(t, p.Covers(km(16)))
}

func TestMinutesAreRoundedUp(t *testing.T) {
	for d, want := range map[time.Duration]float64{
		-time.Second: 1, 0: 1, time.Second: 1, time.Minute: 1, 61 * time.Second: 2, 2 * time.Minute: 2,
	} {
		require.InDelta(t, want, minutes(d).Value, 0, d)
	}
}

func TestATimelineDoesNotOverflow(t *testing.T) {
	wall := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	line := timeline{wall: func() time.Time { return wall }}
	line.move(0)
	line.setSpeed(MaxSpeed, false)
	wall = wall.Add(100*24*time.Hour + 100*time.Microsecond)
	require.Equal(t, moment(100*24*time.Hour/time.Millisecond*MaxSpeed+1000), line.now())
	require.Equal(t, 100*time.Nanosecond, line.wallUntil(line.now()+1))
	require.Zero(t, line.wallUntil(line.now()))
}

func TestLagsAreCountedWithinAnEighth(t *testing.T) {
	var l lags
	require.Zero(t, l.quantile(99))
	for i := range 1000 {
		l.add(time.Duration(i+1) * time.Millisecond)
	}
	require.InEpsilon(t, 500, l.quantile(50).Milliseconds(), 0.13)
	require.InEpsilon(t, 990, l.quantile(99).Milliseconds(), 0.13)
	require.Equal(t, time.Second, l.most)
	l.add(1000 * time.Hour)
	require.Equal(t, 1000*time.Hour, l.most)
	all := l.read()
	require.Equal(t, uint64(1001), all.Count)
	require.Equal(t, 500500*time.Millisecond+1000*time.Hour, all.Total)
	require.Equal(t, uint64(1), all.Below[1024*time.Microsecond], "exactly: two milliseconds are more")
	require.Equal(t, uint64(262), all.Below[262144*time.Microsecond])
	require.Equal(t, uint64(1000), all.Below[16777216*time.Microsecond])
	require.Len(t, all.Below, 10)
}

func TestDeadlinesRoundUp(t *testing.T) {
	sharp := time.Date(2026, 1, 1, 0, 0, 0, int(time.Millisecond), time.UTC)
	require.Equal(t, sharp, momentOf(sharp).time())
	require.Equal(t, sharp.Add(time.Millisecond), momentOf(sharp.Add(1)).time())
}

func TestWhichCarsMayStandIn(t *testing.T) {
	for asked, served := range map[string][]string{
		"":           {"saloon", "estate", "executive", "mpv", "minibus", "accessible"},
		"standard":   {"saloon", "estate", "executive", "mpv", "minibus", "accessible"},
		"Saloon":     {"saloon", "estate", "executive"},
		"estate":     {"estate", "mpv"},
		"executive":  {"executive"},
		"MPV":        {"mpv", "minibus"},
		"minibus":    {"minibus"},
		"accessible": {"accessible"},
	} {
		for _, has := range []string{"saloon", "estate", "executive", "mpv", "minibus", "accessible"} {
			require.Equal(t, slices.Contains(served, has), kindOf(has)&kindsFor(asked) != 0, "%s for %s", has, asked)
		}
	}
}
