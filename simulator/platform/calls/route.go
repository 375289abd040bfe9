package calls

import (
	"errors"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// route returns the routes to a target of an account's call.
func (c *Calls) route(call voice.Info, target voice.Target) ([]voice.Route, error) {
	a, known := c.opts.Records.Account(call.Owner)
	if !known {
		return nil, &voice.Failure{Cause: voice.CauseUnrouted, Reason: "the account is gone"}
	}
	if far, held := c.role(call, target); held {
		return c.by(far), nil
	}
	switch {
	case target.PhoneNumber != nil:
		digits, err := c.opts.Numbers.Read(target.PhoneNumber.Number, a.Country)
		if err != nil {
			return nil, unreachable(err)
		}
		if ddi, ours := c.opts.Records.Number(digits); ours {
			return c.within(call, ddi), nil
		}
		return c.by(phones.Far{Kind: phones.Number, Account: a.ID, Address: digits, To: international(digits)}), nil
	case target.Extension != nil:
		return c.extension(call, a, *target.Extension)
	case target.Device != nil:
		row, known := c.opts.Records.Devices.Get(a.ID, target.Device.ID)
		if !known {
			return nil, unreachable(errors.New("no such device"))
		}
		return c.device(call, a, row.Value, "")
	case target.SIPURI != nil:
		return c.address(a, *target.SIPURI)
	}
	return nil, unreachable(errors.New("no such target"))
}

// role returns the phone attached for a role that a plugin calls, such as the driver; held is false if there is none.
// The phone does not see the phone number of that person. A phone attached as that number or extension takes
// precedence.
func (c *Calls) role(call voice.Info, target voice.Target) (far phones.Far, held bool) {
	if target.Role == "" {
		return far, false
	}
	switch {
	case target.PhoneNumber != nil:
		digits, err := c.opts.Numbers.Read(target.PhoneNumber.Number, "")
		if err != nil || c.opts.Phones.Attached(phones.Far{Kind: phones.Number, Address: digits}) {
			return far, false
		}
	case target.Extension != nil && c.opts.Phones.HasExtension(call.Owner, target.Extension.Extension):
		return far, false
	}
	far = phones.Far{Kind: phones.Role, Account: call.Owner, Address: target.Role, To: target.Role}
	return far, c.opts.Phones.Attached(far)
}

func unreachable(err error) error {
	cause := voice.CauseUnrouted
	if errors.Is(err, api.ErrEmergency) {
		cause = voice.CauseOf(403)
	}
	return &voice.Failure{Cause: cause, Reason: err.Error()}
}

// by returns the single route to a far end. The far end sees the caller's number that the engine offers.
func (c *Calls) by(far phones.Far) []voice.Route {
	return []voice.Route{func(offer voice.Offer) voice.Leg {
		far.From = offer.From
		return c.reach(far)(offer)
	}}
}

// extension returns the routes to the phone that is attached as an extension, or to its
// device.
func (c *Calls) extension(call voice.Info, a *records.Account, e voice.Extension) ([]voice.Route, error) {
	far := phones.Far{Kind: phones.Extension, Account: a.ID, Address: e.Extension, To: e.Extension}
	if e.OverrideTo != "" {
		far.To = e.OverrideTo
	}
	if c.attached(far) {
		return c.by(far), nil
	}
	d, known := c.deviceOf(a.ID, e.Extension)
	if !known {
		return nil, unreachable(errors.New("no such extension"))
	}
	return c.device(call, a, d, e.OverrideTo)
}

func (c *Calls) deviceOf(account, extension string) (api.Device, bool) {
	for _, row := range c.opts.Records.Devices.List(account) {
		if extension != "" && row.Value.Extension == extension {
			return row.Value, true
		}
	}
	return api.Device{}, false
}

// device returns the routes to a device: a gateway by its trunks in order, each tried if
// the previous one fails; a phone attached as its extension takes precedence.
func (c *Calls) device(call voice.Info, a *records.Account, d api.Device, to string) ([]voice.Route, error) {
	if far := (phones.Far{Kind: phones.Extension, Account: a.ID, Address: d.Extension, To: d.Extension}); d.Extension != "" && c.attached(far) {
		return c.by(far), nil
	}
	if d.SIPGateway == nil {
		return nil, unreachable(errors.New("no call can be led to a device of type " + d.Type))
	}
	if to == "" {
		to = call.To
	}
	if err := c.checkCallable(to, d.SIPGateway.CountryCode); err != nil {
		return nil, err
	}
	var ways []voice.Route
	for _, t := range c.trunks(a.ID, d.SIPGateway.Trunks) {
		ways = append(ways, c.trunk(a, t, d, to))
	}
	if len(ways) == 0 {
		return nil, &voice.Failure{Cause: voice.CauseTransport, Reason: "the device has no trunk"}
	}
	return ways, nil
}

// trunks returns trunks in the order in which they are tried: first those in the
// platform's zone, or if it has none, in the zone of the first trunk; otherwise in their
// listed order.
func (c *Calls) trunks(account string, ids []string) []api.Trunk {
	var near, others []api.Trunk
	zone := c.opts.Zone
	for i, id := range ids {
		row, known := c.opts.Records.Trunks.Get(account, id)
		if !known {
			continue
		}
		if i == 0 && zone == "" {
			zone = row.Value.Zone
		}
		if strings.EqualFold(row.Value.Zone, zone) {
			near = append(near, row.Value)
		} else {
			others = append(others, row.Value)
		}
	}
	return append(near, others...)
}

// trunk returns the route to a telephone system, with numbers in its formats.
func (c *Calls) trunk(a *records.Account, t api.Trunk, d api.Device, to string) voice.Route {
	return func(offer voice.Offer) voice.Leg {
		return c.reach(phones.Far{
			Kind: phones.Trunk, Account: a.ID, Address: t.ID, Port: t.Port,
			From: c.spell(offer.From, t.CallerFormat, t.CountryCode, d.SIPGateway.CountryCode),
			To:   c.spell(to, t.CalledFormat, t.CountryCode, d.SIPGateway.CountryCode),
		})(offer)
	}
}

// spell formats a number for a trunk; other texts are unchanged.
func (c *Calls) spell(number, format, country, reads string) string {
	digits, err := c.opts.Numbers.Read(number, reads)
	if err != nil {
		return number
	}
	return api.FormatNumber(digits, format, country)
}

// callerID returns the number that a target sees: one of the account's own, or none. For
// a gateway, its setting decides.
func (c *Calls) callerID(call voice.Info, wanted string) string {
	a, known := c.opts.Records.Account(call.Owner)
	if !known {
		return voice.Anonymous
	}
	c.mu.Lock()
	var gateway *api.SIPGateway
	if w := c.walks[call.ID]; w != nil {
		gateway = w.at.SIPGateway
	}
	c.mu.Unlock()
	switch {
	case gateway == nil:
		return c.owned(a, wanted)
	case gateway.Present == api.PresentPassThrough:
		return call.From
	case gateway.Present == api.PresentPrivacy:
		return voice.Anonymous
	}
	digits, err := c.opts.Numbers.Read(gateway.Present, a.Country)
	if err != nil {
		return voice.Anonymous
	}
	return international(digits)
}

// owned returns a number if it is the account's own, and otherwise its main billing
// number. Decision: nobody can show a number that is not theirs.
func (c *Calls) owned(a *records.Account, wanted string) string {
	if strings.EqualFold(wanted, voice.Anonymous) {
		return voice.Anonymous
	}
	digits, err := c.opts.Numbers.Read(wanted, a.Country)
	if err != nil {
		return international(a.MBN)
	}
	if ddi, known := c.opts.Records.Number(digits); digits == a.MBN || known && ddi.Account == a.ID {
		return international(digits)
	}
	return international(a.MBN)
}

// within returns the route to a number of this platform: a new incoming call that is connected to this one. Both calls
// together may pass only as many devices as one call, so that a number cannot call itself endlessly.
func (c *Calls) within(call voice.Info, ddi *records.DDI) []voice.Route {
	hops := c.hops(call.ID)
	return []voice.Route{func(offer voice.Offer) voice.Leg {
		info := voice.Info{ID: offer.LegID, From: international(strings.TrimPrefix(offer.From, "+"))}
		if offer.LegID == call.ID { // a placed call is its own first leg
			info.ID = c.NewID()
		}
		if ddi.Account == call.Owner { // an account only sees its own calls
			info.Parent = call.ID
		}
		return c.opts.Phones.Tie(func(leg voice.Leg) error { return c.receive(ddi, leg, info, hops) })
	}}
}

// hops returns how many devices a call has passed so far; 0 if it is in no flow.
func (c *Calls) hops(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.walks[id]; w != nil {
		return w.hops
	}
	return 0
}
