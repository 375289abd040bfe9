package main

import (
	"context"
	"net/http"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// targetFlags say which server to judge and how to get at it.
type targetFlags struct {
	auths     []string
	tokenURL  string
	scope     string
	cert, key string
	timeout   time.Duration
	allowHost bool
	phones    []string
	only      []string
	seed      uint64
}

func (f *targetFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.auths, "auth", nil, `how to authenticate, several times for several headers: none, basic:USER:PASSWORD,
bearer:TOKEN, header:NAME:VALUE, query:NAME:VALUE, oauth2:ID:SECRET (with --token-url);
@FILE or env:NAME in place of a secret`)
	fs.StringVar(&f.tokenURL, "token-url", "", "where oauth2 client credentials are exchanged for a token")
	fs.StringVar(&f.scope, "scope", "", "scope to ask for with oauth2")
	fs.StringVar(&f.cert, "cert", "", "client certificate for mTLS, PEM file")
	fs.StringVar(&f.key, "key", "", "its private key, PEM file")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Second, "most time for one call")
	fs.BoolVar(&f.allowHost, "allow-host", false, "judge a host other than this machine: journeys are booked there, and cancelled")
	fs.StringSliceVar(&f.phones, "phone", nil, "numbers of known users that may be used (default made-up ones)")
	fs.StringSliceVar(&f.only, "only", nil, "ids of checks: tell only the stories that they depend on")
	fs.Uint64Var(&f.seed, "seed", 0, "what the made-up names, places and numbers follow from (default: the time)")
}

// target returns what the suite is to judge.
func (f *targetFlags) target(ctx context.Context, out outside, args []string) (conformance.Target, error) {
	t := conformance.Target{Now: now, Seed: f.seed, Timeout: f.timeout, AllowHost: f.allowHost}
	for _, id := range f.only {
		c, ok := conformance.Lookup(id)
		if !ok {
			return t, usageError("--only: there is no check %q; 'cabrank explain' lists them", id)
		}
		t.Only = append(t.Only, c.ID)
	}
	if t.Seed == 0 {
		t.Seed = uint64(now().UnixNano())
	}
	if len(args) == 1 {
		t.URL = args[0]
	}
	for _, p := range f.phones {
		t.Phones = append(t.Phones, taxi.E164(p).Digits())
	}
	config, err := (&clientFlags{cert: f.cert, key: f.key}).tls()
	if err != nil {
		return t, &exitError{exitUsage, err}
	}
	if config != nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.TLSClientConfig = config
		own.DisableCompression = true
		t.Transport = own
	}
	t.Auth, err = f.credentials(ctx, out, config)
	return t, err
}
