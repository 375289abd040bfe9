package demand

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/simulator/town"
)

// settled returns the residents of the default town.
func settled(t *testing.T) *Residents {
	t.Helper()
	small := town.Default()
	o := Area{Seed: 1, Roads: road.Streets(small), Town: small, Zone: time.UTC}
	for _, p := range small.Places {
		o.Places = append(o.Places, fixtures.Place{Address: small.Wire(p.Address), Name: p.Name, Kind: string(p.Kind)})
	}
	r, err := New(Demand{PerHour: 1}, o)
	require.NoError(t, err)
	return r
}

// anywhere returns the distance to a random home or place that is more than 400 m away.
func (f *Residents) anywhere(draw *chance.Stream, from int) int64 {
	for {
		to := f.home(draw)
		if draw.Below(2) == 0 {
			to = f.place(draw)
		}
		if far := road.Distance(f.stops[from].spot, f.stops[to].spot); far > 400_000 {
			return far
		}
	}
}

// TestResidentsPreferNearbyDestinations checks that residents go to places that are closer than random
// ones, but more than 400 m away.
func TestResidentsPreferNearbyDestinations(t *testing.T) {
	f := settled(t)
	draw := chance.From(1)
	const rides = 4000
	var went, might int64
	for range rides {
		from := f.home(&draw)
		there := road.SpotOf(*f.destination(&draw, from)[0].Location)
		far := road.Distance(f.stops[from].spot, there)
		require.Greater(t, far, int64(400_000))
		went += far
		might += f.anywhere(&draw, from)
	}
	require.Less(t, went*100, might*95)
}
