package conformance

import (
	"encoding/base64"
	"strings"
)

// proof is one thing that an [taxi.Auth] adds to a request.
type proof struct {
	query     bool // a parameter of the address; false: a header
	name, key string
}

// authorization is what a header of that name says.
func authorization(said string) proof { return proof{name: "Authorization", key: said} }

// parts splits the name of a scheme, which is no secret, from the credentials.
// Only a header for authorization begins with one.
func (p proof) parts() (scheme, secret string) {
	if p.query || p.name != "Authorization" && p.name != "Proxy-Authorization" {
		return "", p.key
	}
	scheme, secret, ok := strings.Cut(p.key, " ")
	if !ok {
		return "", p.key
	}
	return scheme, strings.TrimSpace(secret)
}

// with is the same proof with other credentials.
func (p proof) with(secret string) proof {
	if scheme, _ := p.parts(); scheme != "" {
		secret = scheme + " " + secret
	}
	p.key = secret
	return p
}

// basic returns user and password of basic authentication.
func (p proof) basic() (user, password string, ok bool) {
	scheme, secret := p.parts()
	plain, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || !strings.EqualFold(scheme, "Basic") {
		return "", "", false
	}
	user, password, _ = strings.Cut(string(plain), ":")
	return user, password, true
}

// forged is the proof with another secret.
func (p proof) forged() proof {
	if user, password, ok := p.basic(); ok {
		return p.with(base64.StdEncoding.EncodeToString([]byte(user + ":" + twist(password))))
	}
	_, secret := p.parts()
	return p.with(twist(secret))
}

// secrets returns the texts of a proof that nobody else should read: all of it
// and each of its words, as a server may repeat just one.
func (p proof) secrets() []string {
	_, secret := p.parts()
	all := []string{secret}
	for _, word := range strings.FieldsFunc(secret, func(r rune) bool { return strings.ContainsRune(" ;,", r) }) {
		if _, v, _ := strings.Cut(word, "="); strings.Trim(v, `="`) != "" { // a cookie, or one of several parts
			word = strings.Trim(v, `="`)
		}
		all = append(all, word)
	}
	if _, password, ok := p.basic(); ok {
		all = append(all, password)
	}
	return all
}

// twist makes another secret of the same length and alphabet.
func twist(secret string) string {
	if secret == "" {
		return "x"
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c == 'z', c == 'Z', c == '9':
			return c - 1
		case c >= 'a' && c < 'z', c >= 'A' && c < 'Z', c >= '0' && c < '9':
			return c + 1
		}
		return c
	}, secret)
}
