package simapi

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
)

// Limits of the taxi plugin's settings.
const (
	mostOptions = 50
	mostPrompts = 20
	longestText = 60 << 10
)

// kept is shown in place of a secret; if a client sends it, the secret is unchanged.
const kept = "***"

func (p *API) getTaxi(r *rest.Request) (rest.Reply, error) {
	errs := &api.Errors{}
	account := p.accountOf(r.C.Param("account"), errs)
	if account == "" {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	s, _ := p.Taxi.Settings(account)
	return rest.OK(shownTaxi(s)), nil
}

// shownTaxi masks the secret, and replaces null lists by empty ones.
func shownTaxi(s booking.Settings) booking.Settings {
	if s.Auth != "" {
		s.Auth = kept
	}
	s.Features, s.Options, s.Places = listed(s.Features), listed(s.Options), listed(s.Places)
	return s
}

// putTaxi replaces the settings; members that are absent get their defaults.
func (p *API) putTaxi(r *rest.Request) (rest.Reply, error) {
	o, errs, err := r.Object()
	if err != nil {
		return rest.Reply{}, err
	}
	account := p.accountOf(r.C.Param("account"), &api.Errors{})
	a, known := p.Records.Account(account)
	if !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	s := readTaxi(o, booking.Defaults(a.Name))
	ctx := context.WithoutCancel(r.C.Request.Context())
	return rest.NoContent, p.Records.Write(ctx, func(tx *records.Tx) error {
		if before, _ := p.Taxi.Settings(account); s.Auth == kept && api.SameOrigin(s.ThirdParty, before.ThirdParty) {
			s.Auth = before.Auth
		}
		p.checkTaxi(o, s)
		if err := errs.Err(); err != nil {
			return err
		}
		return p.Taxi.Keep(ctx, tx, account, s)
	})
}

// readTaxi parses the settings.
func readTaxi(o *api.Object, s booking.Settings) booking.Settings {
	defer o.Done()
	given := func(name string, into *string, most int) {
		if text := o.OptionalText(name, most); o.Has(name) {
			*into = text
		}
	}
	given("firm", &s.Firm, api.Longest)
	given("language", &s.Language, 35)
	given("timezone", &s.Timezone, 64)
	given("operatorExtension", &s.Operator, 32)
	given("third_party_url", &s.ThirdParty, 2048)
	given("third_party_auth", &s.Auth, 4096)
	given("third_party_ca", &s.Roots, longestText)
	s.SkipDropOff = o.Bool("skipDropOff", s.SkipDropOff)
	if o.Has("features") {
		s.Features = words[taxi.Feature](o, "features")
	}
	if o.Has("options") {
		s.Options = words[taxi.Option](o, "options")
	}
	if raw := o.Raw("places"); raw != nil {
		s.Places = readPlaces(o, raw)
	}
	if raw := o.Raw("prompts"); raw != nil {
		if err := json.Unmarshal(raw, &s.Prompts); err != nil || len(s.Prompts) > mostPrompts {
			o.Add("prompts", "wants an object of at most %d prompt files, each a text by its language", mostPrompts)
		}
	}
	return s
}

// words parses an array of strings that may be empty.
func words[T ~string](o *api.Object, name string) []T {
	var list []T
	if err := json.Unmarshal(o.Raw(name), &list); err != nil || len(list) > mostOptions {
		o.Add(name, "wants an array of at most %d strings", mostOptions)
	}
	return list
}

func readPlaces(o *api.Object, raw json.RawMessage) []booking.Place {
	var places []booking.Place
	if err := json.Unmarshal(raw, &places); err != nil || len(places) > booking.MostPlaces {
		o.Add("places", "wants an array of at most %d places, each with name, address and location", booking.MostPlaces)
		return nil
	}
	for i, place := range places {
		at := place.Location
		if place.Address.Address == "" || at == nil || math.Abs(at.Longitude) > 180 || math.Abs(at.Latitude) > 90 {
			o.Add("places", "element %d wants an address, and a location with longitude and latitude", i)
		}
	}
	return places
}

// checkTaxi validates parsed settings.
func (p *API) checkTaxi(o *api.Object, s booking.Settings) {
	if _, err := time.LoadLocation(s.Timezone); err != nil || s.Timezone == "" || s.Timezone == "Local" {
		o.Add("timezone", "is not the name of a time zone, such as Europe/London")
	}
	if s.ThirdParty != "" {
		if err := operations.CheckReach(s.ThirdParty, p.Taxi.MayBePrivate(s.ThirdParty)); err != nil {
			o.Add("third_party_url", "%s", err)
		}
	}
	if s.Auth == kept {
		o.Add("third_party_auth", "is what a secret looks like from outside: there is none to keep for this address; give it again")
	} else if s.Auth != "" {
		if _, err := taxi.ParseAuth(s.Auth, nil, taxi.AuthQuery); err != nil {
			o.Add("third_party_auth", "%s", err)
		}
	}
	if s.Roots != "" && !x509.NewCertPool().AppendCertsFromPEM([]byte(s.Roots)) {
		o.Add("third_party_ca", "has no certificate in PEM form")
	}
	if err := booking.CheckPrompts(s.Prompts); err != nil {
		o.Add("prompts", "%s", err)
	}
}
