package platform

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/simulator/platform/api"
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
	if err := p.setPassword(context.WithoutCancel(r.c.Request.Context()), *u, made.Password); err != nil {
		return reply{}, err
	}
	p.made(Credentials{Users: []UserCredentials{made}})
	return reply{status: http.StatusOK, body: made}, nil
}

// renewClient gives an account a new client id and shows it this once.
func (p *Platform) renewClient(r *request) (reply, error) {
	a, known := p.records.Account(p.accountOf(r.c.Param("account"), &strict.Errors{}))
	if !known {
		return reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	client, err := p.newClient(context.WithoutCancel(r.c.Request.Context()), *a)
	if err != nil {
		return reply{}, err
	}
	made := AccountCredentials{Account: a.Account, ClientID: client, DDIs: p.numbersOf(a.ID)}
	p.made(Credentials{Accounts: []AccountCredentials{made}})
	return reply{status: http.StatusOK, body: made}, nil
}

// made tells whoever runs the platform of credentials that cannot be read again.
func (p *Platform) made(c Credentials) {
	if p.opts.Made != nil {
		p.opts.Made(c)
	}
}
