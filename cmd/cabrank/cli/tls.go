package cli

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// TLSFlags select the CA certificates to trust and the client certificate to send.
type TLSFlags struct {
	cert, key string
	ca        string
}

// Add adds the flags.
func (f *TLSFlags) Add(fs *pflag.FlagSet) {
	fs.StringVar(&f.cert, "cert", "", "client certificate for mTLS, PEM file")
	fs.StringVar(&f.key, "key", "", "private key of --cert, PEM file")
	fs.StringVar(&f.ca, "ca", "", "PEM file with the CA certificates to trust instead of the system's")
	Share(fs, "cert", "key", "ca")
}

// Config reads the files that the flags name; it returns nil if no flag is set.
func (f *TLSFlags) Config() (*tls.Config, error) {
	if f.cert == "" && f.key == "" && f.ca == "" {
		return nil, nil
	}
	config := &tls.Config{}
	if f.cert != "" || f.key != "" {
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, UsageError("client certificate (--cert and --key): %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if f.ca == "" {
		return config, nil
	}
	text, err := ReadText(f.ca)
	if err != nil {
		return nil, UsageError("--ca: %w", err)
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, UsageError("--ca %s: it holds no certificate in PEM form", f.ca)
	}
	return config, nil
}

// RefersToSecret reports whether a text is a reference that [SecretFrom] resolves.
func RefersToSecret(text string) bool {
	return strings.HasPrefix(text, "@") || strings.HasPrefix(text, "env:")
}

// SecretFrom returns a function that resolves references to secrets in --auth, @FILE or
// env:NAME, so that secrets need not be on the command line.
func SecretFrom(getenv func(string) string) func(string) (string, error) {
	return func(reference string) (string, error) {
		if name, ok := strings.CutPrefix(reference, "env:"); ok {
			value := getenv(name)
			if value == "" {
				return "", fmt.Errorf("secret: the environment has no %s", name)
			}
			return value, nil
		}
		content, err := ReadText(strings.TrimPrefix(reference, "@"))
		if err != nil {
			return "", fmt.Errorf("secret: %w", err)
		}
		return strings.TrimSpace(string(content)), nil
	}
}
