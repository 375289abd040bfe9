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

// keyBits is the size of the keys that sign tokens. Every JWT library supports RS256.
const keyBits = 2048

// Key signs tokens. The newest key signs; older ones verify until their tokens have
// expired.
type Key struct {
	ID      string // the tokens' kid
	Made    time.Time
	Private *rsa.PrivateKey
}

// NewKey generates a key whose id comes from random.
func NewKey(random io.Reader, now time.Time) (Key, error) {
	id := make([]byte, 8)
	if _, err := io.ReadFull(random, id); err != nil {
		return Key{}, err
	}
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	return Key{ID: hex.EncodeToString(id), Made: now, Private: private}, err
}

// JWK is a public key in a key set (RFC 7517).
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

// usable returns the keys whose tokens may still be valid, newest first: a key stops
// signing when the next one is created, and its last token expires a lifetime later.
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
