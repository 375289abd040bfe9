package platform

import (
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// newDesk makes the taxi plugin.
func (p *Platform) newDesk() *booking.Desk {
	return booking.New(booking.Options{
		Now: p.now, Callers: p.opts.Callers, Settings: p.taxi.Settings, Number: p.callerNumber, Ring: p.ringDriver, Private: p.taxi.MayBePrivate,
		Called: p.stories.Called, Asked: p.stories.Asked,
		Event: func(account, call string, e booking.Event) {
			p.stories.Booked(call, e)
			p.calls.Publish(account, call, string(e.Kind), taxiEvent{account, call, e})
		},
	})
}

// taxiEvent is the data of an event of the taxi plugin.
type taxiEvent struct {
	Account string `json:"accountId"`
	Call    string `json:"callId,omitempty"`
	booking.Event
}

// callerNumber reads the number of somebody who calls an account.
func (p *Platform) callerNumber(account, number string) (taxi.E164, bool) {
	a, known := p.records.Account(account)
	if !known || strings.EqualFold(number, voice.Anonymous) {
		return "", false
	}
	digits, err := api.ParseNumber(number, a.Country)
	return taxi.E164(digits), err == nil
}

// How a driver is rung.
const (
	ringDriverFor = 20 // seconds
	sayToDriver   = 2  // times
)

func (p *Platform) ringDriver(r booking.Ring) error {
	if r.Customer != "" {
		driver := &voice.PhoneNumber{Number: string(r.Driver.International())}
		return p.calls.Ring(calls.Ring{
			Account: r.Account, Parent: r.Parent, Number: string(r.Customer.International()), Role: booking.RoleUser,
			Seconds: ringDriverFor, Done: r.Done, Then: &voice.Target{PhoneNumber: driver, Role: booking.RoleDriver},
		})
	}
	return p.calls.Ring(calls.Ring{
		Account: r.Account, Parent: r.Parent, Number: string(r.Driver.International()), Role: booking.RoleDriver,
		Seconds: ringDriverFor, Say: r.Say, Times: sayToDriver, Done: r.Done,
	})
}
