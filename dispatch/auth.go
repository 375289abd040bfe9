package dispatch

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
)

// Credentials are what clients must send. The interface leaves authentication to
// the third party; the zero value asks for none.
type Credentials struct {
	header    string
	scheme    bool     // the value begins with a scheme, whose case does not matter (RFC 9110, 11.1)
	want      [32]byte // SHA-256 of the header's value, so that comparing takes the same time for any guess
	challenge string   // WWW-Authenticate
}

// ParseCredentials reads "basic:USER:PASSWORD", "bearer:TOKEN",
// "header:NAME:VALUE" (an API key), or "none".
func ParseCredentials(text string) (Credentials, error) {
	style, rest, _ := strings.Cut(text, ":")
	switch first, second, two := strings.Cut(rest, ":"); {
	case text == "" || text == "none":
		return Credentials{}, nil
	case style == "bearer" && rest != "":
		return Credentials{"Authorization", true, digest("Bearer " + rest), `Bearer realm="cabrank"`}, nil
	case style == "basic" && two && first != "":
		token := base64.StdEncoding.EncodeToString([]byte(rest))
		return Credentials{"Authorization", true, digest("Basic " + token), `Basic realm="cabrank", charset="UTF-8"`}, nil
	case style == "header" && two && first != "" && second != "":
		return Credentials{first, false, digest(second), `ApiKey realm="cabrank"`}, nil
	}
	// The text may be a secret, so the error does not repeat it.
	return Credentials{}, errors.New("credentials: want none, basic:USER:PASSWORD, bearer:TOKEN or header:NAME:VALUE")
}

func digest(value string) [32]byte { return sha256.Sum256([]byte(value)) }

// match reports whether a request has the credentials.
func (c Credentials) match(r *http.Request) bool {
	if c.header == "" {
		return true
	}
	shown := r.Header.Get(c.header)
	if scheme, token, ok := strings.Cut(shown, " "); ok && scheme != "" && c.scheme {
		shown = strings.ToUpper(scheme[:1]) + strings.ToLower(scheme[1:]) + " " + token
	}
	got := digest(shown)
	return subtle.ConstantTimeCompare(got[:], c.want[:]) == 1
}
