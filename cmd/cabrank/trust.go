package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"github.com/spf13/pflag"
)

// trustFlags say whom to trust for a server's certificate, and what certificate
// to show it.
type trustFlags struct {
	cert, key string
	ca        string
}

func (f *trustFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.cert, "cert", "", "client certificate for mTLS, PEM file")
	fs.StringVar(&f.key, "key", "", "its private key, PEM file")
	fs.StringVar(&f.ca, "ca", "", "PEM file of whom to trust for the server's certificate, in place of what this machine trusts")
	share(fs, "cert", "key", "ca")
}

// trust returns whom to trust and what certificate to show; nil: as always.
func (f *trustFlags) trust() (*tls.Config, error) {
	config, err := (&clientFlags{cert: f.cert, key: f.key}).tls()
	if err != nil || f.ca == "" {
		return config, err
	}
	text, err := os.ReadFile(f.ca)
	if err != nil {
		return nil, fmt.Errorf("--ca: %w", err)
	}
	if config == nil {
		config = &tls.Config{}
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--ca %s: it holds no certificate in PEM form", f.ca)
	}
	return config, nil
}
