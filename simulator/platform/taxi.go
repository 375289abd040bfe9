package platform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// newDesk makes the taxi plugin.
func (p *Platform) newDesk() *booking.Desk {
	return booking.New(booking.Options{
		Now: p.now, Callers: p.opts.Callers, Settings: p.taxiSettings, Number: p.callerNumber, Ring: p.ringDriver, Private: p.mayBePrivate,
		Called: p.stories.called, Asked: p.stories.asked,
		Event: func(account, call string, e booking.Event) {
			p.stories.booked(call, e)
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

// taxiSettings are what an account has set for the plugin, or the defaults.
func (p *Platform) taxiSettings(account string) (booking.Settings, bool) {
	a, known := p.records.Account(account)
	if !known {
		return booking.Settings{}, false
	}
	row, set := p.records.Taxi.Get(account, account)
	if !set {
		return booking.Defaults(a.Name), true
	}
	if read, ok := p.settings.Load(account); ok && read.(*taxiRead).row == row {
		return read.(*taxiRead).settings, true
	}
	s := booking.Defaults(a.Name)
	if json.Unmarshal(row.Value, &s) != nil {
		return booking.Defaults(a.Name), true // what is kept was written by us
	}
	p.settings.Store(account, &taxiRead{row, s})
	return s, true
}

// taxiRead is a row of settings that has been read: each call needs them.
type taxiRead struct {
	row      *records.Row[json.RawMessage]
	settings booking.Settings
}

// keepTaxi keeps the settings of the taxi plugin.
func (p *Platform) keepTaxi(ctx context.Context, tx *records.Tx, account string, s booking.Settings) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return p.records.Taxi.Put(ctx, tx, account, account, text)
}

// callerNumber reads the number of somebody who calls an account.
func (p *Platform) callerNumber(account, number string) (taxi.E164, bool) {
	a, known := p.records.Account(account)
	if !known || strings.EqualFold(number, anonymous) {
		return "", false
	}
	digits, err := api.ParseNumber(number, a.Country)
	return taxi.E164(digits), err == nil
}

// roleUser is shown in place of a customer's number on calls to them.
const roleUser = "user"

// How a driver is rung.
const (
	ringDriverFor = 20 // seconds
	sayToDriver   = 2  // times
)

func (p *Platform) ringDriver(r booking.Ring) error {
	if r.Customer != "" {
		driver := &voice.PhoneNumber{Number: string(r.Driver.International())}
		return p.calls.Ring(calls.Ring{
			Account: r.Account, Parent: r.Parent, Number: string(r.Customer.International()), Role: roleUser,
			Seconds: ringDriverFor, Done: r.Done, Then: &voice.Target{PhoneNumber: driver, Role: booking.RoleDriver},
		})
	}
	return p.calls.Ring(calls.Ring{
		Account: r.Account, Parent: r.Parent, Number: string(r.Driver.International()), Role: booking.RoleDriver,
		Seconds: ringDriverFor, Say: r.Say, Times: sayToDriver, Done: r.Done,
	})
}

// taxiNumber returns the first number of an account that the taxi plugin answers.
func (p *Platform) taxiNumber(account string) (string, bool) {
	for _, n := range p.records.DDIs(account) {
		for _, row := range p.records.Devices.List(account) {
			d := row.Value
			if d.StartRoute == nil || !slices.Contains(d.StartRoute.DDIs, n.ID) || api.Ends(d.StartRoute.ConnectTo) {
				continue
			}
			next, known := p.records.Devices.Get(account, d.StartRoute.ConnectTo)
			if known && next.Value.Plugin != nil && next.Value.Plugin.Plugin == api.PluginTaxi {
				return n.Name, true
			}
		}
	}
	return "", false
}
