// Package journals records the requests to the worlds of a control server: a journal for
// each world, with the verdicts of the suites.
package journals

import (
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/metrics"
	"github.com/cabrank/cabrank/store"
)

// Options configures journals. Now is required.
type Options struct {
	Now     func() time.Time // the wall clock
	Keep    bool             // store the requests in the records of their world, for the next process
	Version string           // of the program
	Log     *slog.Logger     // nil: nothing is logged
}

// Limits of a journal.
const (
	mostCalls    = 1000
	mostBytes    = 16 << 20
	sandboxBytes = 4 << 20 // for a sandbox, since there may be many
)

// Journals creates the journal of each world.
type Journals struct {
	options Options

	mu   sync.Mutex
	open map[*served]bool
}

// New returns an object that creates the journals of worlds.
func New(o Options) *Journals {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Journals{options: o, open: map[*served]bool{}}
}

// served is the journal of a world.
type served struct {
	*query.Journal
	all  *Journals
	name string // of the sandbox; "": the main world

	records atomic.Pointer[store.Store] // where the requests are stored; nil: nowhere
}

// Of creates the journal of a world, whose name is "" if it is the main one. It is for
// [control.Options].Journal.
func (j *Journals) Of(name string, now func() time.Time, next http.Handler) control.Journal {
	o := &j.options
	opts := query.Options{Version: o.Version, Options: live.Options{
		Now: o.Now, World: now, Most: mostCalls, MostBytes: mostBytes, Request: &callingside.Suite, Answer: &dispatchside.Suite,
	}}
	if name != "" {
		opts.MostBytes = sandboxBytes
	}
	s := &served{all: j, name: name}
	if o.Keep {
		opts.Changed = s.grew
	}
	s.Journal = query.New(next, opts)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.open[s] = true
	return s
}

// Main returns the journal of the main world; nil: there is none yet.
func (j *Journals) Main() *query.Journal {
	j.mu.Lock()
	defer j.mu.Unlock()
	for s := range j.open {
		if s.name == "" {
			return s.Journal
		}
	}
	return nil
}

// Release ends requests that wait for or follow recorded requests, since they would delay
// the server's stop.
func (j *Journals) Release() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for s := range j.open {
		s.Release()
	}
}

// Stats implements [control.Journal].
func (s *served) Stats() metrics.Journal {
	l := s.Journal.Stats()
	return metrics.Journal{Kept: l.Kept, Bytes: l.Bytes, Gone: l.Gone, Requests: byName(l.Sent), Answers: byName(l.Answered)}
}

func byName(counts map[live.Verdict]int) map[string]int {
	named := make(map[string]int, len(counts))
	for verdict, n := range counts {
		named[string(verdict)] = n
	}
	return named
}

// Close ends a journal.
func (s *served) Close() {
	s.all.mu.Lock()
	delete(s.all.open, s)
	s.all.mu.Unlock()
	s.Journal.Close()
}
