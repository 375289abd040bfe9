package dispatch

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// Credentials are what callers must show. The interface leaves authentication
// to the third party; the zero value asks for none.
type Credentials struct {
	header    string
	want      [32]byte // SHA-256 of the header's value, so that comparing takes the same time for any guess
	challenge string   // WWW-Authenticate
}

// ParseCredentials reads "basic:USER:PASSWORD", "bearer:TOKEN",
// "header:NAME:VALUE" (an API key), or "none".
func ParseCredentials(text string) (Credentials, error) {
	style, rest, _ := strings.Cut(text, ":")
	switch first, second, two := strings.Cut(rest, ":"); {
	case style == "" || style == "none" && rest == "":
		return Credentials{}, nil
	case style == "bearer" && rest != "":
		return expect("Authorization", "Bearer "+rest, `Bearer realm="cabrank"`), nil
	case style == "basic" && two && first != "":
		token := base64.StdEncoding.EncodeToString([]byte(rest))
		return expect("Authorization", "Basic "+token, `Basic realm="cabrank", charset="UTF-8"`), nil
	case style == "header" && two && first != "" && second != "":
		return expect(first, second, `ApiKey realm="cabrank"`), nil
	}
	return Credentials{}, fmt.Errorf("credentials: want none, basic:USER:PASSWORD, bearer:TOKEN or header:NAME:VALUE, got style %q", style)
}

func expect(header, value, challenge string) Credentials {
	return Credentials{header, sha256.Sum256([]byte(value)), challenge}
}

// admit reports whether a request shows the credentials.
func (c Credentials) admit(r *http.Request) bool {
	if c.header == "" {
		return true
	}
	shown := r.Header.Get(c.header)
	// The scheme's name may be written in any case (RFC 9110, 11.1).
	if scheme, token, ok := strings.Cut(shown, " "); ok && c.header == "Authorization" {
		shown = strings.ToUpper(scheme[:min(1, len(scheme))]) + strings.ToLower(scheme[min(1, len(scheme)):]) + " " + token
	}
	got := sha256.Sum256([]byte(shown))
	return subtle.ConstantTimeCompare(got[:], c.want[:]) == 1
}
