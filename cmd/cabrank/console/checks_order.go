package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Own is the server that serves the console, as a target of checks.
type Own interface {
	// URL is the address of its operations.
	URL() string

	// Lend returns what the server lends to a check of itself: credentials, users and its
	// clock. With apart it creates a copy of the server's world for the check, so that
	// the check does not change the town's clock and journeys. free must be called when
	// the check is over. ok is false if address belongs to another server.
	Lend(ctx context.Context, address string, apart bool) (t dispatchside.Target, free func(), ok bool, err error)
}

// order is the JSON body of a request for a check.
type order struct {
	URL       string   `json:"url"`
	Auth      auth     `json:"auth,omitzero"`
	Phones    []string `json:"phones,omitempty"`    // phone numbers of known users
	Scope     scope    `json:"scope,omitempty"`     // "": whole
	AllowHost bool     `json:"allowHost,omitempty"` // the server may be on another machine
	Apart     bool     `json:"apart,omitempty"`     // of this server: in a sandbox
}

// auth holds the credentials of a check's requests. They are not stored after the check
// and never returned.
type auth struct {
	Style  taxi.AuthStyle `json:"style,omitempty"`
	Name   string         `json:"name,omitempty"`
	Secret string         `json:"secret,omitempty"`
}

// scope is the part of the suite that a check runs.
type scope string

// The scopes.
const (
	whole scope = "whole"
	quick scope = "quick" // the most important checks, with few bookings
	reads scope = "reads" // nothing is booked or cancelled
)

// Limits of a check.
const (
	quickBookings = 80
	quickTime     = time.Minute
	wholeTime     = 5 * time.Minute
	mostPhones    = 20
	longestURL    = 2000
	walkSeed      = 1 // as in 'cabrank check'
)

// refuseOrder responds that an order is not valid.
func refuseOrder(w http.ResponseWriter, err error) {
	wrong, ok := errors.AsType[*taxi.Problem](err)
	if !ok {
		wrong = taxi.InvalidField("/url", "invalid", "%v", err)
	}
	wrong.Detail = wrong.Errors[0].Detail // the page shows it beside the field
	wrong.Send(w)
}

// target returns what the suite needs to know about the server to check, or an error for an invalid member of the
// order. It also puts the address and the scope of the order into their usual form.
func (o *order) target(options Options) (t dispatchside.Target, err error) {
	o.URL = strings.TrimRight(strings.TrimSpace(o.URL), "/")
	if len(o.URL) > longestURL {
		return t, taxi.InvalidField("/url", "range", "the address is too long")
	}
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return t, taxi.InvalidField("/url", "format", "want the address of a dispatch system, such as http://127.0.0.1:8080 or https://dispatch.example/taxi")
	}
	now := options.now()
	t = dispatchside.Target{
		URL: o.URL, Now: options.Now, Seed: walkSeed, Nonce: uint64(now.UnixNano()), AllowHost: o.AllowHost || below(o.URL, options.ownURL()), MaxTime: wholeTime,
		Guard: outbound.ThisMachine(),
	}
	if len(o.Phones) > mostPhones {
		return t, taxi.InvalidField("/phones", "range", "at most %d numbers", mostPhones)
	}
	for _, p := range o.Phones {
		if number := taxi.E164(strings.TrimSpace(p)).Digits(); number != "" {
			t.Phones = append(t.Phones, number)
		}
	}
	switch o.Scope {
	case "", whole:
		o.Scope = whole
	case quick:
		t.MaxBookings, t.MaxTime = quickBookings, quickTime
	case reads:
		t.ReadOnly = true
	default:
		return t, taxi.InvalidField("/scope", "range", "want whole, quick or reads")
	}
	if t.Auth, err = o.Auth.parse(); err != nil {
		return t, taxi.InvalidField("/auth", "format", "%v", err)
	}
	if err := t.Valid(); errors.Is(err, dispatchside.ErrHost) {
		return t, taxi.InvalidField("/allowHost", "required", "another machine: the check books and cancels journeys there; confirm this")
	} else if err != nil {
		return t, err
	}
	if t.Guard.Refuses(u.Hostname()) {
		return t, taxi.InvalidField("/url", "target-not-allowed", "%s is not an address of this machine; 'cabrank check' checks servers elsewhere", u.Host)
	}
	return t, nil
}

// parse returns a function that adds the credentials to a request; nil: there are none.
func (a auth) parse() (taxi.Auth, error) {
	text := ""
	switch a.Style {
	case "", taxi.AuthNone:
		return nil, nil
	case taxi.AuthBasic, taxi.AuthHeader:
		text = string(a.Style) + ":" + a.Name + ":" + a.Secret
		if strings.Contains(a.Name, ":") {
			return nil, errors.New("the name must not contain a colon")
		}
	case taxi.AuthBearer:
		text = string(a.Style) + ":" + a.Secret
	default:
		return nil, errors.New("want the style none, basic, bearer or header")
	}
	c, err := taxi.ParseAuth(text, nil)
	if err != nil {
		return nil, fmt.Errorf("want a name and a secret that are valid in a header: %w", err)
	}
	return c.Auth(), nil
}

// below reports whether an address is base, or is below it.
func below(address, base string) bool {
	return base != "" && (address == base || strings.HasPrefix(address, base+"/"))
}
