package platformapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Credentials is what a run needs to know about a platform: the contents of --credentials-file.
type Credentials struct {
	VoiceBaseURL string    `json:"voice_base_url"` // "": {base_url}
	Users        []User    `json:"users"`          // one of each role, the most powerful first
	Accounts     []Account `json:"accounts"`       // two, to test that they are separate
}

// User is a user who may log in.
type User struct {
	Username string   `json:"username"`
	Password string   `json:"password"`
	Roles    []string `json:"roles"`
}

// Account is an account with its credentials for the Voice API.
type Account struct {
	ID       string `json:"id"`
	ClientID string `json:"client_id"`
}

// mostFile is the maximum length of a credentials file, in bytes.
const mostFile = 1 << 20

// ReadCredentials reads a credentials file. It returns an error if the file has no user or no account, or
// one that is incomplete; unknown members are ignored.
func ReadCredentials(in io.Reader) (c Credentials, err error) {
	if err := json.NewDecoder(io.LimitReader(in, mostFile)).Decode(&c); err != nil {
		return c, fmt.Errorf(`want {"users":[{"username","password","roles"}],"accounts":[{"id","client_id"}]}: %w`, err)
	}
	return c, c.check()
}

// secrets lists the passwords and client ids, which no answer may contain.
func (c Credentials) secrets() (all []string) {
	for _, u := range c.Users {
		all = append(all, u.Password)
	}
	for _, a := range c.Accounts {
		all = append(all, a.ClientID)
	}
	return all
}

func (c Credentials) check() error {
	switch {
	case len(c.Users) == 0:
		return errors.New("users is empty: want at least one of each role")
	case len(c.Accounts) == 0:
		return errors.New("accounts is empty: want at least one, and two to test that they are separate")
	}
	for i, u := range c.Users {
		if u.Username == "" || u.Password == "" {
			return fmt.Errorf("users/%d lacks a username or a password", i)
		}
	}
	for i, a := range c.Accounts {
		if a.ID == "" || a.ClientID == "" {
			return fmt.Errorf("accounts/%d lacks an id or a client_id", i)
		}
	}
	return nil
}
