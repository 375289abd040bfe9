package dispatch

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// proof is the header that a client must send.
type proof struct {
	header    string   // "": none
	scheme    bool     // the value starts with a scheme, whose case does not matter (RFC 9110, 11.1)
	want      [32]byte // SHA-256 of the header's value, so that comparing takes the same time for any guess
	challenge string   // WWW-Authenticate
}

// expect returns the header that a client must send for credentials. Credentials that
// cannot be sent in a header never match.
func expect(c taxi.Credentials) proof {
	switch c.Style {
	case "", taxi.AuthNone:
		return proof{}
	case taxi.AuthBearer:
		return proof{"Authorization", true, digest("Bearer " + c.Secret), `Bearer realm="cabrank"`}
	case taxi.AuthBasic:
		token := base64.StdEncoding.EncodeToString([]byte(c.Name + ":" + c.Secret))
		return proof{"Authorization", true, digest("Basic " + token), `Basic realm="cabrank", charset="UTF-8"`}
	case taxi.AuthHeader:
		return proof{c.Name, false, digest(c.Secret), `ApiKey realm="cabrank"`}
	default:
		return proof{header: "Authorization", challenge: `Bearer realm="cabrank"`}
	}
}

func digest(value string) [32]byte { return sha256.Sum256([]byte(value)) }

// match reports whether a request carries the proof.
func (p proof) match(r *http.Request) bool {
	if p.header == "" {
		return true
	}
	shown := r.Header.Get(p.header)
	if scheme, token, ok := strings.Cut(shown, " "); ok && scheme != "" && p.scheme {
		shown = strings.ToUpper(scheme[:1]) + strings.ToLower(scheme[1:]) + " " + strings.TrimLeft(token, " ")
	}
	got := digest(shown)
	return subtle.ConstantTimeCompare(got[:], p.want[:]) == 1
}
