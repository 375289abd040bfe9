package platform

import (
	"context"
	"fmt"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Credentials contains what a client needs to use a platform.
type Credentials = access.Credentials

// Open returns the credentials of the first organisation, and creates one in a new
// database ([Platform.Seed]). Passwords and client ids are stored only as hashes, so they
// are taken from earlier, the result of an earlier call, as far as they are still valid;
// earlier may contain a user or an account more than once. Missing ones, as in a new
// database, are set in one commit, before which stage is called with them, unless it is
// nil. Others that earlier does not contain are unchanged and remain unknown.
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

// Credentials is [Platform.Open] without stage.
func (p *Platform) Credentials(ctx context.Context, earlier Credentials) (Credentials, error) {
	return p.Open(ctx, earlier, nil)
}

// staged runs a change of credentials, which may still modify c, with stage before its
// commit.
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

// made runs a change of the control API, and passes new credentials to the operator,
// since they cannot be read later.
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

// passwordOf returns a user's password, if it is known; a user without one gets a new
// one.
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

// setPassword gives a user that is about to be stored a new password; tokens issued for
// the old one become invalid.
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
