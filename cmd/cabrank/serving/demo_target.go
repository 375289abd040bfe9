package serving

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/town"
)

// advanceWithin limits the time for the world to bring a journey to a status.
const advanceWithin = 20 * time.Second

// walkSeed is the seed of the random walk, the same in every run, as in 'cabrank check'.
const walkSeed = 1

// target returns this system as a target of the conformance suite, with all the aids that it offers.
func (s *system) target() dispatchside.Target {
	t := dispatchside.Target{
		URL: s.url, Auth: s.credentials.Auth(), Now: cli.Now, Seed: walkSeed, Nonce: uint64(cli.Now().UnixNano()), Restart: func(ctx context.Context) error { return s.host().Restart(ctx) },
		Disabled: fixtures.PersonOf(fixtures.PersonDisabled).PhoneNumber, Blacklisted: fixtures.PersonOf(fixtures.PersonBlacklisted).PhoneNumber,
	}
	if s.open.url != "" {
		t.Advance = judging.AdvanceByURL(s.open.url+control.PathAdvance, s.open.token, advanceWithin)
	}
	if streets := s.town(); streets != nil {
		station, one := streets.PlaceOf(town.Station)
		airport, other := streets.PlaceOf(town.Airport)
		if one && other {
			t.Agreed = &dispatchside.AgreedRoute{Pickup: streets.Wire(station.Address), Dropoff: streets.Wire(airport.Address)}
		}
	}
	return t
}
