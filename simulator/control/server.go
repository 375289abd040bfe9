package control

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
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

	// FaultTold receives what happens to the fault rules of the main world, and the requests that
	// they meet. Nil: nobody does.
	FaultTold func(fault.Event)

	// NoMagic leaves magic numbers without a meaning.
	NoMagic bool

	// Bare keeps the headers X-Cabrank-… out of answers that faults write to a connection
	// past the journal, which is to keep them out of all others.
	Bare bool

	// SandboxBytes is what sandboxes may take of memory together, about; 0: [worlds.MostBytes].
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
	worlds  *worlds.Worlds
	main    *sandbox
	maps    townMaps
	calls   struct{ main, sandbox func() http.Handler } // the routers

	downloads atomic.Int64 // that are under way
}

// Host is the host of the main world. A reset makes another.
func (s *Server) Host() *host.Host { return s.main.Gate.Latest() }

// Close ends every world, and returns what could not be kept. Whoever serves ends that
// first.
func (s *Server) Close() error { return s.worlds.Close() }

// Quit ends what would keep a server from stopping: those who listen, and those who move
// a clock. It is for [http.Server.RegisterOnShutdown].
func (s *Server) Quit() { s.worlds.Quit("the server stops") }

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
	router := s.calls.sandbox
	if box == s.main {
		router = s.calls.main
	}
	c := &call{Context: r.Context(), w: w, server: s, box: box}
	asked := r.WithContext(c)
	asked.URL = &url.URL{Path: Prefix + path, RawQuery: r.URL.RawQuery}
	router().ServeHTTP(w, asked)
}

// sandboxPrefix is where sandboxes are, each below its name.
const sandboxPrefix = "/s/"

// sandbox finds a sandbox, unless nobody has asked for it in too long a time.
func (s *Server) sandbox(name string) (*sandbox, error) {
	w, err := s.worlds.Find(name)
	if err != nil {
		return nil, err
	}
	return boxOf(w), nil
}

// sandboxAt finds the sandbox of a path that begins with its name, and the path in it. The
// sandbox does not expire until leave is called.
func (s *Server) sandboxAt(path string) (box *sandbox, inner string, leave func(), err error) {
	name, rest, _ := strings.Cut(path, "/")
	if inner = "/" + rest; inner == PathMetrics { // whoever reads those comes for ever, and would keep every sandbox
		box, err = s.sandbox(name)
		return box, inner, func() {}, err
	}
	w, leave, err := s.worlds.Ask(name)
	if err != nil {
		return nil, "", nil, err
	}
	return boxOf(w), inner, leave, nil
}

// relocated is a request as the world of a sandbox sees it, with the path below its own.
func relocated(r *http.Request, escaped string) *http.Request {
	inner, at := *r, *r.URL
	at.RawPath = escaped
	at.Path, _ = url.PathUnescape(escaped) // it is a piece of a path that was parsed
	inner.URL = &at
	return &inner
}

// fail answers with a problem document. What may name a file of this machine goes to
// the log.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	if p == nil && r.Context().Err() != nil {
		p = problemOf(r.Context().Err())
	}
	if p == nil {
		s.log.ErrorContext(r.Context(), "a call of control failed", "path", r.URL.Path, "error", err)
		p = taxi.NewProblem(http.StatusInternalServerError, taxi.CodeInternal, "the log says more")
	}
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="cabrank control"`)
	}
	p.SendAs(w, documentOf(err, p))
}
