package simapi

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
)

// renewPassword gives a user a new password and shows it this once; the one before
// is good no more. Of two renewals at once the later commit wins: the user is read in it, so
// that tokens which were given between the two are good no more either.
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

// renewClient gives an account a new client id and shows it this once.
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
