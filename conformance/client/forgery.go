package client

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
)

// Forgery returns a self-signed certificate with the contents of another one and its own
// key.
func Forgery(of *x509.Certificate) (tls.Certificate, error) {
	template := &x509.Certificate{
		Subject: of.Subject, NotBefore: of.NotBefore, NotAfter: of.NotAfter, DNSNames: of.DNSNames, IPAddresses: of.IPAddresses,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: of.ExtKeyUsage,
	}
	return signed(template, nil, nil)
}

// signed makes a key and a certificate for it, signed by an authority's key or,
// without one, by itself.
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
