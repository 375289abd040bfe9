package control

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

// Prefix is where the calls are, in the main world.
const Prefix = "/_control/v1"

// PathAdvance is the call that brings a journey to a status, as an aid of the
// conformance suite asks for it.
const PathAdvance = Prefix + "/advance"

// Options is what a [Server] is made from. Open and Now must be given.
type Options struct {
	// Config is what the main world is made from.
	Config host.Config

	// Open opens the host of a sandbox, or of the main world, whose name is "". It says
	// where records are kept.
	Open func(ctx context.Context, name string, c host.Config) (*host.Host, error)

	// Journal listens to the operations of a sandbox outermost; now reads its world's
	// clock. Nil: there is no journal.
	Journal func(name string, now func() time.Time, next http.Handler) Journal

	// NoMagic leaves magic numbers without a meaning.
	NoMagic bool

	// Bare keeps the headers X-Cabrank-… out of answers that faults write to a connection
	// past the journal, which is to keep them out of all others.
	Bare bool

	// SandboxBytes is what sandboxes may take of memory together, about; 0: MostSandboxBytes.
	SandboxBytes int64

	Now     func() time.Time // the wall
	Log     *slog.Logger     // what callers are not told; nil: nobody is
	Version string           // of the program

	// Token is what callers of the calls and the metrics must show as "Authorization: Bearer
	// TOKEN". Wrong ones are heard once a second. Empty: it is not asked for, and calls are
	// refused that name another host than this machine.
	Token string

	// ThirdPartyURL is how the operations of the main world are reached from elsewhere. Empty:
	// as the caller of a call reaches that.
	ThirdPartyURL string

	// ControlURL is how these calls are reached from elsewhere. Empty: as the caller of a call
	// reaches them.
	ControlURL string
}

// Journal is the traffic of one sandbox as it was really sent.
type Journal interface {
	http.Handler // the operations, listened to

	// API answers the calls below /requests, /verify, /report and /rules, whose paths come
	// without what stands before them.
	API() http.Handler
	Stats() JournalStats
	Clear()
	Close() error
}

// JournalStats is what a journal holds.
type JournalStats struct {
	Kept, Bytes       int            // calls, and the memory that they take
	Gone              int            // calls that made room for others since it was cleared
	Unwritten         int            // calls that its file did not take since the start
	Requests, Answers map[string]int // judged since then, by the verdict on what was sent and on what was answered
}

// Server serves a main world with its calls. It is an [http.Handler] for all of it;
// its methods may be called from any goroutine.
type Server struct {
	options Options
	log     *slog.Logger
	guesses *inbound.Guesses
	main    *sandbox
	maps    townMaps

	downloads atomic.Int64 // that are under way

	mu        sync.Mutex
	boxes     map[string]*sandbox    // by name; nil: it is being opened
	orders    map[string]host.Config // of those that are being opened, by name
	tidy      *time.Timer            // looks for those that nobody asks any more
	ended     bool
	temporary string // the folder of snapshots; "": there is none yet
}

// New opens the main world.
func New(ctx context.Context, o Options) (*Server, error) {
	if o.Open == nil || o.Now == nil {
		return nil, errors.New("control: Open and Now must be given")
	}
	s := &Server{options: o, log: o.Log, guesses: inbound.NewGuesses(), boxes: make(map[string]*sandbox), orders: make(map[string]host.Config)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	main, err := s.open(ctx, "", o.Config)
	if err != nil {
		return nil, err
	}
	s.main = main
	s.tidy = time.AfterFunc(tidyEvery, s.tidyUp)
	return s, nil
}

// Host is the host of the main world. A reset makes another.
func (s *Server) Host() *host.Host { return s.main.gate.latest() }

// ClockSet tells who listens to the main world that its clock was set by other means than
// a call, as a demo does.
func (s *Server) ClockSet() { s.main.events.publish(EventClock, clockOf(s.Host().World())) }

// Close ends every world, and returns what could not be kept. Whoever serves ends that
// first.
func (s *Server) Close() error {
	boxes := s.takeAll()
	s.tidy.Stop()
	errs := []error{s.main.close()}
	for _, box := range boxes {
		errs = append(errs, box.close())
	}
	if s.temporary != "" { // nobody makes one any more
		errs = append(errs, os.RemoveAll(s.temporary))
	}
	return errors.Join(errs...)
}

// Quit ends what would keep a server from stopping: those who listen, and those who move
// a clock. It is for [http.Server.RegisterOnShutdown].
func (s *Server) Quit() {
	for _, box := range append(s.sandboxes(), s.main) {
		box.events.end("the server stops")
		box.gate.interrupt()
	}
}

// ServeHTTP implements [http.Handler]: the five operations, the calls and the metrics.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, true, true)
}

// Operations serves the five operations and the pages beside them, without the calls.
func (s *Server) Operations() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, true, false) })
}

// Calls serves the calls and the metrics without the operations.
func (s *Server) Calls() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, false, true) })
}

// serve finds who answers. The path is looked at as it came: what an escape or two
// slashes hide is no call.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, operations, calls bool) {
	path, box := r.URL.EscapedPath(), s.main
	if rest, ok := strings.CutPrefix(path, sandboxPrefix); ok {
		var leave func()
		var err error
		if box, path, leave, err = s.sandboxAt(rest); err != nil {
			s.fail(w, r, err)
			return
		}
		defer leave()
		r = relocated(r, path)
	}
	below, isCall := strings.CutPrefix(path, Prefix)
	isCall = isCall && (below == "" || below[0] == '/')
	switch {
	case isCall && calls:
		s.call(w, r, box, below)
	case path == PathMetrics && calls:
		s.readMetrics(w, r, box)
	case !isCall && operations:
		box.handler.ServeHTTP(w, r)
	default:
		s.fail(w, r, taxi.NewProblem(http.StatusNotFound, taxi.CodeNotFound, "there is nothing here"))
	}
}

// call answers one call of a world.
func (s *Server) call(w http.ResponseWriter, r *http.Request, box *sandbox, below string) {
	if err := s.allowed(r); err != nil {
		s.fail(w, r, err)
		return
	}
	path, err := pathOf(below)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	router := sandboxRouter()
	if box == s.main {
		router = mainRouter()
	}
	c := &call{Context: r.Context(), w: w, server: s, box: box}
	asked := r.WithContext(c)
	asked.URL = &url.URL{Path: Prefix + path, RawQuery: r.URL.RawQuery}
	router.ServeHTTP(w, asked)
}
