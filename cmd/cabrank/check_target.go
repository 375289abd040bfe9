package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// targetFlags say which server to judge and how to get at it.
type targetFlags struct {
	trustFlags
	auths     []string
	tokenURL  string
	scope     string
	timeout   time.Duration
	allowHost bool
	phones    []string
	centre    string
	places    string
	zone      string
	only      []string
	seed      uint64
}

func (f *targetFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.auths, "auth", nil, `how to authenticate, several times for several headers: none, basic:USER:PASSWORD,
bearer:TOKEN, header:NAME:VALUE, query:NAME:VALUE, oauth2:ID:SECRET (with --token-url);
@FILE or env:NAME in place of a secret`)
	fs.StringVar(&f.tokenURL, "token-url", "", "where oauth2 client credentials are exchanged for a token")
	fs.StringVar(&f.scope, "scope", "", "scope to ask for with oauth2")
	f.trustFlags.add(fs)
	fs.DurationVar(&f.timeout, "timeout", 10*time.Second, "most time for one call")
	fs.BoolVar(&f.allowHost, "allow-host", false, "judge a host other than this machine: journeys are booked there, and cancelled")
	fs.StringSliceVar(&f.phones, "phone", nil, "numbers of known users that may be used (default made-up ones)")
	fs.StringVar(&f.centre, "centre", "", "LATITUDE,LONGITUDE of the middle of the area that is served, around which addresses are made up (default Leeds)")
	fs.StringVar(&f.places, "places", "", `JSON file [{"address","location":{"longitude","latitude"}}] of addresses to use in place of made-up ones`)
	fs.StringVar(&f.zone, "zone", "Europe/London", "time zone of the server, for pickups around the change of its clocks")
	fs.StringSliceVar(&f.only, "only", nil, "ids of checks: tell only the stories that they depend on")
	fs.Uint64Var(&f.seed, "seed", 1, "what the random walk follows from (0: another each time); names and numbers are new in every run")
}

// target returns what the suite is to judge.
func (f *targetFlags) target(ctx context.Context, out outside, args []string) (conformance.Target, error) {
	t := conformance.Target{Now: now, Seed: f.seed, Timeout: f.timeout, AllowHost: f.allowHost}
	for _, named := range f.only {
		id, _, _ := strings.Cut(named, "@") // reports name verdicts so
		c, ok := conformance.Lookup(id)
		if !ok {
			return t, usageError("--only: there is no check %q; 'cabrank explain' lists them", id)
		}
		t.Only = append(t.Only, c.ID)
	}
	t.Nonce = uint64(now().UnixNano())
	if t.Seed == 0 {
		t.Seed = t.Nonce
	}
	if len(args) == 1 {
		t.URL = args[0]
	}
	for _, p := range f.phones {
		t.Phones = append(t.Phones, taxi.E164(p).Digits())
	}
	if err := f.locate(&t); err != nil {
		return t, err
	}
	var err error
	if t.TLS, err = f.trust(); err != nil {
		return t, &exitError{exitUsage, err}
	}
	t.Auth, err = f.credentials(ctx, out, t.TLS)
	return t, err
}

// locate says where the server is and what addresses it serves.
func (f *targetFlags) locate(t *conformance.Target) error {
	var err error
	if t.Zone, err = time.LoadLocation(f.zone); err != nil {
		return usageError("--zone is %q, want a name such as Europe/London", f.zone)
	}
	if f.centre != "" {
		_, err := fmt.Sscanf(strings.ReplaceAll(f.centre, " ", ""), "%g,%g", &t.Centre.Latitude, &t.Centre.Longitude)
		if err != nil || math.Abs(t.Centre.Latitude) > 90 || math.Abs(t.Centre.Longitude) > 180 {
			return usageError("--centre is %q, want LATITUDE,LONGITUDE such as 53.7997,-1.5491", f.centre)
		}
	}
	if f.places == "" {
		return nil
	}
	text, err := os.ReadFile(f.places)
	if err != nil {
		return usageError("--places: %w", err)
	}
	if err := json.Unmarshal(text, &t.Places); err != nil {
		return usageError(`--places %s: want [{"address","location":{"longitude","latitude"}}]: %w`, f.places, err)
	}
	for i, p := range t.Places {
		if p.Address == "" || p.Location == nil {
			return usageError("--places %s: entry %d lacks an address or a location", f.places, i+1)
		}
	}
	if len(t.Places) < 2 {
		return usageError("--places %s: want two addresses at least, to go from one to another", f.places)
	}
	return nil
}
