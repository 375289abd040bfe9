// Package journals records the requests to the worlds of a control server: a journal for
// each world, with the verdicts of the suites, in memory and optionally in files.
package journals

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/store"
)

// Options configures journals. Now is required.
type Options struct {
	Own     string                // address of the main world's operations; "": requests are not repeated there
	Most    int                   // number of requests that a journal stores; 0: [UsualCalls]
	File    string                // the main world's requests are also written to this file; those of a sandbox to FILE-NAME; "": none
	Bare    bool                  // remove the headers X-Cabrank-… from responses
	Slow    time.Duration         // response time from which a response is slow; 0: [UsualSlow]
	Target  func(netip.Addr) bool // addresses to which requests may be repeated, besides this machine; nil: none
	Now     func() time.Time      // the wall clock
	Keep    bool                  // store the requests in the records of their world, for the next process
	Version string                // of the program
	Log     *slog.Logger          // nil: nothing is logged
}

// Defaults of a journal.
const (
	UsualCalls = 1000
	UsualSlow  = 2500 * time.Millisecond
)

// Limits of a journal.
const (
	bytesACall   = 16 << 10 // mean size
	sandboxBytes = 4 << 20  // for a sandbox, since there may be many
	mostFile     = 256 << 20
)

// Journals creates the journal of each world.
type Journals struct {
	options Options
	main    io.WriteCloser // the file of the main world; nil: none
	named   *sandboxList   // nil if main is nil

	mu     sync.Mutex
	open   map[*served]bool
	ending bool // the server is stopping, not just a sandbox
}

// Open opens the file of the main world, and removes files of sandboxes that a killed
// server left.
func Open(o Options) (*Journals, error) {
	if o.Now == nil {
		return nil, errors.New("journals: Now must be given")
	}
	o.Most, o.Slow = cmp.Or(o.Most, UsualCalls), cmp.Or(o.Slow, UsualSlow)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	all := &Journals{options: o, open: map[*served]bool{}}
	if o.File == "" {
		return all, nil
	}
	file, err := live.OpenRolling(o.File, mostFile)
	if err != nil {
		return nil, err
	}
	all.main = file
	all.named = &sandboxList{path: o.File + ".sandboxes", of: all.pathOf, log: o.Log}
	all.named.sweep()
	return all, nil
}

// served is the journal of a world, with its file.
type served struct {
	*query.Journal
	all  *Journals
	file io.Closer
	name string // of the sandbox; "": the main world

	records atomic.Pointer[store.Store] // where the requests are stored; nil: nowhere
}

// Of creates the journal of a world, whose name is "" if it is the main one. It is for
// [control.Options].Journal.
func (j *Journals) Of(name string, now func() time.Time, next http.Handler) control.Journal {
	o := &j.options
	opts := query.Options{Own: o.Own, Target: o.Target, Version: o.Version, Options: live.Options{
		Now: o.Now, World: now, Most: o.Most, MostBytes: max(16<<20, o.Most*bytesACall), Bare: o.Bare,
		Slow: o.Slow, Request: &callingside.Suite, Answer: &dispatchside.Suite,
	}}
	if name != "" {
		opts.MostBytes, opts.Own = sandboxBytes, o.Own+"/s/"+name
	}
	s := &served{all: j, name: name}
	if file := j.fileOf(name); file != nil {
		opts.File, s.file, opts.FileTold = file, file, j.tellFile(name)
	}
	if o.Keep {
		opts.Changed = s.grew
	}
	s.Journal = query.New(next, opts)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.open[s] = true
	return s
}

// Main is the journal of the main world; nil: there is none yet.
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

// fileOf is the file that the journal of a world writes; nil: none.
func (j *Journals) fileOf(name string) io.WriteCloser {
	if name == "" || j.main == nil {
		return j.main
	}
	if err := j.named.add(name); err != nil {
		j.options.Log.Warn("the journal file of a sandbox stays if the server is killed", "sandbox", name, "error", err)
	}
	file, err := live.OpenRolling(j.pathOf(name), mostFile)
	if err != nil {
		j.options.Log.Warn("the journal of a sandbox is not written", "sandbox", name, "error", err)
		return nil
	}
	return file
}

// tellFile returns a function that logs when a world's file cannot be written, and when
// it can be again.
func (j *Journals) tellFile(world string) func(error, int) {
	return func(err error, lost int) {
		if err != nil {
			j.options.Log.Error("the journal file takes no calls; it goes on when there is room", "sandbox", world, "error", err)
			return
		}
		j.options.Log.Warn("the journal file goes on", "sandbox", world, "lost", lost)
	}
}

// ServeHTTP implements [http.Handler]. A server whose journal file cannot be written is
// not ready.
func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.file != nil && r.URL.Path == "/readyz" {
		if err := s.FileTrouble(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
	}
	s.Journal.ServeHTTP(w, r)
}

// Release ends requests that wait for or follow recorded requests, since they would delay
// the server's stop.
func (j *Journals) Release() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ending = true
	for s := range j.open {
		s.Release()
	}
	if j.named != nil {
		j.named.end()
	}
}

// Stats implements [control.Journal].
func (s *served) Stats() control.JournalStats {
	l := s.Journal.Stats()
	return control.JournalStats{Kept: l.Kept, Bytes: l.Bytes, Gone: l.Gone, Unwritten: l.Unwritten, Requests: byName(l.Sent), Answers: byName(l.Answered)}
}

func byName(counts map[live.Verdict]int) map[string]int {
	named := make(map[string]int, len(counts))
	for verdict, n := range counts {
		named[string(verdict)] = n
	}
	return named
}

// Close ends a journal and its file. The file of a sandbox is removed, unless the server
// is stopping: a shared server would otherwise keep a file for every sandbox that ever
// existed.
func (s *served) Close() error {
	s.all.mu.Lock()
	delete(s.all.open, s)
	ending := s.all.ending
	s.all.mu.Unlock()
	err := s.Journal.Close()
	if s.file == nil {
		return err
	}
	err = errors.Join(err, s.file.Close())
	if s.name == "" || ending {
		return err
	}
	return errors.Join(err, removeRolling(s.all.pathOf(s.name)), s.all.named.drop(s.name))
}

// pathOf returns the file of a sandbox's journal.
func (j *Journals) pathOf(sandbox string) string { return j.options.File + "-" + sandbox }
