package conformance

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// proofs finds out what credentials consist of, by putting them on a request
// that is not sent.
func proofs(auth func(*http.Request), url string) []proof {
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
func (r *client) show(req *http.Request, how Credentials) {
	switch {
	case r.config.Auth == nil || how == credsMissing:
		return
	case how == credsWrong:
		forge(req, r.proofs)
		return
	}
	r.config.Auth(req)
	r.learnProofs(req)
	if how == credsOtherCap {
		if scheme, token := authorization(req.Header.Get("Authorization")).parts(); scheme != "" {
			req.Header.Set("Authorization", swapCase(scheme)+" "+token)
		}
	}
}

// learnProofs hears of credentials that have changed since the run began, as
// tokens do that run out.
func (r *client) learnProofs(req *http.Request) {
	for _, p := range r.proofs {
		now := p
		if now.key = req.Header.Get(p.name); p.query {
			now.key = req.URL.Query().Get(p.name)
		}
		if now.key != p.key {
			r.pseudonyms.addSecrets(now.secrets()...)
		}
	}
}

// hasScheme reports credentials of which a scheme's name is a part.
func (r *client) hasScheme() bool {
	return slices.ContainsFunc(r.proofs, func(p proof) bool {
		scheme, _ := p.parts()
		return p.name == "Authorization" && scheme != ""
	})
}

// forge puts credentials on a request that are right in all but the secret.
func forge(req *http.Request, all []proof) {
	query := req.URL.Query()
	for _, p := range all {
		if p.query {
			query.Set(p.name, p.forged().key)
			continue
		}
		req.Header.Set(p.name, p.forged().key)
	}
	req.URL.RawQuery = query.Encode()
}

// echoes reports whether an answer repeats a caller's secret.
func (r *client) echoes(resp *Response) bool {
	return slices.ContainsFunc(r.proofs, func(p proof) bool {
		_, secret := p.parts()
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
func (r *client) ownCertificate() (*http.Transport, bool) {
	own, ok := r.config.Transport.(*http.Transport)
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
func (r *client) clientFor(l call) *http.Client {
	switch {
	case l.http2:
		return r.over2
	case l.extraConnection:
		return r.fresh
	}
	own, ok := r.ownCertificate()
	how := l.creds
	switch {
	case !ok, how != credsMissing && how != credsWrong, how == credsWrong && r.config.Auth != nil:
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

// swapCase turns capitals into small letters and the other way about.
func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}
