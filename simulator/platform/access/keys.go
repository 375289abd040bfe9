package access

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/hex"
	"io"
	"math/big"
	"slices"
	"time"
)

// keyBits is the size of the keys that sign tokens. RS256 is what every JWT
// library of every language verifies.
const keyBits = 2048

// Key signs tokens. The newest signs; older ones verify until the tokens that
// they signed are over.
type Key struct {
	ID      string // the tokens' kid
	Made    time.Time
	Private *rsa.PrivateKey
}

// NewKey makes a key whose id comes from random.
func NewKey(random io.Reader, now time.Time) (Key, error) {
	id := make([]byte, 8)
	if _, err := io.ReadFull(random, id); err != nil {
		return Key{}, err
	}
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	return Key{ID: hex.EncodeToString(id), Made: now, Private: private}, err
}

// JWK is a public key as a key set shows it (RFC 7517).
type JWK struct {
	KeyType   string `json:"kty"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
	ID        string `json:"kid"`
	N         string `json:"n"`
	E         string `json:"e"`
}

// JWKS is a key set.
type JWKS struct {
	Keys []JWK `json:"keys"`
}

func (k Key) public() JWK {
	text := base64.RawURLEncoding.EncodeToString
	return JWK{
		KeyType: "RSA", Use: "sig", Algorithm: algorithm, ID: k.ID,
		N: text(k.Private.N.Bytes()), E: text(big.NewInt(int64(k.Private.E)).Bytes()),
	}
}

// usable returns the keys whose tokens may still be valid, the newest first: a
// key is replaced when the next one is made, and its last token is over a
// lifetime later.
func usable(keys []Key, now time.Time, life time.Duration) []Key {
	sorted := slices.Clone(keys)
	slices.SortStableFunc(sorted, func(a, b Key) int { return b.Made.Compare(a.Made) })
	for i := 1; i < len(sorted); i++ {
		if replaced := sorted[i-1].Made; now.Sub(replaced) > life {
			return sorted[:i]
		}
	}
	return sorted
}
