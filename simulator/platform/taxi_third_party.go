package platform

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// ThirdParty is the dispatch system that taxis are booked with.
type ThirdParty struct {
	URL   string // "": none
	Auth  string // as taxi.ParseAuth reads it
	Roots string // PEM certificates to trust besides the system's

	Places []booking.Place // where its callers may want to go; nil: as it is set
}

// CheckThirdParty says what is wrong with the base address of a dispatch system,
// without repeating it.
func CheckThirdParty(base string) error { return operations.CheckReach(base, true) }

// UseThirdParty has every account book its taxis with a third party from now on. It may be on a
// private network, unlike those that are set over the API.
func (p *Platform) UseThirdParty(ctx context.Context, third ThirdParty) error {
	p.taxi.Trust(third.URL)
	return p.records.Write(ctx, func(tx *records.Tx) error {
		for _, o := range p.records.Organisations() {
			for _, a := range p.records.Accounts(o.ID) {
				s, _ := p.taxi.Settings(a.ID)
				s.ThirdParty, s.Auth, s.Roots = third.URL, third.Auth, third.Roots
				if third.Places != nil {
					s.Places = third.Places
				}
				if err := p.taxi.Keep(ctx, tx, a.ID, s); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
