package conformance

import (
	"crypto/tls"
	"crypto/x509"
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

// ownCertificate returns the transport whose client certificate a server may go
// by; false: none is shown.
func (t *Target) ownCertificate() (*http.Transport, bool) {
	own, ok := t.Transport.(*http.Transport)
	if !ok || own.TLSClientConfig == nil {
		return nil, false
	}
	config := own.TLSClientConfig
	return own, len(config.Certificates) > 0 || config.GetClientCertificate != nil
}

// clientFor returns the client that a letter goes by: one that speaks another
// version of HTTP, or shows other credentials as far as they consist of a
// certificate. With others beside it, those are what is changed, and the
// certificate stays.
func (r *recorder) clientFor(l letter) *http.Client {
	switch {
	case l.second:
		return r.over2
	case l.beside:
		return r.beside
	}
	own, ok := r.target.ownCertificate()
	how := l.creds
	switch {
	case !ok, how != credsMissing && how != credsWrong, how == credsWrong && r.target.Auth != nil:
		return r.http
	}
	other := own.Clone()
	other.DisableKeepAlives = true
	config := other.TLSClientConfig
	show := func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &tls.Certificate{}, nil }
	if how == credsWrong {
		show = forgeCertificate(config.Certificates, config.GetClientCertificate)
	}
	config.Certificates, config.GetClientCertificate = nil, show
	client := *r.http
	client.Transport = other
	return &client
}

// forgeCertificate shows a certificate that says what the right one says, and
// that nobody has signed for.
func forgeCertificate(own []tls.Certificate, asked func(*tls.CertificateRequestInfo) (*tls.Certificate, error)) func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	return func(info *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		right := &tls.Certificate{}
		switch {
		case len(own) > 0:
			right = &own[0]
		case asked != nil:
			var err error
			if right, err = asked(info); err != nil {
				return nil, err
			}
		}
		if len(right.Certificate) == 0 {
			return right, nil
		}
		leaf, err := x509.ParseCertificate(right.Certificate[0])
		if err != nil {
			return nil, err
		}
		forged, err := forgery(leaf)
		return &forged, err
	}
}
