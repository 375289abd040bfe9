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
	auth, err := parseAuth(f.auth, out.getenv)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	config, err := f.tls()
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	c, err := taxi.NewClient(f.url, taxi.ClientOptions{
		Auth: auth, TLS: config, Timeout: f.timeout, UserAgent: "cabrank/" + versionString(),
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

// withSecret resolves the secret of an --auth value given as @FILE or env:NAME.
func withSecret(text string, getenv func(string) string) (string, error) {
	style, _, _ := strings.Cut(text, ":")
	before := map[string]int{"bearer": 1, "basic": 2, "header": 2}[style]
	parts := strings.SplitN(text, ":", before+1)
	if before == 0 || len(parts) <= before {
		return text, nil // its reader will say what is wrong with it
	}
	var err error
	parts[before], err = secret(parts[before], getenv)
	return strings.Join(parts, ":"), err
}

// parseAuth reads an --auth value. A secret may be given as @FILE or env:NAME,
// so that it need not stand on the command line.
func parseAuth(text string, getenv func(string) string) (taxi.Auth, error) {
	style, rest, _ := strings.Cut(text, ":")
	first, second, two := strings.Cut(rest, ":")
	switch {
	case text == "" || text == "none":
		return nil, nil
	case style == "bearer" && rest != "":
		token, err := secret(rest, getenv)
		return taxi.Bearer(token), err
	case style == "basic" && two && first != "":
		password, err := secret(second, getenv)
		return taxi.Basic(first, password), err
	case style == "header" && two && first != "" && second != "":
		value, err := secret(second, getenv)
		return taxi.Header(first, value), err
	}
	// What was given may be a secret by itself, so it is not repeated.
	return nil, errors.New("--auth: want none, basic:USER:PASSWORD, bearer:TOKEN or header:NAME:VALUE")
}

// secret returns a secret given as itself, as @FILE, or as env:NAME.
func secret(text string, getenv func(string) string) (string, error) {
	if path, ok := strings.CutPrefix(text, "@"); ok {
		content, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("secret: %w", err)
		}
		return strings.TrimSpace(string(content)), nil
	}
	if name, ok := strings.CutPrefix(text, "env:"); ok {
		value := getenv(name)
		if value == "" {
			return "", fmt.Errorf("secret: the environment has no %s", name)
		}
		return value, nil
	}
	return text, nil
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
