// Package journal is a reverse proxy in front of anyone's server that judges what
// goes by, by the rules of package conformance. It changes nothing on
// the way: what a caller gets is what the server sent. What is compressed is kept
// as whoever gets it will read it.
//
// A [Journal] keeps the first calls, for a report at the end. Package live stands in front of a
// handler, keeps the last calls and judges them while a server runs.
package journal

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Options says how to listen. Suite and Now are required; the zero value of the rest
// works.
type Options struct {
	Suite *conformance.Suite // whose operations are kept

	Now func() time.Time // tells when calls began and ended

	// Most is how many calls are kept; later ones pass unheard. 0: [conformance.MostCalls].
	Most int

	// MostBytes bounds the memory that all calls together take, with their headers and
	// what is read of their bodies. When half of it is used up, no more is kept of a long
	// body than its beginning and a hash; the first call that does not fit, and all after
	// it, pass unheard. 0: 96 MiB.
	MostBytes int

	// Heard is told of each call once it is kept. It is called by one goroutine at
	// a time and should not take long.
	Heard func(conformance.Exchange)
}

// Journal keeps the calls of a suite's operations that went by. It is safe for
// concurrent use.
type Journal struct {
	opts Options

	mu      sync.Mutex
	history []conformance.Exchange
	kept    conformance.Store
	full    bool // for good: to keep a later call and not the one before would be misleading
	missed  int
}

// New returns an empty journal.
func New(opts Options) *Journal {
	if opts.Most == 0 {
		opts.Most = conformance.MostCalls
	}
	if opts.MostBytes == 0 {
		opts.MostBytes = 96 << 20
	}
	return &Journal{opts: opts, kept: conformance.Store{Most: opts.MostBytes / 2}}
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
	return ReportOn(j.opts.Suite, target, j.History())
}

// keep adds a call.
func (j *Journal) keep(x conformance.Exchange) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.full = j.full || len(j.history) >= j.opts.Most || j.kept.Take(&x) > j.opts.MostBytes
	if j.full {
		j.missed++
		return
	}
	x.ID = len(j.history) + 1
	j.history = append(j.history, x)
	if j.opts.Heard != nil {
		j.opts.Heard(x)
	}
}

// begin returns a call to be filled in, if a request is one of the interface and
// there is room.
func (j *Journal) begin(r *http.Request, address *url.URL) (conformance.Exchange, bool) {
	op, _, ok := j.opts.Suite.Match(r.Method, address)
	if !ok {
		return conformance.Exchange{}, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.full {
		j.missed++
		return conformance.Exchange{}, false
	}
	return conformance.Exchange{
		Operation: op, Started: j.opts.Now(),
		Request: conformance.Request{Method: r.Method, URL: address.String(), Header: r.Header.Clone()},
	}, true
}
