package platform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// Credentials returns the credentials of the first organisation. Passwords and
// client ids are kept as hashes only, so they come from earlier, what this
// function returned before, as far as they still fit. Those that were never set,
// as in a new database, are set now; others that are not in earlier stay as they
// are and are not known.
func (p *Platform) Credentials(ctx context.Context, earlier Credentials) (c Credentials, err error) {
	c = Credentials{Organisation: p.records.Organisations()[0], Users: []UserCredentials{}, Accounts: []AccountCredentials{}}
	for _, u := range p.records.Users(c.Organisation.ID) {
		password, err := p.passwordOf(ctx, u, earlier.Users)
		if err != nil {
			return c, err
		}
		c.Users = append(c.Users, UserCredentials{Username: u.Username, Password: password, Roles: u.Roles})
	}
	for _, a := range p.records.Accounts(c.Organisation.ID) {
		client, err := p.clientOf(ctx, a, earlier.Accounts)
		if err != nil {
			return c, err
		}
		c.Accounts = append(c.Accounts, AccountCredentials{Account: a.Account, ClientID: client, DDIs: p.numbersOf(a.ID)})
	}
	return c, nil
}

func (p *Platform) passwordOf(ctx context.Context, u *records.User, earlier []UserCredentials) (string, error) {
	if u.Password == "" {
		password := p.chance.Password()
		return password, p.setPassword(ctx, *u, password)
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

// setPassword gives a user a new password; tokens that were given for the one
// before are good no more.
func (p *Platform) setPassword(ctx context.Context, u records.User, password string) (err error) {
	if u.Password, err = p.passwords.Hash(ctx, password); err != nil {
		return err
	}
	u.Generation++
	return p.records.Write(ctx, func(tx *records.Tx) error { return p.records.PutUser(ctx, tx, u) })
}

func (p *Platform) clientOf(ctx context.Context, a *records.Account, earlier []AccountCredentials) (string, error) {
	if a.Client == "" {
		return p.newClient(ctx, *a)
	}
	for _, e := range earlier {
		if e.ID == a.ID && hashClient(e.ClientID) == a.Client {
			return e.ClientID, nil
		}
	}
	return "", nil
}

// newClient gives an account a new client id; the one before is good no more.
func (p *Platform) newClient(ctx context.Context, a records.Account) (client string, err error) {
	client = p.chance.UUID()
	a.Client = hashClient(client)
	return client, p.records.Write(ctx, func(tx *records.Tx) error { return p.records.PutAccount(ctx, tx, a) })
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
