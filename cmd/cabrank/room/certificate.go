package room

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

const (
	certificateLife = 397 * 24 * time.Hour // browsers accept at most 398 days
	renewedBefore   = 14 * 24 * time.Hour
)

// Certificate returns the certificate of a room at some addresses. It is stored in a folder and used again, so
// that a phone accepts it only once. A certificate that expires soon, or lacks one of the addresses, is replaced.
// kept is the error of storing it; the certificate can then be used for this run only.
func Certificate(folder string, addresses []net.IP, now time.Time) (shown tls.Certificate, kept error, err error) {
	file := filepath.Join(folder, "room.pem")
	if folder != "" {
		shown, err := stored(file, addresses, now)
		switch {
		case err == nil:
			return shown, nil, nil
		case errors.Is(err, errUseless):
			_ = os.Remove(file) // keep fails if it stays
		}
	}
	text, err := newCertificate(addresses, now)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	if shown, err = tls.X509KeyPair(text, text); err != nil {
		return tls.Certificate{}, nil, err
	}
	if folder == "" {
		return shown, errNoFolder, nil
	}
	kept = saveCertificate(folder, file, text)
	if other, err := stored(file, addresses, now); err == nil { // perhaps that of a room which began at the same time
		return other, nil, nil
	}
	return shown, kept, nil
}

var errNoFolder = errors.New("there is no folder for the user's settings")

// errUseless is the error for a stored certificate that cannot be used.
var errUseless = errors.New("it expires soon, lacks an address, or is none")

// stored returns the certificate in a file, or errUseless if it cannot be used.
func stored(file string, addresses []net.IP, now time.Time) (tls.Certificate, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return tls.Certificate{}, err
	}
	pair, err := tls.X509KeyPair(text, text)
	if err != nil || !isUsable(pair.Leaf, addresses, now) {
		return tls.Certificate{}, errUseless
	}
	return pair, nil
}

// saveCertificate writes a certificate and its key to a new file that only its owner can read. It leaves a file that exists as it is.
func saveCertificate(folder, file string, text []byte) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	draft := file + "." + rand.Text()
	if err := cli.Replace("the certificate", draft, text, 0o600); err != nil {
		return err
	}
	err := os.Link(draft, file)
	if err != nil && !errors.Is(err, fs.ErrExist) { // there are no links here
		return cli.Rename(draft, file)
	}
	return errors.Join(err, os.Remove(draft))
}

// isUsable reports whether a certificate names all addresses and does not expire soon.
func isUsable(c *x509.Certificate, addresses []net.IP, now time.Time) bool {
	named := func(at net.IP) bool { return slices.ContainsFunc(c.IPAddresses, at.Equal) }
	return now.After(c.NotBefore) && now.Add(renewedBefore).Before(c.NotAfter) && !slices.ContainsFunc(addresses, func(at net.IP) bool { return !named(at) })
}

// newCertificate returns a new certificate and its key, as PEM.
func newCertificate(addresses []net.IP, now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Cabrank room"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certificateLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
		IPAddresses: addresses,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...), nil
}

// addresses returns the addresses at which other machines of the local network reach a listener.
func addresses(at net.Addr) ([]net.IP, error) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return nil, fmt.Errorf("%s is no TCP address", at)
	}
	if !tcp.IP.IsUnspecified() {
		return []net.IP{tcp.IP}, nil
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var found []net.IP
	for _, a := range all {
		if of, ok := a.(*net.IPNet); ok && of.IP.To4() != nil && of.IP.IsPrivate() {
			found = append(found, of.IP)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("this machine has no address in a local network")
	}
	return found, nil
}
