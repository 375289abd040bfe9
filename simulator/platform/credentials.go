package platform

import (
	"context"
	"fmt"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Credentials is all that a client needs to know of a platform.
type Credentials = access.Credentials

// Open returns the credentials of the first organisation, and makes one in a new database
// ([Platform.Seed]). Passwords and client ids are kept as hashes only, so they come from
// earlier, what this function returned before, as far as they still fit; it may name a user
// or an account more than once. Those that were never set, as in a new database, are set
// now, all in one commit, before which stage is told of them; nil tells nobody. Others that
// are not in earlier stay as they are and are not known.
func (p *Platform) Open(ctx context.Context, earlier Credentials, stage access.Stage) (Credentials, error) {
	if stage == nil {
		stage = func(Credentials) (func(bool), error) { return func(bool) {}, nil }
	}
	f := p.firm()
	c := Credentials{Organisation: f.organisation, Users: []access.UserCredentials{}, Accounts: []access.AccountCredentials{}}
	for i := range f.users {
		u := &f.users[i]
		password, err := p.passwordOf(ctx, u, earlier.Users)
		if err != nil {
			return c, err
		}
		c.Users = append(c.Users, access.UserCredentials{Username: u.Username, Password: password, Roles: u.Roles})
	}
	for i := range f.accounts {
		a := &f.accounts[i]
		c.Accounts = append(c.Accounts, access.AccountCredentials{Account: a.Account, ClientID: p.clientOf(a, earlier.Accounts), DDIs: records.Numbers(f.ddis[a.ID])})
	}
	return c, p.staged(ctx, &c, stage, func(tx *records.Tx) error { return p.putFirm(ctx, tx, f) })
}

// Credentials is [Platform.Open] with nobody to tell.
func (p *Platform) Credentials(ctx context.Context, earlier Credentials) (Credentials, error) {
	return p.Open(ctx, earlier, nil)
}

// staged makes a change of credentials, which may still change c.
func (p *Platform) staged(ctx context.Context, c *Credentials, stage access.Stage, change func(*records.Tx) error) error {
	settle := func(bool) {}
	var unstaged error
	err := p.records.Write(ctx, func(tx *records.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		if done, err := stage(*c); err != nil {
			unstaged = err
			return err
		} else if done != nil {
			settle = done
		}
		return nil
	})
	settle(err == nil)
	if unstaged != nil {
		return unstaged
	}
	return err
}

// made makes a change by the control API, and tells whoever runs the platform of credentials
// that cannot be read again.
func (p *Platform) made(ctx context.Context, c *Credentials, change func(*records.Tx) error) error {
	stage := p.opts.Made
	if stage == nil {
		stage = func(Credentials) (func(bool), error) { return nil, nil }
	}
	return p.staged(ctx, c, func(c Credentials) (func(bool), error) {
		settle, err := stage(c)
		if err != nil {
			err = fmt.Errorf("%w: %w", records.ErrStorage, err)
		}
		return settle, err
	}, change)
}

// passwordOf returns a user's password, if it is known; one that has none gets one.
func (p *Platform) passwordOf(ctx context.Context, u *records.User, earlier []access.UserCredentials) (string, error) {
	if u.Password == "" {
		password := p.chance.Password()
		return password, p.setPassword(ctx, u, password)
	}
	for _, e := range earlier {
		if e.Username != u.Username || e.Password == "" {
			continue
		}
		if fits, err := p.passwords.Verify(ctx, u.Password, e.Password); fits || err != nil {
			return e.Password, err
		}
	}
	return "", nil
}

// setPassword gives a user that will be kept a new password; tokens that were given for the
// one before are good no more.
func (p *Platform) setPassword(ctx context.Context, u *records.User, password string) (err error) {
	u.Password, err = p.passwords.Hash(ctx, password)
	u.Generation++
	return err
}

func (p *Platform) clientOf(a *records.Account, earlier []access.AccountCredentials) string {
	if a.Client == "" {
		client := p.chance.UUID()
		a.Client = access.HashClient(client)
		return client
	}
	for _, e := range earlier {
		if e.ID == a.ID && access.HashClient(e.ClientID) == a.Client {
			return e.ClientID
		}
	}
	return ""
}
