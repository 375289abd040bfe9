package simapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
)

// addUser adds a user to the first organisation, with the given password or a new one.
func (p *API) addUser(r *rest.Request) (rest.Reply, error) {
	var u access.UserCredentials
	errs := r.Bind(&u)
	for i, role := range u.Roles {
		if !slices.Contains(api.Roles(), role) {
			errs.Add(api.Element("/roles", i), "is not one of %s", strings.Join(api.Roles(), ", "))
		}
	}
	if u.Password == "" {
		u.Password = p.Chance.Password()
	} else if len(u.Password) < 12 {
		errs.Add("/password", "is shorter than 12 characters")
	}
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	ctx := context.WithoutCancel(r.C.Request.Context())
	hash, err := p.Passwords.Hash(ctx, u.Password)
	if err != nil {
		return rest.Reply{}, err
	}
	user := records.User{ID: p.Chance.UUID(), Organisation: p.Records.Organisations()[0].ID, Username: u.Username, Password: hash, Roles: u.Roles}
	err = p.Made(ctx, &access.Credentials{Users: []access.UserCredentials{u}}, func(tx *records.Tx) error { return p.Records.PutUser(ctx, tx, user) })
	if errors.Is(err, records.ErrTaken) {
		err = api.Conflict("/username", "is another user's")
	}
	return rest.Reply{Status: http.StatusCreated, Body: u}, err
}

var ddiName = regexp.MustCompile(`^[1-9][0-9]{10,17}$`)

// addAccount adds an account to the first organisation, with a new client id.
func (p *API) addAccount(r *rest.Request) (rest.Reply, error) {
	var in struct {
		Name    string `json:"name" limit:"required 1..256"`
		MBN     string `json:"mbn" limit:"required 1..40"`
		Domain  string `json:"domain" limit:"0..256"`
		Country string `json:"country" limit:"0..2"`
	}
	errs := r.Bind(&in)
	in.Country = cmp.Or(in.Country, api.HomeCountry)
	if !api.IsCountry(strings.ToUpper(in.Country)) {
		errs.Add("/country", "is not the two-letter code of a country")
	}
	if !ddiName.MatchString(in.MBN) {
		errs.Add("/mbn", "wants 11 to 18 digits, in international form without a plus sign")
	}
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	a := records.Account{
		Account:      api.Account{ID: p.Chance.UUID(), Name: in.Name, MBN: in.MBN, Domain: in.Domain},
		Organisation: p.Records.Organisations()[0].ID, Country: in.Country,
	}
	ctx := context.WithoutCancel(r.C.Request.Context())
	made := access.AccountCredentials{Account: a.Account, ClientID: p.Chance.UUID(), DDIs: []api.DDI{}}
	a.Client = access.HashClient(made.ClientID)
	err := p.Made(ctx, &access.Credentials{Accounts: []access.AccountCredentials{made}}, func(tx *records.Tx) error { return p.Records.PutAccount(ctx, tx, a) })
	return rest.Reply{Status: http.StatusCreated, Body: made}, err
}

// addDDI adds a number to an account.
func (p *API) addDDI(r *rest.Request) (rest.Reply, error) {
	var in struct {
		Name string `json:"name" limit:"required 1..40"`
	}
	errs := r.Bind(&in)
	n := records.DDI{DDI: api.DDI{ID: p.Chance.UUID(), Name: in.Name}, Account: p.accountOf(r.C.Param("account"), errs)}
	if !ddiName.MatchString(n.Name) {
		errs.Add("/name", "wants 11 to 18 digits, in international form without a plus sign")
	}
	a, known := p.Records.Account(n.Account)
	if !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	ctx := context.WithoutCancel(r.C.Request.Context())
	made := []access.AccountCredentials{{Account: a.Account}}
	err := p.Made(ctx, &access.Credentials{Accounts: made}, func(tx *records.Tx) error {
		made[0].DDIs = append(records.Numbers(p.Records.DDIs(a.ID)), n.DDI)
		return p.Records.AddDDI(ctx, tx, n)
	})
	if errors.Is(err, records.ErrTaken) {
		err = api.Conflict("/name", "is allocated already")
	}
	return rest.Reply{Status: http.StatusCreated, Body: n.DDI}, err
}

func (p *API) deleteTrunk(r *rest.Request) (rest.Reply, error) {
	return remove(p, r, p.Records.Trunks, func(d api.Device, id string) bool {
		return d.SIPGateway != nil && slices.Contains(d.SIPGateway.Trunks, id)
	})
}

func (p *API) deleteHook(r *rest.Request) (rest.Reply, error) {
	return remove(p, r, p.Records.Hooks, func(d api.Device, id string) bool { return d.Plugin != nil && d.Plugin.Plugin == id })
}

func (p *API) deleteDevice(r *rest.Request) (rest.Reply, error) {
	return remove(p, r, p.Records.Devices, func(d api.Device, id string) bool {
		return slices.ContainsFunc(d.Exits(), func(e api.Exit) bool { return e.To == id })
	})
}

// remove deletes a record that no device refers to.
func remove[T any](p *API, r *rest.Request, table *records.Table[T], refers func(d api.Device, id string) bool) (rest.Reply, error) {
	account, id := r.C.Param("account"), r.C.Param("id")
	ctx := context.WithoutCancel(r.C.Request.Context())
	return rest.NoContent, p.Records.Write(ctx, func(tx *records.Tx) error {
		if _, known := table.Get(account, id); !known {
			return api.Refuse(api.CodeNotFound, "there is nothing of this id in the account")
		}
		for _, row := range p.Records.Devices.List(account) {
			if refers(row.Value, id) {
				return api.Refuse(api.CodeInUse, "device %s refers to it", row.ID)
			}
		}
		return table.Delete(ctx, tx, account, id)
	})
}

// renewPassword gives a user a new password and returns it once; the old one becomes
// invalid. If two renewals happen at once, the later commit wins: it reads the user
// again, so that tokens issued between the two become invalid, too.
func (p *API) renewPassword(r *rest.Request) (rest.Reply, error) {
	u, known := p.Records.User(r.C.Param("username"))
	if !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such user")
	}
	made := access.UserCredentials{Username: u.Username, Password: p.Chance.Password(), Roles: u.Roles}
	ctx := context.WithoutCancel(r.C.Request.Context())
	hash, err := p.Passwords.Hash(ctx, made.Password)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(made), p.Made(ctx, &access.Credentials{Users: []access.UserCredentials{made}}, func(tx *records.Tx) error {
		u, known := p.Records.User(made.Username)
		if !known {
			return api.Refuse(api.CodeNotFound, "no such user")
		}
		changed := *u
		changed.Password, changed.Generation = hash, u.Generation+1
		return p.Records.PutUser(ctx, tx, changed)
	})
}

// renewClient gives an account a new client id and returns it once.
func (p *API) renewClient(r *rest.Request) (rest.Reply, error) {
	account := p.accountOf(r.C.Param("account"), &api.Errors{})
	ctx := context.WithoutCancel(r.C.Request.Context())
	client, made := p.Chance.UUID(), []access.AccountCredentials{{}}
	err := p.Made(ctx, &access.Credentials{Accounts: made}, func(tx *records.Tx) error {
		a, known := p.Records.Account(account)
		if !known {
			return api.Refuse(api.CodeNotFound, "no such account")
		}
		changed := *a
		changed.Client = access.HashClient(client)
		made[0] = access.AccountCredentials{Account: a.Account, ClientID: client, DDIs: records.Numbers(p.Records.DDIs(a.ID))}
		return p.Records.PutAccount(ctx, tx, changed)
	})
	return rest.OK(made[0]), err
}
