package platform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/cabrank/cabrank/simulator/platform/api"
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
// accounts with numbers. A database that has an organisation is left alone.
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
			// Nobody can log in until Credentials gives a password.
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
	for _, number := range a.ddis {
		n := records.DDI{DDI: api.DDI{ID: p.chance.UUID(), Name: number}, Account: account.ID}
		if err := p.records.AddDDI(ctx, tx, n); err != nil {
			return err
		}
	}
	return nil
}

// Credentials returns the credentials of the first organisation. Passwords and
// client ids are kept as hashes only, so they come from earlier, what this
// function returned before, as far as they still fit; what does not fit is
// replaced by new ones. It reports how many were.
func (p *Platform) Credentials(ctx context.Context, earlier Credentials) (c Credentials, renewed int, err error) {
	c = Credentials{Organisation: p.records.Organisations()[0], Users: []UserCredentials{}, Accounts: []AccountCredentials{}}
	for _, u := range p.records.Users(c.Organisation.ID) {
		password, fresh, err := p.passwordOf(ctx, u, earlier.Users)
		if err != nil {
			return c, renewed, err
		}
		renewed += fresh
		c.Users = append(c.Users, UserCredentials{Username: u.Username, Password: password, Roles: u.Roles})
	}
	for _, a := range p.records.Accounts(c.Organisation.ID) {
		client, fresh, err := p.clientOf(ctx, a, earlier.Accounts)
		if err != nil {
			return c, renewed, err
		}
		renewed += fresh
		c.Accounts = append(c.Accounts, AccountCredentials{Account: a.Account, ClientID: client, DDIs: p.numbersOf(a.ID)})
	}
	return c, renewed, nil
}

func (p *Platform) passwordOf(ctx context.Context, u *records.User, earlier []UserCredentials) (password string, renewed int, err error) {
	for _, e := range earlier {
		if e.Username != u.Username || u.Password == "" {
			continue
		}
		if fits, err := p.passwords.Verify(ctx, u.Password, e.Password); fits || err != nil {
			return e.Password, 0, err
		}
	}
	password = p.chance.Password()
	return password, 1, p.setPassword(ctx, *u, password)
}

func (p *Platform) setPassword(ctx context.Context, u records.User, password string) (err error) {
	if u.Password, err = p.passwords.Hash(ctx, password); err != nil {
		return err
	}
	return p.records.Write(ctx, func(tx *records.Tx) error { return p.records.PutUser(ctx, tx, u) })
}

func (p *Platform) clientOf(ctx context.Context, a *records.Account, earlier []AccountCredentials) (client string, renewed int, err error) {
	for _, e := range earlier {
		if e.ID == a.ID && hashClient(e.ClientID) == a.Client {
			return e.ClientID, 0, nil
		}
	}
	client = p.chance.UUID()
	changed := *a
	changed.Client = hashClient(client)
	return client, 1, p.records.Write(ctx, func(tx *records.Tx) error { return p.records.PutAccount(ctx, tx, changed) })
}

func (p *Platform) numbersOf(account string) []api.DDI {
	list := []api.DDI{}
	for _, n := range p.records.DDIs(account) {
		list = append(list, n.DDI)
	}
	return list
}

// hashClient is what is kept of a client id. It is random and long, so that a
// fast hash will do.
func hashClient(client string) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(len(client)) + ":" + client))
	return hex.EncodeToString(sum[:])
}
