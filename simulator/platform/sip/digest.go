package sip

import (
	"crypto/md5" //nolint:gosec // required by RFC 2617 and by telephones
	"crypto/subtle"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/icholy/digest"
)

// Realm is the realm in which telephones log in.
const Realm = "cabrank"

// Secret returns the hash of a telephone's password that is stored. It can check a login in this realm only.
func Secret(user, password string) string { return hash(user + ":" + Realm + ":" + password) }

func hash(s string) string {
	sum := md5.Sum([]byte(s)) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])
}

// Limits of nonces.
const (
	nonceLife  = 5 * time.Minute
	mostNonces = 4096
)

// nonces stores the nonces that were issued, with the number of uses of each, so that recorded credentials cannot be
// used again.
type nonces struct {
	mu    sync.Mutex
	known map[string]*nonce
	order []string // the oldest first
}

type nonce struct {
	made  time.Time
	count int // of the last use
}

// issue adds a nonce. If there are too many, it removes the oldest.
func (n *nonces) issue(text string, now time.Time) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.order) >= mostNonces {
		delete(n.known, n.order[0])
		n.order = n.order[1:]
	}
	n.known[text], n.order = &nonce{made: now}, append(n.order, text)
	return text
}

// use reports whether a nonce is valid with a count, which must be higher than its previous counts.
func (n *nonces) use(text string, count int, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	known := n.known[text]
	if known == nil || now.Sub(known.made) > nonceLife || count <= known.count {
		return false
	}
	known.count = count
	return true
}

// login is the result of checking a request's credentials.
type login int

const (
	loginWrong login = iota // wrong or malformed
	loginStale              // right, but with an old nonce
	loginRight
)

// check checks the credentials of a request with the secret of its user.
func (n *nonces) check(credentials *digest.Credentials, secret, method string, now time.Time) login {
	algorithm := strings.ToUpper(credentials.Algorithm)
	if credentials.Realm != Realm || credentials.QOP != "auth" || algorithm != "" && algorithm != "MD5" {
		return loginWrong
	}
	want := answerTo(credentials, secret, method)
	if subtle.ConstantTimeCompare([]byte(want), []byte(strings.ToLower(credentials.Response))) != 1 {
		return loginWrong
	}
	if !n.use(credentials.Nonce, credentials.Nc, now) {
		return loginStale
	}
	return loginRight
}

// answerTo returns the right response to a challenge (RFC 2617, qop auth).
func answerTo(c *digest.Credentials, secret, method string) string {
	count := hex.EncodeToString([]byte{byte(c.Nc >> 24), byte(c.Nc >> 16), byte(c.Nc >> 8), byte(c.Nc)})
	return hash(strings.Join([]string{secret, c.Nonce, count, c.Cnonce, c.QOP, hash(method + ":" + c.URI)}, ":"))
}
