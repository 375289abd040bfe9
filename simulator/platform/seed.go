package platform

import (
	"context"
	"errors"
	"net/http"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// TaxiNumber is the number of the first account that the taxi plugin answers.
const TaxiNumber = "441632960102"

// seedAccount is an account of a new database. Its numbers are in 01632 960, which is
// reserved for drama.
type seedAccount struct {
	name, mbn, domain string
	ddis              []string
	address           api.Address
}

const seedOrganisation = "Otterbridge Communications"

var seedAccounts = []seedAccount{
	{
		"Otterbridge Taxis", "441632960100", "taxis.otterbridge.example",
		[]string{"441632960101", TaxiNumber, "441632960103"},
		api.Address{Line1: "Station Road", Line2: "The Old Goods Office", Level1: "Otterbridge", PostalCode: "ZT1 1AA", Country: "GB"},
	},
	{
		"Harbour Minicabs", "441632960200", "harbour.otterbridge.example",
		[]string{"441632960201", "441632960202"},
		api.Address{Line1: "7 Quayside", Level1: "Otterbridge", PostalCode: "ZT2 7QS", Country: "GB"},
	},
}

// seedUsers has one user for each role.
var seedUsers = []access.UserCredentials{
	{Username: "admin", Roles: []string{api.RoleAdmin}},
	{Username: "recorder", Roles: []string{api.RoleRecorder}},
	{Username: "voice", Roles: []string{api.RoleVoice}},
}

// Seed fills a new database with an organisation, a user for each role and two accounts
// with numbers, the first two of which are answered. It does nothing if the database has
// an organisation. Nobody can log in until [Platform.Open] sets passwords; Open also
// calls Seed.
func (p *Platform) Seed(ctx context.Context) error {
	return p.records.Write(ctx, func(tx *records.Tx) error { return p.putFirm(ctx, tx, p.firm()) })
}

// firm is an organisation with its users, accounts and numbers.
type firm struct {
	organisation api.Organisation
	users        []records.User
	accounts     []records.Account
	ddis         map[string][]*records.DDI // by account
	fresh        bool                      // it is not stored yet
}

// firm returns the first organisation, or a new one.
func (p *Platform) firm() *firm {
	all := p.records.Organisations()
	if len(all) == 0 {
		return p.newFirm()
	}
	f := &firm{organisation: all[0], ddis: map[string][]*records.DDI{}}
	for _, u := range p.records.Users(f.organisation.ID) {
		f.users = append(f.users, *u)
	}
	for _, a := range p.records.Accounts(f.organisation.ID) {
		f.accounts, f.ddis[a.ID] = append(f.accounts, *a), p.records.DDIs(a.ID)
	}
	return f
}

func (p *Platform) newFirm() *firm {
	f := &firm{organisation: api.Organisation{ID: p.chance.UUID(), Name: seedOrganisation}, ddis: map[string][]*records.DDI{}, fresh: true}
	for _, u := range seedUsers {
		f.users = append(f.users, records.User{ID: p.chance.UUID(), Organisation: f.organisation.ID, Username: u.Username, Roles: u.Roles})
	}
	for _, s := range seedAccounts {
		a := records.Account{
			Account:      api.Account{ID: p.chance.UUID(), Name: s.name, MBN: s.mbn, Domain: s.domain},
			Organisation: f.organisation.ID, Country: "gb", Address: s.address,
		}
		f.accounts = append(f.accounts, a)
		for _, number := range s.ddis {
			f.ddis[a.ID] = append(f.ddis[a.ID], &records.DDI{DDI: api.DDI{ID: p.chance.UUID(), Name: number}, Account: a.ID})
		}
	}
	return f
}

// putFirm stores a new firm, or the credentials of an existing one that were missing.
func (p *Platform) putFirm(ctx context.Context, tx *records.Tx, f *firm) error {
	if f.fresh {
		if err := p.records.AddOrganisation(ctx, tx, f.organisation); err != nil {
			return err
		}
	}
	for _, u := range f.users {
		if old, known := p.records.User(u.Username); known && old.Generation == u.Generation {
			continue
		}
		if err := p.records.PutUser(ctx, tx, u); err != nil {
			return err
		}
	}
	for _, a := range f.accounts {
		if old, known := p.records.Account(a.ID); known && old.Client == a.Client {
			continue
		}
		if err := p.records.PutAccount(ctx, tx, a); err != nil {
			return err
		}
		if err := p.putNumbers(ctx, tx, f, a); err != nil {
			return err
		}
	}
	return nil
}

// putNumbers stores the numbers of a new account, and flows for the first two.
func (p *Platform) putNumbers(ctx context.Context, tx *records.Tx, f *firm, a records.Account) error {
	if !f.fresh {
		return nil
	}
	ddis := f.ddis[a.ID]
	for _, n := range ddis {
		if err := p.records.AddDDI(ctx, tx, *n); err != nil {
			return err
		}
	}
	return errors.Join(p.seedFlow(ctx, tx, a.ID, ddis[0].ID), p.seedTaxi(ctx, tx, a.ID, a.Name, ddis[1].ID))
}

// seedFlow connects an account's first number to a greeting. To answer the number, change
// the address of the hook.
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

// seedPlugin returns a device that hands calls to a plugin, and to another device if that
// fails.
func (p *Platform) seedPlugin(name, plugin, onError string) api.Device {
	return api.Device{
		ID: p.chance.UUID(), Type: api.TypePlugin, Name: name,
		Plugin: &api.Plugin{
			Plugin: plugin, RingTime: api.MostRing, MaxCallTime: api.MostTalk, Present: api.PresentPassThrough, CountryCode: api.HomeCountry,
			OnTransfer: api.Hangup, OnError: onError, OnComplete: api.Hangup, OnFail: api.Hangup, OnNoAnswer: api.Hangup, OnBusy: api.Hangup,
		},
	}
}

// seedStart returns the device at which the calls to a number begin.
func (p *Platform) seedStart(name, ddi, next string) api.Device {
	return api.Device{
		ID: p.chance.UUID(), Type: api.TypeRouteStart, Name: name,
		StartRoute: &api.StartRoute{DDIs: []string{ddi}, ConnectTo: next},
	}
}
