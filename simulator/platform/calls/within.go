package calls

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// within leads a call to a number of this platform: another call comes in there,
// and the two are tied together. It may not pass more devices than one call may,
// those of the calls before it included, so that no number can call itself for
// ever.
func (c *Calls) within(call voice.Info, ddi *records.DDI) []voice.Route {
	hops := c.hops(call.ID)
	return []voice.Route{func(offer voice.Offer) voice.Leg {
		info := voice.Info{ID: offer.LegID, From: international(strings.TrimPrefix(offer.From, "+"))}
		if offer.LegID == call.ID { // a call that was placed is its own first leg
			info.ID = c.NewID()
		}
		if ddi.Account == call.Owner { // an account sees calls of its own only
			info.Parent = call.ID
		}
		return c.opts.Phones.Tie(func(leg voice.Leg) error { return c.receive(ddi, leg, info, hops) })
	}}
}

// hops returns how many devices a call has passed so far.
func (c *Calls) hops(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.walks[id]; w != nil {
		return w.hops
	}
	return 0
}
