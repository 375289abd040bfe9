package platform

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/thirdparty"
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
func CheckThirdParty(base string) error { return thirdparty.CheckURL(base) }

// UseThirdParty has every account book its taxis with a third party from now on.
func (p *Platform) UseThirdParty(ctx context.Context, third ThirdParty) error {
	return p.records.Write(ctx, func(tx *records.Tx) error {
		for _, o := range p.records.Organisations() {
			for _, a := range p.records.Accounts(o.ID) {
				s, _ := p.taxiSettings(a.ID)
				s.ThirdParty, s.Auth, s.Roots = third.URL, third.Auth, third.Roots
				if third.Places != nil {
					s.Places = third.Places
				}
				if err := p.keepTaxi(ctx, tx, a.ID, s); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
