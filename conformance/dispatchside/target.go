package dispatchside

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // also where no zone files are installed

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/own"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Target is a third party's server and how it may be tested. URL, Now and Seed
// are required; the zero value of the rest works.
type Target struct {
	URL string // base address; the five operations are paths below it

	// Now tells the time, for pickup times and for timing.
	Now func() time.Time

	// Seed decides the random walk, and which times and places a run takes. Nonce
	// decides the names and numbers that it makes up; 0: Seed does. Two runs against a
	// server that keeps its data should differ in it.
	Seed, Nonce uint64

	Auth      taxi.Auth         // adds the caller's credentials; nil: none
	TLS       *tls.Config       // roots to trust, a certificate to show; nil: the system's roots, none
	Transport http.RoundTripper // nil: one of the run's own, by TLS and without compression; with another the preflight begins at HTTP
	Guard     outbound.Guard    // looks at each address before it is connected to; nil: any may be
	Timeout   time.Duration     // for one call; 0: 10 s

	// AllowHost permits a host other than this machine. A run books and cancels
	// journeys, so that testing a live system has to be intended.
	AllowHost bool

	// Phones are numbers, known to the server, that the run may use as end users.
	// None: fictional numbers that no telephone has.
	Phones []taxi.E164

	// Places are addresses that the server serves. None: made-up addresses around
	// Centre.
	Places []taxi.Address

	Centre taxi.Point // middle of made-up addresses; zero: Leeds

	// Zone is where the server is, for pickups around the change of its clocks; nil:
	// Europe/London.
	Zone *time.Location

	// Disabled and Blacklisted are numbers of users who are. "": unknown.
	Disabled, Blacklisted taxi.E164

	// Agreed is a route whose price the server fixes when it is booked. nil: unknown.
	Agreed *AgreedRoute

	// Advance moves a journey to a status, or says that it cannot. nil: journeys
	// are only seen as they were booked.
	Advance func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error

	// Restart stops the server and starts it again. nil: not tested.
	Restart func(ctx context.Context) error

	// SetClock moves the server's clock ahead to a moment. nil: what happens the day after is
	// not tested.
	SetClock func(ctx context.Context, to time.Time) error

	// MoveClock moves the server's clock ahead from where it is. nil: whether a car moves
	// within a minute is not verified.
	MoveClock func(ctx context.Context, by time.Duration) error

	// Own are checks of a firm's own, made beside those of the suite.
	Own []own.Rule

	// Only names checks: probes on which none of them depends are left out, and
	// all other checks are not verified. Empty: all checks.
	Only []string

	// Width is how many probes run at a time; 0: 8, 1: one after another.
	Width int

	// Rate is how many calls a second are made at most; 0: as many as the server
	// answers.
	Rate float64

	// MaxBookings is how many journeys a run books at most; 0: as many as its probes
	// need. Checks for which there are none left are not verified.
	MaxBookings int

	// MaxTime is how long a run may take, with the cancelling at its end: checks for
	// which there is no time left are not verified, those that weigh least first. 0: as
	// long as it takes.
	MaxTime time.Duration

	// Wait is how long a run waits for a server that is coming up; 0: not at all.
	Wait time.Duration

	// KeepGoing books on when a journey could not be cancelled. Otherwise checks that
	// need more bookings are not verified then.
	KeepGoing bool

	// ReadOnly makes no call of /book and /cancel: what needs one is not verified.
	ReadOnly bool

	// Abandon, once it is closed, ends a run at once: what it booked is left where it is.
	// nil: a run that is stopped cancels that first.
	Abandon <-chan struct{}

	// Pause waits for a while, and reports whether ctx lasted as long; nil: by the
	// clock of the machine.
	Pause func(ctx context.Context, d time.Duration) bool

	// Preflight is called with each step of the preflight as it ends.
	Preflight func(conformance.Step)

	// Progress is called each time a probe has finished or a journey was cancelled at
	// the end, every few seconds between, and at once when the run is stopped, with
	// how many journeys are to be cancelled then. Calls do not overlap.
	Progress func(conformance.Progress)

	// SoFar is called now and then while probes run, with what the calls made until then
	// show: one verdict for each check and operation, in the order of the report. A verdict
	// that is good so far may yet get worse. Calls do not overlap.
	SoFar func([]conformance.Result)
}

// AgreedRoute is a pickup and a drop-off between which the price is fixed.
type AgreedRoute struct {
	Pickup  taxi.Address `json:"pickup"`
	Dropoff taxi.Address `json:"dropoff"`
}

// ErrHost refuses a target that is not on this machine and was not allowed.
var ErrHost = errors.New("the host is not this machine: a run books and cancels journeys there, so it has to be allowed")

// london is where the interface comes from.
var london = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		panic(err) // it is in the database that the program brings along
	}
	return zone
})

var leeds = taxi.Point{Longitude: -1.5491, Latitude: 53.7997}

// withDefaults checks a target and fills in what was left out.
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
	case strings.ContainsAny(t.URL, "?#"): // with nothing after them, too: what follows would be no path
		return t, fmt.Errorf("target %s: the operations are paths below the address, so it ends before ? and #; a key in the query is credentials (query:NAME:VALUE)", u.Host)
	case t.Now == nil:
		return t, errors.New("target: Now is required")
	case t.Rate < 0 || t.MaxBookings < 0 || t.MaxTime < 0 || t.Wait < 0:
		return t, errors.New("target: Rate, MaxBookings, MaxTime and Wait are 0 or more")
	case !t.AllowHost && !rules.IsLoopback(u.Hostname()):
		return t, fmt.Errorf("target %s: %w", u.Host, ErrHost)
	}
	t.URL = strings.TrimRight(t.URL, "/")
	if t.Timeout == 0 {
		t.Timeout = 10 * time.Second
	}
	if t.Width == 0 {
		t.Width = 8
	}
	if t.Pause == nil {
		t.Pause = client.Pause
	}
	if t.Centre == (taxi.Point{}) {
		t.Centre = leeds
	}
	if t.Zone == nil {
		t.Zone = london()
	}
	return t, nil
}

// since measures on the target's clock.
func (t *Target) since(start time.Time) time.Duration { return t.Now().Sub(start) }

// Valid says what is wrong with a target; nil: it can be judged, as far as that can be seen
// without calling it. [ErrHost] is that of [Run].
func (t Target) Valid() error {
	_, err := t.withDefaults()
	return err
}
