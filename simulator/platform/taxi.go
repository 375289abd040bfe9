package platform

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// newDesk creates the taxi plugin.
func (p *Platform) newDesk() *booking.Desk {
	return booking.New(booking.Options{
		Now: p.now, Callers: p.opts.Callers, Settings: p.taxi.Settings, Number: p.callerNumber, Ring: p.ringDriver, Private: p.taxi.MayBePrivate,
		Called: p.stories.Called, Asked: p.stories.Asked, Sound: func() bool { return speech.Ready(p.opts.Recogniser) }, Log: p.opts.Log,
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

// callerNumber returns the number of a caller of an account.
func (p *Platform) callerNumber(account, number string) (taxi.E164, bool) {
	a, known := p.records.Account(account)
	if !known || strings.EqualFold(number, voice.Anonymous) {
		return "", false
	}
	digits, err := api.ParseNumber(number, a.Country)
	return taxi.E164(digits), err == nil
}

// How a driver is called.
const (
	ringDriverFor = 20 // seconds
	sayToDriver   = 2  // repetitions
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

// ThirdParty is the dispatch system with which taxis are booked.
type ThirdParty struct {
	URL   string // "": none
	Auth  string // in the syntax of taxi.ParseAuth
	Roots string // PEM certificates to trust besides the system's

	Places []booking.Place // destinations for callers; nil: unchanged
}

// CheckThirdParty returns an error if the base address of a dispatch system is not valid.
// The error does not contain the address.
func CheckThirdParty(base string) error { return operations.CheckReach(base, true) }

// UseThirdParty makes all accounts book with a third party. It may be on a private
// network, unlike those set over the API.
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
