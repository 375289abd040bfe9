package serving

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/simulator/control"
)

// journalFlags say what is kept of what callers ask.
type journalFlags struct {
	off, bare bool
	size      int
	file      string
	replayTo  []string
	targets   []netip.Prefix // what replayTo says
	noChecks  bool           // the console checks nothing
	slow      time.Duration  // from when an answer is slow
}

// Bounds of a journal.
const (
	usualCalls   = 1000
	mostCalls    = 100_000
	bytesACall   = 16 << 10 // on average, at most
	sandboxBytes = 4 << 20  // of a sandbox, of which there may be many
	mostFile     = 256 << 20
	usualSlow    = 2500 * time.Millisecond
	longestSlow  = 10 * time.Minute
)

func (f *journalFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.off, "no-journal", false, "keep no journal: requests are neither recorded nor judged")
	fs.IntVar(&f.size, "journal-size", usualCalls, fmt.Sprintf("requests that the journal keeps in memory, 1 to %d", mostCalls))
	fs.StringVar(&f.file, "journal-file", "", "write each request with its verdict to this file as a line of JSON, such as calls.jsonl; the file contains personal data, and starts again at 256 MiB; a sandbox writes to calls.jsonl-NAME, which is removed when the sandbox ends before the server")
	fs.StringSliceVar(&f.replayTo, "replay-to", nil, "further addresses, such as 10.0.0.0/8, to which the console may repeat requests and where it may check a server; the addresses of this machine are always allowed")
	fs.DurationVar(&f.slow, "slow-after", usualSlow, "response time from which the journal warns, in real time, such as 800ms; up to "+longestSlow.String())
	fs.BoolVar(&f.bare, "bare", false, "leave the headers X-Cabrank-… out of responses")
}

// check refuses flags that cannot be.
func (f *journalFlags) check() error {
	var err error
	if f.targets, err = prefixes("--replay-to", f.replayTo); err != nil {
		return err
	}
	switch {
	case f.size < 1 || f.size > mostCalls:
		return cli.UsageError("--journal-size is %d, want 1 to %d", f.size, mostCalls)
	case f.slow <= 0 || f.slow > longestSlow:
		return cli.UsageError("--slow-after is %v, want more than 0s and up to %v", f.slow, longestSlow)
	case f.off && f.slow != usualSlow:
		return cli.UsageError("--slow-after: --no-journal judges no answers")
	case f.off && f.file != "":
		return cli.UsageError("--journal-file: --no-journal keeps none")
	case f.off && f.noChecks && len(f.replayTo) > 0:
		return cli.UsageError("--replay-to: --no-journal keeps no calls to replay, and no console checks anything")
	case f.off && f.bare:
		return cli.UsageError("--bare needs the journal; leave out --no-journal")
	}
	return nil
}

// mayReplayTo reports an address that --replay-to names.
func (f *journalFlags) mayReplayTo(a netip.Addr) bool {
	return within(f.targets, a)
}

// journals makes the journal of each world that is served.
type journals struct {
	flags journalFlags
	log   *slog.Logger
	own   string         // the address of the main world
	main  io.WriteCloser // the file of the main world; nil: none
	named *sandboxList   // nil if main is

	mu     sync.Mutex
	open   map[*served]bool
	ending bool // with the server, and not one sandbox
}

// served is the journal of a world, with the file that it writes.
type served struct {
	*query.Journal
	all  *journals
	file io.Closer
	name string // of the sandbox; "": the main world
}

// openJournals opens the file of the main world, so that one that cannot be is told
// before anything is begun; nil: there are to be no journals.
func (f *journalFlags) openJournals(own string, log *slog.Logger) (*journals, error) {
	if err := f.check(); err != nil || f.off {
		return nil, err
	}
	all := &journals{flags: *f, log: log, own: own, open: map[*served]bool{}}
	if f.file == "" {
		return all, nil
	}
	if err := cli.FolderOf("--journal-file", f.file); err != nil {
		return nil, err
	}
	file, err := live.OpenRolling(f.file, mostFile)
	if err != nil {
		return nil, cli.Exit(cli.ExitUsage, fmt.Errorf("--journal-file: %w", err))
	}
	all.main = file
	all.named = &sandboxList{path: f.file + ".sandboxes", of: all.pathOf, log: log}
	all.named.sweep()
	return all, nil
}

// of makes the journal of a world.
func (j *journals) of(name string, now func() time.Time, next http.Handler) control.Journal {
	opts := query.Options{Own: j.own, Target: j.flags.mayReplayTo, Version: cli.Version(), Options: live.Options{
		Now: cli.Now, World: now, Most: j.flags.size, MostBytes: max(16<<20, j.flags.size*bytesACall), Bare: j.flags.bare,
		Slow: j.flags.slow, Request: &callingside.Suite, Answer: &dispatchside.Suite,
	}}
	if name != "" {
		opts.MostBytes, opts.Own = sandboxBytes, j.own+"/s/"+name
	}
	s := &served{all: j, name: name}
	if file := j.fileOf(name); file != nil {
		opts.File, s.file, opts.FileTold = file, file, j.tellFile(name)
	}
	s.Journal = query.New(next, opts)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.open[s] = true
	return s
}

// fileOf is the file that the journal of a world writes; nil: none.
func (j *journals) fileOf(name string) io.WriteCloser {
	if name == "" || j.main == nil {
		return j.main
	}
	if err := j.named.add(name); err != nil {
		j.log.Warn("the journal file of a sandbox stays if the server is killed", "sandbox", name, "error", err)
	}
	file, err := live.OpenRolling(j.pathOf(name), mostFile)
	if err != nil {
		j.log.Warn("the journal of a sandbox is not written", "sandbox", name, "error", err)
		return nil
	}
	return file
}

// tellFile logs that the file of a world takes no calls, and that it does again.
func (j *journals) tellFile(world string) func(error, int) {
	return func(err error, lost int) {
		if err != nil {
			j.log.Error("the journal file takes no calls; it goes on when there is room", "sandbox", world, "error", err)
			return
		}
		j.log.Warn("the journal file goes on", "sandbox", world, "lost", lost)
	}
}

// ServeHTTP implements [http.Handler]. A server whose journal file was asked for and takes no
// calls is not ready.
func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.file != nil && r.URL.Path == "/readyz" {
		if err := s.FileTrouble(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
	}
	s.Journal.ServeHTTP(w, r)
}

// release ends those who wait for calls or follow them: a server that stops would wait
// for them.
func (j *journals) release() {
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

// Close ends a journal and its file. That of a sandbox goes with it, unless the server ends: a
// server that tests share would keep one for each sandbox that there ever was.
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

// pathOf is the file of a sandbox's journal.
func (j *journals) pathOf(sandbox string) string { return j.flags.file + "-" + sandbox }
