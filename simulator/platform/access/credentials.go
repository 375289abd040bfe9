package access

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Credentials contains what a client needs to use a platform. It is the content of the
// file of 'cabrank platform --credentials-file'.
type Credentials struct {
	BaseURL      string               `json:"base_url"`
	VoiceBaseURL string               `json:"voice_base_url"`
	Organisation api.Organisation     `json:"organisation"`
	Users        []UserCredentials    `json:"users"`
	Accounts     []AccountCredentials `json:"accounts"`
}

// UserCredentials are the credentials of a user.
type UserCredentials struct {
	Username string   `json:"username" limit:"required 1..64"`
	Password string   `json:"password" limit:"0..256"` // "": unknown, since only its hash is stored
	Roles    []string `json:"roles" limit:"required 1..10 of 1..64 distinct"`
}

// AccountCredentials are the credentials of an account for the Voice API: its id and its
// client id.
type AccountCredentials struct {
	api.Account
	ClientID string    `json:"client_id"` // "": unknown, since only its hash is stored
	DDIs     []api.DDI `json:"ddis"`
}

// Merge adds new and changed credentials, as platform.Options.Made receives them.
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

// Unknown lists the users and accounts whose password or client id is not in the
// credentials.
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

// Stage receives the credentials that a commit is about to store, and can prevent the commit by returning an error.
// settle is called after the commit; kept is false if it failed. If the process is killed in between, either the old or
// the staged credentials are valid.
type Stage func(Credentials) (settle func(kept bool), err error)

// HashClient returns the stored form of a client id. Client ids are random and long, so a
// fast hash is sufficient.
func HashClient(client string) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(len(client)) + ":" + client))
	return hex.EncodeToString(sum[:])
}
