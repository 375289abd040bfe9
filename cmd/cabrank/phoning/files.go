package phoning

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform"
)

// writeCredentials seeds a new database and writes the credentials file. Those in
// an earlier file that still fit are kept.
func (s *served) writeCredentials(ctx context.Context) error {
	if err := s.platform.Seed(ctx); err != nil {
		return err
	}
	path := s.flags.credentialsFile
	var earlier platform.Credentials
	if path != "" {
		text, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return cli.UsageError("--credentials-file: %w", err)
		default:
			if err := json.Unmarshal(text, &earlier); err != nil {
				return cli.UsageError("--credentials-file: %s is there and is no credentials file: %w", path, err)
			}
		}
	}
	c, _, err := s.platform.Credentials(ctx, earlier)
	if err != nil {
		return err
	}
	c.BaseURL, c.VoiceBaseURL = s.url, s.url
	s.credentials = c
	if path == "" {
		return nil
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return replace("--credentials-file", path, append(text, '\n'), 0o600)
}

// replace writes a file whole, so that nobody sees half of it.
func replace(flag, path string, text []byte, mode fs.FileMode) error {
	draft := path + ".tmp"
	if err := os.WriteFile(draft, text, mode); err != nil {
		return cli.UsageError("%s: %w", flag, err)
	}
	if err := os.Rename(draft, path); err != nil {
		return cli.UsageError("%s: %w", flag, err)
	}
	return nil
}

// announce writes the address for scripts.
func announce(path, url string) error {
	if path == "" {
		return nil
	}
	return replace("--url-file", path, []byte(url+"\n"), 0o644)
}

// withdraw removes the address that an earlier platform, or this one, announced.
func withdraw(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.UsageError("--url-file: %w", err)
	}
	return nil
}

// certificateLife is how long a self-signed certificate is good.
const certificateLife = 365 * 24 * time.Hour

// selfSigned makes a certificate for a listener and writes it to a file, for
// clients to trust. Its key is never written.
func selfSigned(at net.Addr, path string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "cabrank platform"},
		NotBefore: cli.Now().Add(-time.Hour), NotAfter: cli.Now().Add(certificateLife),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	if tcp, ok := at.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() {
		template.IPAddresses = append(template.IPAddresses, tcp.IP)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, replace("--tls-cert", path, text, 0o644)
}
