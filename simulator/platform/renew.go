package platform

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/strict"
)

// renewPassword gives a user a new password and shows it this once; the one before
// is good no more.
func (p *Platform) renewPassword(r *request) (reply, error) {
	u, known := p.records.User(r.c.Param("username"))
	if !known {
		return reply{}, api.Refuse(api.CodeNotFound, "no such user")
	}
	made := UserCredentials{Username: u.Username, Password: p.chance.Password(), Roles: u.Roles}
	ctx, changed := context.WithoutCancel(r.c.Request.Context()), *u
	if err := p.setPassword(ctx, &changed, made.Password); err != nil {
		return reply{}, err
	}
	return ok(made), p.made(ctx, &Credentials{Users: []UserCredentials{made}}, func(tx *records.Tx) error {
		return p.records.PutUser(ctx, tx, changed)
	})
}

// renewClient gives an account a new client id and shows it this once.
func (p *Platform) renewClient(r *request) (reply, error) {
	a, known := p.records.Account(p.accountOf(r.c.Param("account"), &strict.Errors{}))
	if !known {
		return reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	ctx, changed := context.WithoutCancel(r.c.Request.Context()), *a
	made := AccountCredentials{Account: a.Account, ClientID: p.newClient(&changed), DDIs: p.numbersOf(a.ID)}
	return ok(made), p.made(ctx, &Credentials{Accounts: []AccountCredentials{made}}, func(tx *records.Tx) error {
		return p.records.PutAccount(ctx, tx, changed)
	})
}
