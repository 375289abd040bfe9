// Package journal is a reverse proxy for any server. It judges the traffic with the rules
// of a suite and changes nothing: a caller receives what the server sent. Compressed
// bodies are stored decompressed, as their reader sees them.
//
// A [Journal] stores the first calls, for a report at the end. Package live wraps a handler,
// stores the last calls and judges them while a server runs.
package journal

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Options are the options of a [Journal]. Suite and Now are required; the zero value of the
// others works.
type Options struct {
	Suite *conformance.Suite // its operations are recorded

	Now func() time.Time // for the start and the end of calls

	// Most is how many calls are stored; later ones are not recorded. 0: [conformance.MostCalls].
	Most int

	// MostBytes limits the memory of all calls together, with their headers and parsed
	// bodies. When half of it is used up, only the beginning and a hash of long bodies are
	// stored; the first call that does not fit, and all later ones, are not recorded. 0: 96
	// MiB.
	MostBytes int

	// Heard is called with each call after it is stored, by one goroutine at a time. It
	// should return quickly.
	Heard func(conformance.Exchange)
}

// Journal records the calls of a suite's operations. It is safe for concurrent
// use.
type Journal struct {
	opts Options

	mu      sync.Mutex
	history []conformance.Exchange
	kept    conformance.Store
	full    bool // permanent, since a history with gaps would be misleading
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

// Missed returns how many calls were made after the journal was full.
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

// keep stores a call.
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

// begin returns a new call for a request, if it is of the interface and there is
// room.
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
