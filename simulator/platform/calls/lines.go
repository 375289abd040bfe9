package calls

import (
	"net/url"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Lines are real telephone lines. A simulated telephone that is attached to a far end takes precedence over the real
// line there.
type Lines interface {
	// Leads reports whether a real line leads to a far end.
	Leads(far phones.Far) bool

	// Reach returns the route to a far end over a real line.
	Reach(far phones.Far) voice.Route
}

// reach returns the route to a far end.
func (c *Calls) reach(far phones.Far) voice.Route {
	if c.opts.Lines != nil && !c.opts.Phones.Attached(far) && c.opts.Lines.Leads(far) {
		return c.opts.Lines.Reach(far)
	}
	return c.opts.Phones.Reach(far)
}

// attached reports whether a telephone, simulated or real, can be called at a far end.
func (c *Calls) attached(far phones.Far) bool {
	return c.opts.Phones.Attached(far) || c.opts.Lines != nil && c.opts.Lines.Leads(far)
}

// isPhone reports whether an account has a telephone, simulated or real, as an extension.
func (c *Calls) isPhone(account, extension string) bool {
	return c.attached(phones.Far{Kind: phones.Extension, Account: account, Address: extension})
}

// address returns the route to a SIP address.
func (c *Calls) address(a *records.Account, to voice.SIPURI) ([]voice.Route, error) {
	if err := c.checkCallable(dialled(to.URI), a.Country); err != nil {
		return nil, err
	}
	return c.by(phones.Far{Kind: phones.SIP, Account: a.ID, Address: to.URI, To: to.URI, Login: to}), nil
}

// dialled returns the user part of a SIP address, unescaped and without password and parameters.
func dialled(uri string) string {
	_, user, _ := strings.Cut(uri, ":")
	user, _, _ = strings.Cut(user, "@")
	if plain, err := url.PathUnescape(user); err == nil {
		user = plain
	}
	if end := strings.IndexAny(user, ";:"); end >= 0 {
		user = user[:end]
	}
	return user
}

// checkCallable returns an error for a number that must not be called on a real line from a country.
func (c *Calls) checkCallable(number, country string) error {
	if c.opts.Lines == nil {
		return nil
	}
	digits, err := c.opts.Numbers.Read(number, country)
	switch {
	case api.EmergencyIn(number, country):
		return unreachable(api.ErrEmergency)
	case err == nil && api.Premium(digits):
		return &voice.Failure{Cause: voice.CauseOf(403), Reason: "the number is a premium one: those are never dialled"}
	}
	return nil
}

// ReceiveExtension handles a call to an extension of an account. The id comes from NewID; from is the caller as the
// far end sees them.
func (c *Calls) ReceiveExtension(id string, leg voice.Leg, account, from, extension string) error {
	_, known := c.deviceOf(account, extension)
	if !known && !c.isPhone(account, extension) {
		return api.Refuse(api.CodeNotFound, "no such extension")
	}
	release, err := c.enter(account)
	if err != nil {
		return err
	}
	dial := voice.Dial{Targets: []voice.Target{{Extension: &voice.Extension{Extension: extension}}}}
	_, err = c.engine.Receive(voice.Incoming{
		Info: voice.Info{ID: id, Owner: account, From: from, To: extension}, Leg: leg,
		Program: voice.Program{Verbs: voice.Document{dial}},
		Done: func(r voice.Result) {
			release()
			c.done(r)
		},
	})
	if err != nil {
		release()
		return refusal(err)
	}
	return nil
}
