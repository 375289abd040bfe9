package access

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/simulator/platform/api"
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

// Merge takes in credentials that were made later, as platform.Options.Made is told them:
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

// HashClient is what is kept of a client id. It is random and long, so that a
// fast hash will do.
func HashClient(client string) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(len(client)) + ":" + client))
	return hex.EncodeToString(sum[:])
}
