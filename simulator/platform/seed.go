package platform

import (
	"context"
	"errors"
	"net/http"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// seedAccount is an account of the organisation that a new database starts with.
// The numbers are of 01632 960, which is kept free for drama.
type seedAccount struct {
	name, mbn, domain string
	ddis              []string
	address           api.Address
}

const seedOrganisation = "Otterbridge Communications"

var seedAccounts = []seedAccount{
	{
		"Otterbridge Taxis", "441632960100", "taxis.otterbridge.example",
		[]string{"441632960101", "441632960102", "441632960103"},
		api.Address{Line1: "Station Road", Line2: "The Old Goods Office", Level1: "Otterbridge", PostalCode: "ZT1 1AA", Country: "GB"},
	},
	{
		"Harbour Minicabs", "441632960200", "harbour.otterbridge.example",
		[]string{"441632960201", "441632960202"},
		api.Address{Line1: "7 Quayside", Level1: "Otterbridge", PostalCode: "ZT2 7QS", Country: "GB"},
	},
}

// seedUsers are one user for each role.
var seedUsers = []UserCredentials{
	{Username: "admin", Roles: []string{api.RoleAdmin}},
	{Username: "recorder", Roles: []string{api.RoleRecorder}},
	{Username: "voice", Roles: []string{api.RoleVoice}},
}

// Seed fills a new database with an organisation, a user for each role and two
// accounts with numbers, of which the first two are answered. A database that has an organisation is left alone.
func (p *Platform) Seed(ctx context.Context) error {
	if len(p.records.Organisations()) > 0 {
		return nil
	}
	return p.records.Write(ctx, func(tx *records.Tx) error {
		o := api.Organisation{ID: p.chance.UUID(), Name: seedOrganisation}
		if err := p.records.AddOrganisation(ctx, tx, o); err != nil {
			return err
		}
		for _, u := range seedUsers {
			// Nobody can log in until Credentials sets a password.
			if err := p.records.PutUser(ctx, tx, records.User{
				ID: p.chance.UUID(), Organisation: o.ID, Username: u.Username, Roles: u.Roles,
			}); err != nil {
				return err
			}
		}
		for _, a := range seedAccounts {
			if err := p.seedAccount(ctx, tx, o.ID, a); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *Platform) seedAccount(ctx context.Context, tx *records.Tx, organisation string, a seedAccount) error {
	account := records.Account{
		Account:      api.Account{ID: p.chance.UUID(), Name: a.name, MBN: a.mbn, Domain: a.domain},
		Organisation: organisation, Country: "gb", Address: a.address,
	}
	if err := p.records.PutAccount(ctx, tx, account); err != nil {
		return err
	}
	var ddis []string
	for _, number := range a.ddis {
		n := records.DDI{DDI: api.DDI{ID: p.chance.UUID(), Name: number}, Account: account.ID}
		if err := p.records.AddDDI(ctx, tx, n); err != nil {
			return err
		}
		ddis = append(ddis, n.ID)
	}
	return errors.Join(p.seedFlow(ctx, tx, account.ID, ddis[0]), p.seedTaxi(ctx, tx, account.ID, a.name, ddis[1]))
}

// seedFlow leads an account's first number to a greeting. Whoever gives the hook
// another address answers the number by it.
func (p *Platform) seedFlow(ctx context.Context, tx *records.Tx, account, ddi string) error {
	hook := api.Hook{
		ID: p.chance.UUID(), App: api.AppFlow, URL: calls.GreetingURL, AuthType: api.AuthDisabled, Method: http.MethodPost,
		Name: "The greeting of a new account",
	}
	greeting := p.seedPlugin("Greeting", hook.ID, api.Hangup)
	start := p.seedStart("Main number", ddi, greeting.ID)
	return errors.Join(
		p.records.Hooks.Put(ctx, tx, account, hook.ID, records.Hook{Hook: hook}),
		p.records.Devices.Put(ctx, tx, account, greeting.ID, greeting),
		p.records.Devices.Put(ctx, tx, account, start.ID, start),
	)
}

// seedPlugin is a device that hands calls over to a plugin, and to another device
// where that fails.
func (p *Platform) seedPlugin(name, plugin, onError string) api.Device {
	return api.Device{
		ID: p.chance.UUID(), Type: api.TypePlugin, Name: name,
		Plugin: &api.Plugin{
			Plugin: plugin, RingTime: mostRing, MaxCallTime: mostTalk, Present: api.PresentPassThrough, CountryCode: homeCountry,
			OnTransfer: api.Hangup, OnError: onError, OnComplete: api.Hangup, OnFail: api.Hangup, OnNoAnswer: api.Hangup, OnBusy: api.Hangup,
		},
	}
}

// seedStart is where the calls to a number begin.
func (p *Platform) seedStart(name, ddi, next string) api.Device {
	return api.Device{
		ID: p.chance.UUID(), Type: api.TypeRouteStart, Name: name,
		StartRoute: &api.StartRoute{DDIs: []string{ddi}, ConnectTo: next},
	}
}
