package sip

import (
	"crypto/md5" //nolint:gosec // what RFC 2617 and the telephones have
	"crypto/subtle"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/icholy/digest"
)

// Realm is what the platform's telephones log in to.
const Realm = "cabrank"

// Secret is what is kept of a telephone's password: enough to check a login, for this realm only.
func Secret(user, password string) string { return hash(user + ":" + Realm + ":" + password) }

func hash(s string) string {
	sum := md5.Sum([]byte(s)) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])
}

// Bounds of logins.
const (
	nonceLife  = 5 * time.Minute
	mostNonces = 4096
)

// nonces are those that were handed out. Each counts its uses, so that a login that somebody has
// overheard is good for nothing.
type nonces struct {
	mu    sync.Mutex
	known map[string]*nonce
	order []string // as they were made
}

type nonce struct {
	made  time.Time
	count int // of the last use
}

// issue returns a new one; the oldest make room.
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

// use reports whether a nonce may be used for the countth time.
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

// login is what came of a request's credentials.
type login int

const (
	loginWrong login = iota // somebody else's, or none that can be read
	loginStale              // right, for a nonce that is no longer good
	loginRight
)

// check checks the credentials of a request by the secret of its user.
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

// answerTo is the right response to a challenge (RFC 2617, qop auth).
func answerTo(c *digest.Credentials, secret, method string) string {
	count := hex.EncodeToString([]byte{byte(c.Nc >> 24), byte(c.Nc >> 16), byte(c.Nc >> 8), byte(c.Nc)})
	return hash(strings.Join([]string{secret, c.Nonce, count, c.Cnonce, c.QOP, hash(method + ":" + c.URI)}, ":"))
}
