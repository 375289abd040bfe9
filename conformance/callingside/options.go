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

// Options are the options of a run. Listener, Now, Wait and Nonce are required; the zero
// value of the others works.
type Options struct {
	Listener net.Listener  // listener of the scripted third party
	BasePath string        // "/taxi": the operations are below it
	Actor    Actor         // carries out requests on the platform; nil: calls are only recorded
	Listen   time.Duration // how long to record calls without an Actor

	Now   func() time.Time
	Wait  func(context.Context, time.Duration) // waits for a duration
	Nonce uint64                               // makes the data of the run unique: different for each run

	Auth  func(*http.Request) // adds the required credentials to a request; nil: none
	TLS   *Certificates       // nil: plain HTTP
	Other net.Listener        // another host, the target of redirects; nil: redirects are not tested
	Long  bool                // includes the scenes with long delays
	Only  []string            // ids of the chosen checks; empty: all
	Width int                 // requests at a time; 0: 8

	// MaxTime is how long a run may take: checks whose requests were not made until then are
	// not verified. 0: no limit.
	MaxTime time.Duration

	// Ready is called with the address of the third party before the first request.
	Ready func(address string) error

	Preflight func(conformance.Step)
	Progress  func(conformance.Progress)
}

// Certificates are the certificates of the third party. Good is required. The others, which
// nobody should trust, are used in separate scenes; nil: that scene is left out.
type Certificates struct {
	Good                           tls.Certificate
	SelfSigned, Expired, WrongHost *tls.Certificate
}

// An Actor makes a platform carry out customer requests.
type Actor interface {
	// Act makes one request and waits until it ends.
	Act(ctx context.Context, task rules.Task) Acted
	// Name returns the name of the judged platform for reports, such as its drive address.
	Name() string
}

// Acted is the result of a request. The zero value means that it was not reported.
type Acted struct {
	Answer      *rules.Answer
	Unsupported bool
	Failed      string // why the platform failed at it; "": it did not
	Gone        bool   // no platform answers at the drive address: a setup error
}

// withDefaults returns the options with defaults for what was left out, or an error if they are invalid.
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
