package conformance

import (
	"crypto/tls"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Credentials says how a call showed who made it. What it showed is recorded
// nowhere.
type Credentials string

// The ways of showing credentials.
const (
	credsNone     Credentials = ""           // none are used
	credsGiven    Credentials = "given"      // as the target's Auth adds them
	credsMissing  Credentials = "missing"    // left out on purpose
	credsWrong    Credentials = "wrong"      // changed on purpose
	credsOtherCap Credentials = "other-case" // the scheme's name in other capitals
)

// proof is one thing that an [taxi.Auth] adds to a request.
type proof struct {
	query     bool // a parameter of the address; false: a header
	name, key string
}

// proofs finds out what credentials consist of, by putting them on a request
// that is not sent.
func proofs(auth taxi.Auth, url string) []proof {
	if auth == nil {
		return nil
	}
	blank, err := http.NewRequest(http.MethodPost, url, http.NoBody) //nolint:noctx // never sent
	if err != nil {
		return nil
	}
	auth(blank)
	var found []proof
	for name, values := range blank.Header {
		found = append(found, proof{false, name, values[0]})
	}
	for name, values := range blank.URL.Query() {
		found = append(found, proof{true, name, values[0]})
	}
	slices.SortFunc(found, func(a, b proof) int { return strings.Compare(a.name, b.name) })
	return found
}

// show puts credentials on a request in one of the ways.
func (r *recorder) show(req *http.Request, how Credentials) {
	switch {
	case r.target.Auth == nil || how == credsMissing:
		return
	case how == credsWrong:
		forge(req, r.proofs)
		return
	}
	r.target.Auth(req)
	if how == credsOtherCap {
		if scheme, token, ok := strings.Cut(req.Header.Get("Authorization"), " "); ok {
			req.Header.Set("Authorization", swapCase(scheme)+" "+token)
		}
	}
}

// hasScheme reports credentials of which a scheme's name is a part.
func (r *recorder) hasScheme() bool {
	return slices.ContainsFunc(r.proofs, func(p proof) bool {
		return p.name == "Authorization" && !p.query && strings.Contains(p.key, " ")
	})
}

// forge puts credentials on a request that are right in all but the secret.
func forge(req *http.Request, all []proof) {
	query := req.URL.Query()
	for _, p := range all {
		if p.query {
			query.Set(p.name, twist(p.key))
			continue
		}
		req.Header.Set(p.name, forged(p.key))
	}
	req.URL.RawQuery = query.Encode()
}

func forged(key string) string {
	scheme, token, ok := strings.Cut(key, " ")
	if !ok {
		return twist(key)
	}
	if plain, err := base64.StdEncoding.DecodeString(token); err == nil && strings.EqualFold(scheme, "Basic") {
		user, secret, _ := strings.Cut(string(plain), ":")
		return scheme + " " + base64.StdEncoding.EncodeToString([]byte(user+":"+twist(secret)))
	}
	return scheme + " " + twist(token)
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

// echoes reports whether an answer repeats a caller's secret.
func (r *recorder) echoes(resp *Response) bool {
	return slices.ContainsFunc(r.proofs, func(p proof) bool {
		_, secret, ok := strings.Cut(p.key, " ")
		if !ok {
			secret = p.key
		}
		return len(secret) >= 6 && strings.Contains(string(resp.Body), secret)
	})
}

// security sums up a TLS connection.
func security(state *tls.ConnectionState) *Security {
	if state == nil {
		return nil
	}
	s := &Security{
		Version:  tls.VersionName(state.Version),
		Modern:   state.Version >= tls.VersionTLS12,
		Verified: len(state.VerifiedChains) > 0,
	}
	if len(state.PeerCertificates) > 0 {
		s.NotAfter = state.PeerCertificates[0].NotAfter
	}
	return s
}

// withoutCertificate returns a client that shows no client certificate, and
// whether the usual one does.
func (r *recorder) withoutCertificate() (*http.Client, bool) {
	own, ok := r.target.Transport.(*http.Transport)
	if !ok || own.TLSClientConfig == nil ||
		len(own.TLSClientConfig.Certificates) == 0 && own.TLSClientConfig.GetClientCertificate == nil {
		return r.http, false
	}
	bare := own.Clone()
	bare.TLSClientConfig.Certificates, bare.TLSClientConfig.GetClientCertificate = nil, nil
	bare.DisableKeepAlives = true
	client := *r.http
	client.Transport = bare
	return &client, true
}
