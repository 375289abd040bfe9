package redact

import (
	"encoding/base64"
	"strings"
)

// Proof is a header or query parameter with the caller's credentials.
type Proof struct {
	Query     bool // a parameter of the address; false: a header
	Name, Key string
}

// Authorization returns an Authorization header with the given value as a proof.
func Authorization(said string) Proof { return Proof{Name: "Authorization", Key: said} }

// Parts splits credentials into the name of a scheme, which is not secret, and the secret. Only an
// Authorization or Proxy-Authorization header has a scheme; otherwise it is "".
func (p Proof) Parts() (scheme, secret string) {
	if p.Query || p.Name != "Authorization" && p.Name != "Proxy-Authorization" {
		return "", p.Key
	}
	scheme, secret, ok := strings.Cut(p.Key, " ")
	if !ok {
		return "", p.Key
	}
	return scheme, strings.TrimSpace(secret)
}

// with returns the proof with another secret and the same scheme.
func (p Proof) with(secret string) Proof {
	if scheme, _ := p.Parts(); scheme != "" {
		secret = scheme + " " + secret
	}
	p.Key = secret
	return p
}

// basic returns the user and the password of basic authentication; ok is false for other credentials.
func (p Proof) basic() (user, password string, ok bool) {
	scheme, secret := p.Parts()
	plain, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || !strings.EqualFold(scheme, "Basic") {
		return "", "", false
	}
	user, password, _ = strings.Cut(string(plain), ":")
	return user, password, true
}

// Forged returns the proof with a wrong secret in the same form.
func (p Proof) Forged() Proof {
	if user, password, ok := p.basic(); ok {
		return p.with(base64.StdEncoding.EncodeToString([]byte(user + ":" + Twist(password))))
	}
	_, secret := p.Parts()
	return p.with(Twist(secret))
}

// NearMiss returns the proof with a secret that differs in one character near its end.
func (p Proof) NearMiss() Proof {
	if user, password, ok := p.basic(); ok {
		return p.with(base64.StdEncoding.EncodeToString([]byte(user + ":" + twistEnd(password))))
	}
	_, secret := p.Parts()
	return p.with(twistEnd(secret))
}

// twistEnd changes the last letter or digit. In a token of three parts (a JWT) it skips the very last
// character, since some of its bits are padding.
func twistEnd(secret string) string {
	last := len(secret) - 1
	if strings.Count(secret, ".") == 2 {
		last--
	}
	for i := last; i >= 0; i-- {
		if other := Twist(secret[i : i+1]); other != secret[i:i+1] {
			return secret[:i] + other + secret[i+1:]
		}
	}
	return secret + "x"
}

// Secrets returns the texts of a proof that nobody else should read: the secret and each of its words, as a
// server may repeat just one.
func (p Proof) Secrets() []string {
	_, secret := p.Parts()
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

// Twist returns a wrong secret of the same length and alphabet.
func Twist(secret string) string {
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
