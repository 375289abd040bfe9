package platform

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// addUser adds a user to the first organisation, with a new password unless one
// is given.
func (p *Platform) addUser(r *request) (reply, error) {
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	u := UserCredentials{Username: o.Text("username", 64), Password: o.OptionalText("password", 256), Roles: o.Texts("roles", 10, 64)}
	o.Done()
	for i, role := range u.Roles {
		if !slices.Contains(api.Roles(), role) {
			errs.Add(api.Element("/roles", i), "is not one of %s", strings.Join(api.Roles(), ", "))
		}
	}
	if u.Password == "" {
		u.Password = p.chance.Password()
	} else if len(u.Password) < 12 {
		errs.Add("/password", "is shorter than 12 characters")
	}
	if err := errs.Err(); err != nil {
		return reply{}, err
	}
	ctx := context.WithoutCancel(r.c.Request.Context())
	hash, err := p.passwords.Hash(ctx, u.Password)
	if err != nil {
		return reply{}, err
	}
	user := records.User{ID: p.chance.UUID(), Organisation: p.records.Organisations()[0].ID, Username: u.Username, Password: hash, Roles: u.Roles}
	err = p.made(ctx, &Credentials{Users: []UserCredentials{u}}, func(tx *records.Tx) error { return p.records.PutUser(ctx, tx, user) })
	if errors.Is(err, records.ErrTaken) {
		err = conflict("/username", "is another user's")
	}
	return reply{status: http.StatusCreated, body: u}, err
}

var ddiName = regexp.MustCompile(`^[1-9][0-9]{10,17}$`)

// addAccount adds an account to the first organisation, with a new client id.
func (p *Platform) addAccount(r *request) (reply, error) {
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	a := records.Account{
		Account:      api.Account{ID: p.chance.UUID(), Name: o.Text("name", longest), MBN: o.Text("mbn", 40), Domain: o.OptionalText("domain", longest)},
		Organisation: p.records.Organisations()[0].ID,
		Country:      o.OptionalText("country", 2),
	}
	o.Done()
	if a.Country == "" {
		a.Country = homeCountry
	}
	if !api.IsCountry(strings.ToUpper(a.Country)) {
		errs.Add("/country", "is not the two-letter code of a country")
	}
	if !ddiName.MatchString(a.MBN) {
		errs.Add("/mbn", "wants 11 to 18 digits, in international form without a plus sign")
	}
	if err := errs.Err(); err != nil {
		return reply{}, err
	}
	ctx := context.WithoutCancel(r.c.Request.Context())
	made := AccountCredentials{Account: a.Account, ClientID: p.newClient(&a), DDIs: []api.DDI{}}
	err = p.made(ctx, &Credentials{Accounts: []AccountCredentials{made}}, func(tx *records.Tx) error { return p.records.PutAccount(ctx, tx, a) })
	return reply{status: http.StatusCreated, body: made}, err
}

// addDDI gives an account a number.
func (p *Platform) addDDI(r *request) (reply, error) {
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	n := records.DDI{DDI: api.DDI{ID: p.chance.UUID(), Name: o.Text("name", 40)}, Account: p.accountOf(r.c.Param("account"), errs)}
	o.Done()
	if !ddiName.MatchString(n.Name) {
		errs.Add("/name", "wants 11 to 18 digits, in international form without a plus sign")
	}
	a, known := p.records.Account(n.Account)
	if !known {
		return reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	if err := errs.Err(); err != nil {
		return reply{}, err
	}
	ctx := context.WithoutCancel(r.c.Request.Context())
	made := []AccountCredentials{{Account: a.Account}}
	err = p.made(ctx, &Credentials{Accounts: made}, func(tx *records.Tx) error {
		made[0].DDIs = append(p.numbersOf(a.ID), n.DDI)
		return p.records.AddDDI(ctx, tx, n)
	})
	if errors.Is(err, records.ErrTaken) {
		err = conflict("/name", "is allocated already")
	}
	return reply{status: http.StatusCreated, body: n.DDI}, err
}

func (p *Platform) deleteTrunk(r *request) (reply, error) {
	return remove(p, r, p.records.Trunks, func(d api.Device, id string) bool {
		return d.SIPGateway != nil && slices.Contains(d.SIPGateway.Trunks, id)
	})
}

func (p *Platform) deleteHook(r *request) (reply, error) {
	return remove(p, r, p.records.Hooks, func(d api.Device, id string) bool { return d.Plugin != nil && d.Plugin.Plugin == id })
}

func (p *Platform) deleteDevice(r *request) (reply, error) {
	return remove(p, r, p.records.Devices, func(d api.Device, id string) bool {
		return slices.ContainsFunc(d.Exits(), func(e api.Exit) bool { return e.To == id })
	})
}

// remove deletes a record that no device refers to.
func remove[T any](p *Platform, r *request, table *records.Table[T], refers func(d api.Device, id string) bool) (reply, error) {
	account, id := r.c.Param("account"), r.c.Param("id")
	ctx := context.WithoutCancel(r.c.Request.Context())
	return noContent, p.records.Write(ctx, func(tx *records.Tx) error {
		if _, known := table.Get(account, id); !known {
			return api.Refuse(api.CodeNotFound, "there is nothing of this id in the account")
		}
		for _, row := range p.records.Devices.List(account) {
			if refers(row.Value, id) {
				return api.Refuse(api.CodeInUse, "device %s refers to it", row.ID)
			}
		}
		return table.Delete(ctx, tx, account, id)
	})
}
