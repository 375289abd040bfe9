package platform

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// renewPassword gives a user a new password and shows it this once; the one before
// is good no more. Of two renewals at once the later commit wins: the user is read in it, so
// that tokens which were given between the two are good no more either.
func (p *Platform) renewPassword(r *request) (reply, error) {
	u, known := p.records.User(r.c.Param("username"))
	if !known {
		return reply{}, api.Refuse(api.CodeNotFound, "no such user")
	}
	made := UserCredentials{Username: u.Username, Password: p.chance.Password(), Roles: u.Roles}
	ctx := context.WithoutCancel(r.c.Request.Context())
	hash, err := p.passwords.Hash(ctx, made.Password)
	if err != nil {
		return reply{}, err
	}
	return ok(made), p.made(ctx, &Credentials{Users: []UserCredentials{made}}, func(tx *records.Tx) error {
		u, known := p.records.User(made.Username)
		if !known {
			return api.Refuse(api.CodeNotFound, "no such user")
		}
		changed := *u
		changed.Password, changed.Generation = hash, u.Generation+1
		return p.records.PutUser(ctx, tx, changed)
	})
}

// renewClient gives an account a new client id and shows it this once.
func (p *Platform) renewClient(r *request) (reply, error) {
	account := p.accountOf(r.c.Param("account"), &api.Errors{})
	ctx := context.WithoutCancel(r.c.Request.Context())
	client, made := p.chance.UUID(), []AccountCredentials{{}}
	err := p.made(ctx, &Credentials{Accounts: made}, func(tx *records.Tx) error {
		a, known := p.records.Account(account)
		if !known {
			return api.Refuse(api.CodeNotFound, "no such account")
		}
		changed := *a
		changed.Client = hashClient(client)
		made[0] = AccountCredentials{Account: a.Account, ClientID: client, DDIs: p.numbersOf(a.ID)}
		return p.records.PutAccount(ctx, tx, changed)
	})
	return ok(made[0]), err
}
