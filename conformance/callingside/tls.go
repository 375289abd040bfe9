package callingside

import (
	"crypto/tls"
	"crypto/x509"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/client"
)

// tlsMode is the certificate and the TLS versions that the third party uses during a scene.
type tlsMode struct {
	name   conformance.ProbeName
	checks string             // ids of the checks of its scene
	intent conformance.Intent // of calls that arrive
	show   func(*Certificates) *tls.Certificate
	oldest uint16 // 0: TLS 1.2
	newest uint16 // 0: any
	protos []string
}

func good(c *Certificates) *tls.Certificate { return &c.Good }

// tlsModes returns the TLS modes of scenes: certificates that nobody should trust, and an old and a new pair of TLS and HTTP
// versions.
func tlsModes() []*tlsMode {
	return []*tlsMode{
		{name: "a certificate that nobody signed", checks: "P-17", intent: rules.IntentBadCert, show: func(c *Certificates) *tls.Certificate { return c.SelfSigned }},
		{name: "a certificate that has expired", checks: "P-17", intent: rules.IntentBadCert, show: func(c *Certificates) *tls.Certificate { return c.Expired }},
		{name: "a certificate for another host", checks: "P-17", intent: rules.IntentBadCert, show: func(c *Certificates) *tls.Certificate { return c.WrongHost }},
		{name: "TLS 1.2 and HTTP/1.1 only", checks: "P-73", intent: rules.IntentOldTLS, show: good, newest: tls.VersionTLS12, protos: []string{"http/1.1"}},
		{name: "TLS 1.3, and HTTP/2 if the platform has it", checks: "P-73", intent: rules.IntentNewTLS, show: good, oldest: tls.VersionTLS13, protos: []string{"h2", "http/1.1"}},
	}
}

// config returns the TLS configuration for a handshake. If m is nil, it is the usual one.
func (m *tlsMode) config(c *Certificates) *tls.Config {
	own := &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{c.Good}, NextProtos: []string{"h2", "http/1.1"},
		SessionTicketsDisabled: true, // a resumed session does not show its certificate
	}
	if m == nil {
		return own
	}
	if cert := m.show(c); cert != nil {
		own.Certificates = []tls.Certificate{*cert}
	}
	if m.oldest > 0 {
		own.MinVersion = m.oldest
	}
	if m.protos != nil {
		own.NextProtos = m.protos
	}
	own.MaxVersion = m.newest
	return own
}

// possible reports whether the certificates have the one that the mode needs.
func (m *tlsMode) possible(c *Certificates) bool { return c != nil && m.show(c) != nil }

// TemporaryCertificates makes certificates for host names with a temporary authority, and returns the
// authority's certificate, as DER, for the platform to trust.
func TemporaryCertificates(now time.Time, hosts ...string) (*Certificates, []byte, error) {
	authority, err := client.NewAuthority(now)
	if err != nil {
		return nil, nil, err
	}
	day := 24 * time.Hour
	all := &Certificates{}
	if all.Good, err = authority.Issue(now.Add(-day), now.Add(60*day), hosts...); err != nil {
		return nil, nil, err
	}
	expired, err := authority.Issue(now.Add(-60*day), now.Add(-30*day), hosts...)
	if err != nil {
		return nil, nil, err
	}
	wrong, err := authority.Issue(now.Add(-day), now.Add(60*day), "another.example")
	if err != nil {
		return nil, nil, err
	}
	all.Expired, all.WrongHost = &expired, &wrong
	return all, authority.Certificate(), all.forge()
}

// Own returns certificates with a given good one, which the platform trusts, and a self-signed one
// that it must refuse.
func Own(goodOne tls.Certificate) (*Certificates, error) {
	all := &Certificates{Good: goodOne}
	return all, all.forge()
}

// forge sets SelfSigned to a self-signed certificate with the contents of the good one.
func (c *Certificates) forge() error {
	leaf, err := x509.ParseCertificate(c.Good.Certificate[0])
	if err != nil {
		return err
	}
	own, err := client.Forgery(leaf)
	if err != nil {
		return err
	}
	c.SelfSigned = &own
	return nil
}
