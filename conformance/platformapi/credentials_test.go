package platformapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzReadCredentials checks that credentials that are read without an error have users with names and an
// account with a Client ID.
func FuzzReadCredentials(f *testing.F) {
	f.Add(`{"users":[{"username":"u","password":"p"}],"accounts":[{"id":"a","client_id":"c"}]}`)
	f.Add(`{"users":[{}],"accounts":[null]}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCredentials(strings.NewReader(text))
		if err != nil {
			return
		}
		require.NotEmpty(t, c.Users)
		require.NotEmpty(t, c.Accounts[0].ClientID)
		for _, u := range c.Users {
			require.NotEmpty(t, u.Username)
		}
	})
}
