package client

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"
)

// Authority is a temporary certificate authority that exists only in the process. It signs certificates for
// servers without one of their own, so that a run that trusts its roots can test them over TLS with the
// usual checks of chain, host name and dates.
type Authority struct {
	root *x509.Certificate
	key  *ecdsa.PrivateKey
}

// authorityName is the issuer of an authority's certificates.
const authorityName = "CONFORMANCE TEST throw-away authority"

// NewAuthority makes an authority that may sign for a year from now on.
func NewAuthority(now time.Time) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader) // P-256: TLS before 1.2 has no Ed25519
	if err != nil {
		return nil, fmt.Errorf("authority: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: authorityName},
		NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("authority: %w", err)
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("authority: %w", err)
	}
	return &Authority{root, key}, nil
}

// Roots returns the pool of roots for clients that trust the authority.
func (a *Authority) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.root)
	return pool
}

// Certificate returns the authority's own certificate, as DER, for others to trust.
func (a *Authority) Certificate() []byte { return a.root.Raw }

// Issue returns a certificate with its key for a server at the given host names and IP addresses, or for a
// client with the given name.
func (a *Authority) Issue(from, until time.Time, names ...string) (tls.Certificate, error) {
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: names[0]},
		NotBefore: from, NotAfter: until,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	return signed(template, a.root, a.key)
}
