package client

import (
	"context"
	"crypto/tls"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/outbound"
)

// Config says how a client reaches a server. Suite, URL, Now, Timeout and Hello are
// required; the zero value of the rest works.
type Config struct {
	Suite     *conformance.Suite
	URL       string                 // base address; the operations are below it
	Now       func() time.Time       // tells when calls began and ended
	Auth      func(*http.Request)    // adds the caller's credentials; nil: none
	TLS       *tls.Config            // roots to trust, a certificate to show; nil: the system's roots, none
	Transport http.RoundTripper      // nil: one of the client's own, by TLS and without compression; with another the preflight begins at HTTP
	Guard     outbound.Guard         // looks at each address before it is connected to; nil: any may be
	Timeout   time.Duration          // for one call
	Width     int                    // calls at a time
	Hello     Call                   // a plain call, which is made off the record to see whether the server answers
	Rate      float64                // most calls a second; 0: as many as there are
	MostKept  int                    // bytes of memory for the calls of the run; 0: [conformance.MostKept]
	Heard     func(conformance.Step) // hears of each step of the preflight as it ends; nil: nobody does

	// MadeUp reports the last nine digits of a telephone number that the run made up, and
	// that reports show as it was sent; nil: it made up none.
	MadeUp func(core string) bool

	// Barred says why a call must not be made; nil: any may.
	Barred func(Call) *conformance.Reason

	// Abandon ends the calls under way and lets no more be made, also those that take
	// away what was made; nil: nothing does.
	Abandon <-chan struct{}

	// Pause waits, and reports whether ctx lasted as long; nil: [Pause].
	Pause func(ctx context.Context, d time.Duration) bool

	// HTTPSCheck and TLSCheck are the ids of the checks that a server fails which
	// speaks no TLS at an https address, or with which no connection can be secured.
	HTTPSCheck, TLSCheck string

	direct bool // Transport is the client's own
}

// since measures on the client's clock.
func (c *Config) since(start time.Time) time.Duration { return c.Now().Sub(start) }

// newTransport returns a transport that shows what the server sends: no silent
// decompression, no connection shared with the rest of the program. It speaks
// HTTP/1.1, as every caller can; HTTP/2 is tried where the server offers it.
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
		t.TLSClientConfig.Time = c.Now // certificates run out by the same clock
	}
	return t
}
