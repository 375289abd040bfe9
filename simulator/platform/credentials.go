package platform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Credentials is all that a client needs to know of a platform: the file that
// 'cabrank platform --credentials-file' writes.
type Credentials struct {
	BaseURL      string               `json:"base_url"`
	VoiceBaseURL string               `json:"voice_base_url"`
	Organisation api.Organisation     `json:"organisation"`
	Users        []UserCredentials    `json:"users"`
	Accounts     []AccountCredentials `json:"accounts"`
}

// UserCredentials is somebody who may log in.
type UserCredentials struct {
	Username string   `json:"username"`
	Password string   `json:"password"` // "": not known, for only its hash is kept
	Roles    []string `json:"roles"`
}

// AccountCredentials is an account with what the Voice API takes: its id and its
// client id.
type AccountCredentials struct {
	api.Account
	ClientID string    `json:"client_id"` // "": not known, for only its hash is kept
	DDIs     []api.DDI `json:"ddis"`
}

// Merge takes in credentials that were made later, as [Options.Made] is told them:
// what is new, and what has changed.
func (c *Credentials) Merge(made Credentials) {
	for _, u := range made.Users {
		if i := slices.IndexFunc(c.Users, func(old UserCredentials) bool { return old.Username == u.Username }); i >= 0 {
			c.Users[i] = u
		} else {
			c.Users = append(c.Users, u)
		}
	}
	for _, a := range made.Accounts {
		i := slices.IndexFunc(c.Accounts, func(old AccountCredentials) bool { return old.ID == a.ID })
		if i < 0 {
			c.Accounts = append(c.Accounts, a)
			continue
		}
		if a.ClientID == "" {
			a.ClientID = c.Accounts[i].ClientID
		}
		c.Accounts[i] = a
	}
}

// Unknown lists the users whose password, and the accounts whose client id, is not
// in the credentials.
func (c *Credentials) Unknown() (users, accounts []string) {
	for _, u := range c.Users {
		if u.Password == "" {
			users = append(users, u.Username)
		}
	}
	for _, a := range c.Accounts {
		if a.ClientID == "" {
			accounts = append(accounts, a.Name)
		}
	}
	return users, accounts
}

// Stage is told what credentials will be once the commit under way is made, which is not
// kept unless it succeeds. settle is told afterwards whether it was kept. Whoever is killed
// in between finds either the credentials before, or the staged ones, to be those that fit.
type Stage func(Credentials) (settle func(kept bool), err error)

// Open returns the credentials of the first organisation, and makes one in a new database
// ([Platform.Seed]). Passwords and client ids are kept as hashes only, so they come from
// earlier, what this function returned before, as far as they still fit; it may name a user
// or an account more than once. Those that were never set, as in a new database, are set
// now, all in one commit, before which stage is told of them; nil tells nobody. Others that
// are not in earlier stay as they are and are not known.
func (p *Platform) Open(ctx context.Context, earlier Credentials, stage Stage) (Credentials, error) {
	if stage == nil {
		stage = func(Credentials) (func(bool), error) { return func(bool) {}, nil }
	}
	f := p.firm()
	c := Credentials{Organisation: f.organisation, Users: []UserCredentials{}, Accounts: []AccountCredentials{}}
	for i := range f.users {
		u := &f.users[i]
		password, err := p.passwordOf(ctx, u, earlier.Users)
		if err != nil {
			return c, err
		}
		c.Users = append(c.Users, UserCredentials{Username: u.Username, Password: password, Roles: u.Roles})
	}
	for i := range f.accounts {
		a := &f.accounts[i]
		c.Accounts = append(c.Accounts, AccountCredentials{Account: a.Account, ClientID: p.clientOf(a, earlier.Accounts), DDIs: f.numbersOf(a.ID)})
	}
	return c, p.staged(ctx, &c, stage, func(tx *records.Tx) error { return p.putFirm(ctx, tx, f) })
}

// Credentials is [Platform.Open] with nobody to tell.
func (p *Platform) Credentials(ctx context.Context, earlier Credentials) (Credentials, error) {
	return p.Open(ctx, earlier, nil)
}

// staged makes a change of credentials, which may still change c.
func (p *Platform) staged(ctx context.Context, c *Credentials, stage Stage, change func(*records.Tx) error) error {
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
func (p *Platform) passwordOf(ctx context.Context, u *records.User, earlier []UserCredentials) (string, error) {
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

func (p *Platform) clientOf(a *records.Account, earlier []AccountCredentials) string {
	if a.Client == "" {
		return p.newClient(a)
	}
	for _, e := range earlier {
		if e.ID == a.ID && hashClient(e.ClientID) == a.Client {
			return e.ClientID
		}
	}
	return ""
}

// newClient gives an account that will be kept a new client id; the one before is good no
// more.
func (p *Platform) newClient(a *records.Account) (client string) {
	client = p.chance.UUID()
	a.Client = hashClient(client)
	return client
}

func (p *Platform) numbersOf(account string) []api.DDI { return numbersOf(p.records.DDIs(account)) }

func numbersOf(ddis []*records.DDI) []api.DDI {
	list := []api.DDI{}
	for _, n := range ddis {
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
