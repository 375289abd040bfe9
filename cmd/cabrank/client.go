package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// defaultURL is where serve and demo listen unless told otherwise.
const defaultURL = "http://127.0.0.1:8080"

// clientFlags say which dispatch system to call and how.
type clientFlags struct {
	url       string
	auth      string
	cert, key string
	timeout   time.Duration
	asJSON    bool
}

func (f *clientFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "url", defaultURL, "the dispatch system's base address")
	cmd.Flags().StringVar(&f.auth, "auth", "none", "how to authenticate: none, basic:USER:PASSWORD, bearer:TOKEN, header:NAME:VALUE; @FILE or env:NAME in place of a secret")
	cmd.Flags().StringVar(&f.cert, "cert", "", "client certificate for mTLS, PEM file")
	cmd.Flags().StringVar(&f.key, "key", "", "its private key, PEM file")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 10*time.Second, "most time for one call")
	share(cmd.Flags(), "url", "auth", "cert", "key")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the answer as JSON")
}

// client returns a client for the flags.
func (f *clientFlags) client(out outside) (*taxi.Client, error) {
	credentials, err := taxi.ParseAuth(f.auth, secretFrom(out.getenv))
	if err != nil {
		return nil, usageError("--auth: %w", err)
	}
	config, err := f.tls()
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	c, err := taxi.NewClient(f.url, taxi.ClientOptions{
		Auth: credentials.Auth(), TLS: config, Timeout: f.timeout, UserAgent: "cabrank/" + versionString(),
	})
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return c, nil
}

func (f *clientFlags) tls() (*tls.Config, error) {
	if f.cert == "" && f.key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("client certificate (--cert and --key): %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}, nil
}

// secretFrom finds the secrets that --auth refers to, as @FILE or env:NAME, so
// that they need not stand on the command line.
func secretFrom(getenv func(string) string) func(string) (string, error) {
	return func(reference string) (string, error) {
		if name, ok := strings.CutPrefix(reference, "env:"); ok {
			value := getenv(name)
			if value == "" {
				return "", fmt.Errorf("secret: the environment has no %s", name)
			}
			return value, nil
		}
		content, err := os.ReadFile(strings.TrimPrefix(reference, "@"))
		if err != nil {
			return "", fmt.Errorf("secret: %w", err)
		}
		return strings.TrimSpace(string(content)), nil
	}
}

// outcome turns a call's error into what the program says and exits with.
func (f *clientFlags) outcome(err error) error {
	if _, settled := errors.AsType[*exitError](err); settled || err == nil {
		return err
	}
	if p, ok := errors.AsType[*taxi.Problem](err); ok {
		if p.Status == http.StatusUnauthorized {
			return &exitError{exitFindings, fmt.Errorf("refused: %w; --auth says who calls", p)}
		}
		return &exitError{exitFindings, fmt.Errorf("refused: %w", p)}
	}
	return &exitError{exitUnreachable, fmt.Errorf("%w (is %s the dispatch system's address? 'cabrank serve' starts one)", err, f.url)}
}
