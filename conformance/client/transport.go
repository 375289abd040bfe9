package client

import (
	"context"
	"crypto/tls"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/outbound"
)

// Config configures a client. Suite, URL, Now, Timeout and Hello are required; the zero value
// of the others works.
type Config struct {
	Suite     *conformance.Suite
	URL       string                 // base address; the operations are below it
	Now       func() time.Time       // for the start and the end of calls
	Auth      func(*http.Request)    // adds the caller's credentials; nil: none
	TLS       *tls.Config            // trusted roots and client certificate; nil: the system's roots, no certificate
	Transport http.RoundTripper      // nil: the client's own, with TLS and without compression; with another, the preflight starts at HTTP
	Guard     outbound.Guard         // checks each address before connecting; nil: all are allowed
	Timeout   time.Duration          // for one call
	Width     int                    // calls at a time
	Hello     Call                   // a plain call, not recorded, to check whether the server answers
	Rate      float64                // maximum calls a second; 0: no limit
	MostKept  int                    // bytes of memory for the calls of the run; 0: [conformance.MostKept]
	Heard     func(conformance.Step) // called with each step of the preflight as it ends; nil: not called

	Secrets []string // no answer may contain one of these: see [conformance.Response.Echoes]

	// Barred returns why a call must not be made; nil: all calls are allowed.
	Barred func(Call) *conformance.Reason

	// Abandon, when closed, ends the calls in progress and prevents further ones, including
	// those of the clean-up; nil: never.
	Abandon <-chan struct{}

	// TimeLeft returns how long a call that is not of the clean-up may wait for its turn at Rate; nil: no limit.
	TimeLeft func() time.Duration

	// Pause waits for a duration, and reports false if ctx ended first; nil: [Pause].
	Pause func(ctx context.Context, d time.Duration) bool

	// HTTPSCheck and TLSCheck are the ids of the checks that fail if a server does not speak
	// TLS at an https address, or if the TLS handshake fails.
	HTTPSCheck, TLSCheck string

	direct bool // Transport is the client's own
}

// since returns the time since start on the client's clock.
func (c *Config) since(start time.Time) time.Duration { return c.Now().Sub(start) }

// newTransport returns a transport that hands over the server's bytes without decompressing them, and
// shares no connections with the rest of the program. It speaks HTTP/1.1, as every client can; a probe
// tests HTTP/2 if the server offers it.
func newTransport(c Config) *http.Transport {
	t := outbound.Transport(outbound.Options{MostHeaders: conformance.MostHeaderBytes, Guard: c.Guard})
	t.DisableCompression, t.ForceAttemptHTTP2, t.Protocols = true, false, new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	t.MaxIdleConnsPerHost = 2 * c.Width
	t.TLSClientConfig = &tls.Config{}
	if c.TLS != nil {
		t.TLSClientConfig = c.TLS.Clone()
	}
	if t.TLSClientConfig.Time == nil {
		t.TLSClientConfig.Time = c.Now // the same clock for the expiry of certificates
	}
	return t
}
