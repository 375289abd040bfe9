package callingside

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// Options says how a platform is judged. Listener, Now, Wait and Nonce are required; the
// zero value of the rest works.
type Options struct {
	Listener net.Listener  // where the scripted third party is reached
	BasePath string        // "/taxi": the operations are below it
	Actor    Actor         // has the platform act out requests; nil: calls are only listened to
	Listen   time.Duration // for how long, without an Actor

	Now   func() time.Time
	Wait  func(context.Context, time.Duration) // lets time go by
	Nonce uint64                               // names what the run tells: another for each run

	Auth  func(*http.Request) // puts on a request what callers have to show; nil: nothing
	TLS   *Certificates       // nil: plain HTTP
	Other net.Listener        // another host, which redirects name; nil: redirects are not tried
	Long  bool                // the scenes of long delays too
	Only  []string            // ids of checks that are asked for; none: all
	Width int                 // requests at a time; 0: 8

	// MaxTime is how long a run may take: what was not asked for until then is not
	// verified. 0: as long as it takes.
	MaxTime time.Duration

	// Ready is told the address for the platform to call, before the first request.
	Ready func(address string) error

	Preflight func(conformance.Step)
	Progress  func(conformance.Progress)
}

// Certificates are what the third party shows. Good is required. The others, which
// nobody should trust, are shown in scenes of their own; nil: that scene is left out.
type Certificates struct {
	Good                           tls.Certificate
	SelfSigned, Expired, WrongHost *tls.Certificate
}

// Actor has a platform act out customer requests.
type Actor interface {
	// Act asks for one request and waits until it is over.
	Act(ctx context.Context, task rules.Task) Acted
	// Name is what is judged, for reports: the drive address.
	Name() string
}

// Acted is what came of a request. The zero value says that nobody told.
type Acted struct {
	Answer      *rules.Answer
	Unsupported bool
	Failed      string // why the platform failed at it; "": it did not
	Gone        bool   // no platform answers there: a fault of the set-up
}

// withDefaults checks options and fills in what was left out.
func (o Options) withDefaults() (Options, error) {
	switch {
	case o.Listener == nil:
		return o, errors.New("options: Listener is required")
	case o.Now == nil || o.Wait == nil:
		return o, errors.New("options: Now and Wait are required")
	case o.MaxTime < 0:
		return o, errors.New("options: MaxTime is 0 or more")
	}
	if o.Width == 0 {
		o.Width = 8
	}
	return o, nil
}
