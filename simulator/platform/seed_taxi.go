package platform

import (
	"context"
	"errors"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// operatorExtension is the extension of the person who answers the callers of a new
// account.
const operatorExtension = "100"

// seedTaxi connects an account's number to the taxi plugin, which connects callers to a
// person if it cannot help. That person's telephone is behind a simulated trunk.
func (p *Platform) seedTaxi(ctx context.Context, tx *records.Tx, account, firm, ddi string) error {
	trunk := api.Trunk{
		ID: p.chance.UUID(), IP: "127.0.0.1", Port: 5060, CallerFormat: api.FormatE164P, CalledFormat: api.FormatE164P,
		Description: "The operator's telephone", CountryCode: api.HomeCountry,
	}
	operator := api.Device{
		ID: p.chance.UUID(), Type: api.TypeSIPGateway, Name: "Operator", Extension: operatorExtension,
		SIPGateway: &api.SIPGateway{
			RingTime: 30, MaxCallTime: api.MostTalk, Trunks: []string{trunk.ID}, Present: api.PresentPassThrough, CountryCode: api.HomeCountry,
			OnComplete: api.Hangup, OnFail: api.Hangup, OnNoAnswer: api.Hangup, OnBusy: api.Hangup,
		},
	}
	plugin := p.seedPlugin("Taxi bookings", api.PluginTaxi, operator.ID)
	start := p.seedStart("Taxi number", ddi, plugin.ID)
	settings := booking.Defaults(firm)
	settings.Operator, settings.Places = operatorExtension, PlacesOf(fixtures.Places())
	return errors.Join(
		p.records.Trunks.Put(ctx, tx, account, trunk.ID, trunk),
		p.records.Devices.Put(ctx, tx, account, operator.ID, operator),
		p.records.Devices.Put(ctx, tx, account, plugin.ID, plugin),
		p.records.Devices.Put(ctx, tx, account, start.ID, start),
		p.taxi.Keep(ctx, tx, account, settings),
	)
}

// PlacesOf returns destinations for callers: known places, and their streets.
func PlacesOf(known []fixtures.Place) []booking.Place {
	var places, streets []booking.Place
	named := map[string]bool{}
	for _, f := range known[:min(len(known), booking.MostPlaces/2)] {
		kind := f.Kind
		if kind == "home" {
			kind = "" // the home of a person who has not called
		}
		places = append(places, booking.Place{Address: f.Address, Name: f.Name, Kind: kind})
		street := streetOf(f.Address.Address)
		name, _, _ := strings.Cut(street, ",")
		if name != "" && !named[name] {
			named[name] = true
			streets = append(streets, booking.Place{Address: taxi.Address{Address: street, Location: f.Location}, Name: name, Street: true})
		}
	}
	return append(places, streets...)
}

// streetOf removes the name or number of a house from an address.
func streetOf(address string) string {
	number, rest, ok := strings.Cut(address, " ")
	if ok && strings.Trim(number, "0123456789") == "" {
		return rest
	}
	_, rest, _ = strings.Cut(address, ", ")
	return rest
}
