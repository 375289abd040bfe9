package access

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzToken checks that no modification of an access or refresh token is accepted, nor one of the two in place of the
// other.
func FuzzToken(f *testing.F) {
	now := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	private, err := rsa.GenerateKey(rand.Reader, 1024) // a small one is made at once
	require.NoError(f, err)
	issuer := NewIssuer(TokenOptions{Now: func() time.Time { return now }, Random: bytes.NewReader(make([]byte, 64))}, []Key{{ID: "k", Made: now, Private: private}})
	given, err := issuer.Issue(Who{User: "U1", Username: "ann", Roles: []string{"admin"}})
	require.NoError(f, err)
	const none = "eyJhbGciOiJub25lIiwia2lkIjoiayJ9.eyJpc3MiOiJjYWJyYW5rIn0." // alg none
	f.Add(uint16(0), uint8(0), "")
	f.Add(uint16(10), uint8(1), "A")
	f.Add(uint16(0), uint8(255), none)
	f.Add(uint16(0), uint8(0), "..")
	f.Fuzz(func(t *testing.T, at uint16, cut uint8, put string) {
		for _, token := range []string{given.AccessToken, given.RefreshToken} {
			i := int(at) % (len(token) + 1)
			shown := token[:i] + put + token[min(len(token), i+int(cut)):]
			_, access := issuer.Access(shown)
			_, refresh := issuer.Refresh(shown)
			require.Equal(t, shown == given.AccessToken, access == nil, shown)
			require.Equal(t, shown == given.RefreshToken, refresh == nil, shown)
		}
	})
}
