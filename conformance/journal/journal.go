// Package journal listens to traffic that somebody else makes and judges it by
// the rules of package conformance: as middleware in front of a handler of one's
// own, or as a reverse proxy in front of anyone's server. It changes nothing on
// the way: what a caller gets is what the server sent.
package journal

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Options says how to listen. Now is required; the zero value of the rest works.
type Options struct {
	Now func() time.Time // tells when calls began and ended

	// Most is how many calls are kept; later ones pass unheard. 0: 20,000.
	Most int

	// Heard is told of each call once it is kept. It is called by one goroutine at
	// a time and should not take long.
	Heard func(conformance.Exchange)
}

// Journal keeps the calls of the five operations that went by. It is safe for
// concurrent use.
type Journal struct {
	opts Options

	mu      sync.Mutex
	history []conformance.Exchange
	missed  int
}

// New returns an empty journal.
func New(opts Options) *Journal {
	if opts.Most == 0 {
		opts.Most = 20_000
	}
	return &Journal{opts: opts}
}

// History returns the calls so far, in the order in which they ended.
func (j *Journal) History() []conformance.Exchange {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.history)
}

// Missed returns how many calls went by after the journal was full.
func (j *Journal) Missed() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.missed
}

// Report judges the calls so far. target is the server's address, for the
// reader.
func (j *Journal) Report(target string) *conformance.Report {
	return conformance.ReportOn(target, j.History())
}

// keep adds a call.
func (j *Journal) keep(x conformance.Exchange) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.history) >= j.opts.Most {
		j.missed++
		return
	}
	x.ID = len(j.history) + 1
	j.history = append(j.history, x)
	if j.opts.Heard != nil {
		j.opts.Heard(x)
	}
}

// mostBody bounds what is kept of a body, in bytes; what is beyond still goes
// through.
const mostBody = 1 << 20

// capture keeps the beginning of what goes through it.
type capture struct {
	bytes.Buffer
}

func (c *capture) Write(p []byte) (int, error) {
	if room := mostBody - c.Len(); room > 0 {
		c.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// tee is a body of which a copy is kept as it is read.
type tee struct {
	io.Reader
	io.Closer
}

func teeBody(body io.ReadCloser, to io.Writer) io.ReadCloser {
	return tee{io.TeeReader(body, to), body}
}

// begin returns a call to be filled in, if a request is one of the interface.
func (j *Journal) begin(r *http.Request, address *url.URL) (conformance.Exchange, bool) {
	op, _, ok := conformance.OperationOf(address)
	if !ok {
		return conformance.Exchange{}, false
	}
	return conformance.Exchange{
		Operation: op, Started: j.opts.Now(),
		Request: conformance.Request{Method: r.Method, URL: address.String(), Header: r.Header.Clone()},
	}, true
}
