package dispatchside

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // in case no zone files are installed

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/own"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Target is a third party's server and the options for testing it. URL, Now and Seed are
// required; the zero value of the others works.
type Target struct {
	URL string // base address; the five operations are paths below it

	// Now returns the time, for pickup times and for measuring.
	Now func() time.Time

	// Seed determines the random walk, and the times and places of a run. Nonce determines
	// the names and numbers that it makes up; 0: derived from Seed. Two runs against a server
	// that keeps its data should have different nonces.
	Seed, Nonce uint64

	Auth      taxi.Auth         // adds the caller's credentials; nil: none
	TLS       *tls.Config       // trusted roots and client certificate; nil: the system's roots, no certificate
	Transport http.RoundTripper // nil: the run's own, with TLS and without compression; with another, the preflight starts at HTTP
	Guard     outbound.Guard    // checks each address before connecting; nil: all are allowed
	Timeout   time.Duration     // for one call; 0: 10 s

	// AllowHost permits a host other than this machine. A run books and cancels journeys,
	// so testing a live system must be intended.
	AllowHost bool

	// Phones are numbers, known to the server, that the run may use as end users.
	// Empty: fictional numbers that no telephone has.
	Phones []taxi.E164

	// Places are addresses that the server serves. Empty: made-up addresses around Centre.
	Places []taxi.Address

	Centre taxi.Point // middle of made-up addresses; zero: Leeds

	// Zone is where the server is, for pickups around the change of its clocks; nil:
	// Europe/London.
	Zone *time.Location

	// Disabled and Blacklisted are the numbers of users with that status. "": unknown.
	Disabled, Blacklisted taxi.E164

	// Agreed is a route with a fixed price. nil: unknown.
	Agreed *AgreedRoute

	// Advance advances a journey to a status, or returns an error. nil: journeys stay in
	// their first status.
	Advance func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error

	// Restart stops the server and starts it again. nil: restarts are not tested.
	Restart func(ctx context.Context) error

	// SetClock moves the server's clock ahead to a time. nil: the day after is not
	// tested.
	SetClock func(ctx context.Context, to time.Time) error

	// MoveClock moves the server's clock ahead by a duration. nil: whether a car moves within a
	// minute is not verified.
	MoveClock func(ctx context.Context, by time.Duration) error

	// Own are the vendor's own checks, in addition to those of the suite.
	Own []own.Rule

	// Only limits the run to checks: probes that none of them needs are left out, and all
	// other checks are not verified. Empty: all checks.
	Only []string

	// Width is how many probes run at a time; 0: 8.
	Width int

	// Rate is the maximum number of calls a second; 0: no limit.
	Rate float64

	// MaxBookings is the maximum number of bookings; 0: no limit. Checks that need more are
	// not verified.
	MaxBookings int

	// MaxTime is how long a run may take, including the cancellations at its end; 0: no limit.
	// Checks without enough time are not verified, the least important first.
	MaxTime time.Duration

	// Wait is how long a run waits for a server that is starting; 0: not at all.
	Wait time.Duration

	// KeepGoing continues booking after a journey could not be cancelled. Otherwise the run
	// makes no more bookings then, and checks that need them are not verified.
	KeepGoing bool

	// ReadOnly makes no call of /book and /cancel: checks that need one are not verified.
	ReadOnly bool

	// Abandon, when closed, ends a run at once without cancelling its bookings. nil: a
	// stopped run cancels them first.
	Abandon <-chan struct{}

	// Pause waits for a duration, and reports false if ctx ended first; nil: it uses the
	// machine's clock.
	Pause func(ctx context.Context, d time.Duration) bool

	// Preflight is called with each step of the preflight as it ends.
	Preflight func(conformance.Step)

	// Progress is called each time a probe has finished or a journey was cancelled at the
	// end, every few seconds in between, and at once when the run is stopped, with the
	// number of journeys to be cancelled. Calls do not overlap.
	Progress func(conformance.Progress)

	// SoFar is called from time to time while probes run, with the verdicts so far: one for
	// each check and operation, in the order of the report. A good verdict may still get
	// worse. Calls do not overlap.
	SoFar func([]conformance.Result)

	lead *leadTime
}

// AgreedRoute is a pickup and a drop-off between which the price is fixed.
type AgreedRoute struct {
	Pickup  taxi.Address `json:"pickup"`
	Dropoff taxi.Address `json:"dropoff"`
}

// ErrHost is the error for a target on another machine without AllowHost.
var ErrHost = errors.New("the host is not this machine: a run books and cancels journeys there, so it must be allowed")

// london returns the default time zone, Europe/London.
var london = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		panic(err) // it is in the embedded time zone database
	}
	return zone
})

var leeds = taxi.Point{Longitude: -1.5491, Latitude: 53.7997}

// leadTime is what a run has found out about how far ahead a server takes bookings.
type leadTime struct {
	mu     sync.Mutex  // held while a refused booking is repeated, so that only one user tries at a time
	tried  bool        // a booking was refused a week ahead, and was repeated a day ahead
	nearer atomic.Bool // a booking a day ahead was served
}

// withDefaults returns the target with defaults for what was left out, or an error if it is invalid.
func (t Target) withDefaults() (Target, error) {
	u, err := url.Parse(t.URL)
	if err != nil {
		return t, fmt.Errorf("target: %w", err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return t, fmt.Errorf("target %q: want http://host/path or https://host/path", t.URL)
	case u.User != nil:
		return t, fmt.Errorf("target %s: credentials belong in Auth, not in the address", u.Host)
	case strings.ContainsAny(t.URL, "?#"): // even with nothing after them: the operation's path would become part of the query
		return t, fmt.Errorf("target %s: the operations are paths below the address, so it ends before ? and #; a key in the query is credentials (query:NAME:VALUE)", u.Host)
	case t.Now == nil:
		return t, errors.New("target: Now is required")
	case t.Rate < 0 || t.MaxBookings < 0 || t.MaxTime < 0 || t.Wait < 0:
		return t, errors.New("target: Rate, MaxBookings, MaxTime and Wait are 0 or more")
	case !t.AllowHost && !rules.IsLoopback(u.Hostname()):
		return t, fmt.Errorf("target %s: %w", u.Host, ErrHost)
	}
	t.URL = strings.TrimRight(t.URL, "/")
	if t.Pause == nil {
		t.Pause = client.Pause
	}
	t.Timeout, t.Width = cmp.Or(t.Timeout, 10*time.Second), cmp.Or(t.Width, 8)
	t.Centre, t.Zone = cmp.Or(t.Centre, leeds), cmp.Or(t.Zone, london())
	t.lead = new(leadTime)
	return t, nil
}

// since returns the time that has passed since start, by the target's Now.
func (t *Target) since(start time.Time) time.Duration { return t.Now().Sub(start) }

// Valid returns an error if a target cannot be tested, such as [ErrHost], as far as can be seen
// without calling it.
func (t Target) Valid() error {
	_, err := t.withDefaults()
	return err
}
