package client

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/redact"
)

// proofs returns the headers and query parameters that auth adds to a request. It lets auth add them to a
// request that is never sent.
func proofs(auth func(*http.Request), url string) []redact.Proof {
	if auth == nil {
		return nil
	}
	blank, err := http.NewRequest(http.MethodPost, url, http.NoBody) //nolint:noctx // never sent
	if err != nil {
		return nil
	}
	auth(blank)
	var found []redact.Proof
	for name, values := range blank.Header {
		found = append(found, redact.Proof{Query: false, Name: name, Key: values[0]})
	}
	for name, values := range blank.URL.Query() {
		found = append(found, redact.Proof{Query: true, Name: name, Key: values[0]})
	}
	slices.SortFunc(found, func(a, b redact.Proof) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// show adds the caller's credentials to a request, or, as how says, wrong ones or none.
func (r *Client) show(req *http.Request, how conformance.Credentials) {
	switch {
	case r.Config.Auth == nil || how == conformance.CredsMissing:
		return
	case how == conformance.CredsWrong:
		forge(req, r.proofs, redact.Proof.Forged)
		return
	case how == conformance.CredsNear:
		forge(req, r.proofs, redact.Proof.NearMiss)
		return
	}
	r.Config.Auth(req)
	r.learnProofs(req)
	if how == conformance.CredsOtherCap {
		if scheme, token := redact.Authorization(req.Header.Get("Authorization")).Parts(); scheme != "" {
			req.Header.Set("Authorization", SwapCase(scheme)+" "+token)
		}
	}
}

// learnProofs hides from now on those credentials in a request that have changed since the run started,
// such as renewed tokens.
func (r *Client) learnProofs(req *http.Request) {
	for _, p := range r.proofs {
		now := p
		if now.Key = req.Header.Get(p.Name); p.Query {
			now.Key = req.URL.Query().Get(p.Name)
		}
		if now.Key != p.Key {
			r.pseudonyms.AddSecrets(now.Secrets()...)
		}
	}
}

// HasScheme reports whether the caller has an Authorization header that begins with a scheme, such as
// Bearer.
func (r *Client) HasScheme() bool {
	return slices.ContainsFunc(r.proofs, func(p redact.Proof) bool {
		scheme, _ := p.Parts()
		return p.Name == "Authorization" && scheme != ""
	})
}

// forge adds the given credentials to a request, each changed by other, which makes the secret wrong.
func forge(req *http.Request, all []redact.Proof, other func(redact.Proof) redact.Proof) {
	query := req.URL.Query()
	for _, p := range all {
		if p.Query {
			query.Set(p.Name, other(p).Key)
			continue
		}
		req.Header.Set(p.Name, other(p).Key)
	}
	req.URL.RawQuery = query.Encode()
}

// echoes reports whether an answer contains a secret of the caller that has at least six bytes.
func (r *Client) echoes(resp *conformance.Response) bool {
	if slices.ContainsFunc(r.Config.Secrets, func(secret string) bool { return len(secret) >= 6 && strings.Contains(string(resp.Body), secret) }) {
		return true
	}
	return slices.ContainsFunc(r.proofs, func(p redact.Proof) bool {
		_, secret := p.Parts()
		return len(secret) >= 6 && strings.Contains(string(resp.Body), secret)
	})
}

// security describes a TLS connection; nil: it is plain HTTP.
func security(state *tls.ConnectionState) *conformance.Security {
	if state == nil {
		return nil
	}
	s := &conformance.Security{
		Version:  tls.VersionName(state.Version),
		Modern:   state.Version >= tls.VersionTLS12,
		Verified: len(state.VerifiedChains) > 0,
	}
	if len(state.PeerCertificates) > 0 {
		s.NotAfter = state.PeerCertificates[0].NotAfter
	}
	return s
}

// OwnCertificate returns the client's transport, and whether it has a client certificate.
func (r *Client) OwnCertificate() (*http.Transport, bool) {
	own, ok := r.Config.Transport.(*http.Transport)
	if !ok || own.TLSClientConfig == nil {
		return nil, false
	}
	config := own.TLSClientConfig
	return own, len(config.Certificates) > 0 || config.GetClientCertificate != nil
}

// clientFor returns the HTTP client for a call: one for HTTP/2, for an extra connection, or without the
// right client certificate, if the call asks for that. If the caller has other credentials, too, a call
// with wrong ones keeps the right certificate.
func (r *Client) clientFor(l Call) *http.Client {
	switch {
	case l.Http2:
		return r.over2
	case l.ExtraConnection:
		return r.fresh
	}
	own, ok := r.OwnCertificate()
	how := l.Creds
	switch {
	case !ok, how != conformance.CredsMissing && how != conformance.CredsWrong, how == conformance.CredsWrong && r.Config.Auth != nil:
		return r.http
	}
	other := own.Clone()
	other.DisableKeepAlives = true
	config := other.TLSClientConfig
	show := func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &tls.Certificate{}, nil }
	if how == conformance.CredsWrong {
		show = forgeCertificate(config.Certificates, config.GetClientCertificate)
	}
	config.Certificates, config.GetClientCertificate = nil, show
	client := *r.http
	client.Transport = other
	return &client
}

// forgeCertificate returns a function for a TLS configuration that presents a self-signed certificate with
// the contents of the right one.
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
		forged, err := Forgery(leaf)
		return &forged, err
	}
}

// SwapCase swaps upper and lower case.
func SwapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// Hide adds secrets to those that are hidden in all output of the run.
func (r *Client) Hide(secrets ...string) { r.pseudonyms.AddSecrets(secrets...) }

// Forgery returns a self-signed certificate with the contents of another one and its own
// key.
func Forgery(of *x509.Certificate) (tls.Certificate, error) {
	template := &x509.Certificate{
		Subject: of.Subject, NotBefore: of.NotBefore, NotAfter: of.NotAfter, DNSNames: of.DNSNames, IPAddresses: of.IPAddresses,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: of.ExtKeyUsage,
	}
	return signed(template, nil, nil)
}

// signed returns a certificate with a new key, signed by an authority's key or, if by is nil, by its own
// key.
func signed(template, parent *x509.Certificate, by *ecdsa.PrivateKey) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("certificate: %w", err)
	}
	if by == nil {
		parent, by = template, key
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62)); err != nil {
		return tls.Certificate{}, fmt.Errorf("certificate: %w", err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
