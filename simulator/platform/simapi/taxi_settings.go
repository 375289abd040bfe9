package simapi

import (
	"context"
	"crypto/x509"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
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
	account := p.accountOf(r.C.Param("account"), &api.Errors{})
	a, known := p.Records.Account(account)
	if !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	s := booking.Defaults(a.Name)
	errs := r.Bind(&s)
	ctx := context.WithoutCancel(r.C.Request.Context())
	return rest.NoContent, p.Records.Write(ctx, func(tx *records.Tx) error {
		if before, _ := p.Taxi.Settings(account); s.Auth == kept && api.SameOrigin(s.ThirdParty, before.ThirdParty) {
			s.Auth = before.Auth
		}
		p.checkTaxi(errs, s)
		if err := errs.Err(); err != nil {
			return err
		}
		return p.Taxi.Keep(ctx, tx, account, s)
	})
}

// checkTaxi validates parsed settings.
func (p *API) checkTaxi(errs *api.Errors, s booking.Settings) {
	for i, place := range s.Places {
		at := place.Location
		if place.Address.Address == "" || at == nil || math.Abs(at.Longitude) > 180 || math.Abs(at.Latitude) > 90 {
			errs.Add(api.Element("/places", i), "wants an address, and a location with longitude and latitude")
		}
	}
	if _, err := time.LoadLocation(s.Timezone); err != nil || s.Timezone == "" || s.Timezone == "Local" {
		errs.Add("/timezone", "is not the name of a time zone, such as Europe/London")
	}
	if s.ThirdParty != "" {
		if err := operations.CheckReach(s.ThirdParty, p.Taxi.MayBePrivate(s.ThirdParty)); err != nil {
			errs.Add("/third_party_url", "%s", err)
		}
	}
	if s.Auth == kept {
		errs.Add("/third_party_auth", "is what a secret looks like from outside: there is none to keep for this address; give it again")
	} else if s.Auth != "" {
		if _, err := taxi.ParseAuth(s.Auth, nil, taxi.AuthQuery); err != nil {
			errs.Add("/third_party_auth", "%s", err)
		}
	}
	if s.Roots != "" && !x509.NewCertPool().AppendCertsFromPEM([]byte(s.Roots)) {
		errs.Add("/third_party_ca", "has no certificate in PEM form")
	}
	if err := booking.CheckPrompts(s.Prompts); err != nil {
		errs.Add("/prompts", "%s", err)
	}
}
