package control

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control/metrics"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// Prefix is the path of the control API of the main world.
const Prefix = "/_control/v1"

// PathAdvance is the call that brings a journey to a status, as an aid for the
// conformance suite.
const PathAdvance = Prefix + "/advance"

// Options configures a [Server]. Open and Now are required.
type Options struct {
	// Config configures the main world.
	Config host.Config

	// Open opens the host of a sandbox, or of the main world, whose name is "". Without a
	// Directory, it decides where the records are stored.
	Open func(context.Context, worlds.Opening) (*host.Host, error)

	// Directory stores which worlds there are, so that sandboxes survive a restart; nil:
	// they end with the server.
	Directory worlds.Directory

	// Elsewhere answers a request for a world that another process runs; most limits its body,
	// in bytes. Nil: such requests get 503.
	Elsewhere func(w http.ResponseWriter, r *http.Request, at *worlds.Elsewhere, most int64)

	// Journal returns a handler that records the requests to a sandbox; now reads its
	// world's clock. Nil: there is no journal.
	Journal func(name string, now func() time.Time, next http.Handler) Journal

	// FaultTold receives the events of the main world's fault rules: their changes, and each
	// request that they hit. May be nil.
	FaultTold func(fault.Event)

	// NoMagic turns magic numbers off.
	NoMagic bool

	// Remember stores the faults and the form of answers of a world in its records, so that
	// they outlive the process. It belongs with [host.Deps].Remember.
	Remember bool

	// Sandboxes limits the number of sandboxes in this process; 0: [worlds.Most].
	Sandboxes int

	// Full reports whether memory is too short for another sandbox; nil: see [worlds.Options].
	Full func() bool

	Now     func() time.Time // the wall clock
	Log     *slog.Logger     // for errors that clients do not see; nil: silent
	Version string           // of the program

	// Token is the bearer token for control and metrics, which has the right to
	// everything. After 20 wrong tokens, an address may try one per second. Empty: no token
	// is needed unless Settings contain some, and requests that name another host than this
	// machine are refused.
	Token string

	// Settings store the tokens of persons and teams. Nil: in memory.
	Settings tokens.Settings

	// ThirdPartyURL is the external address of the main world's operations. Empty: the
	// address that the client used.
	ThirdPartyURL string

	// ControlURL is the external address of the control API. Empty: the address that the
	// client used.
	ControlURL string
}

// Journal records the requests to one sandbox and the responses as they were sent.
type Journal interface {
	http.Handler // the recorded operations

	// API handles the calls below /requests, /verify, /report and /rules; their paths
	// have no prefix.
	API() http.Handler
	Stats() metrics.Journal
	Clear()

	// StoreIn is called with the records of the world before its first request, and again
	// with those that replace them, after a reset. The journal may store its requests there.
	StoreIn(*store.Store)

	Close()
}

// Server serves a main world, sandboxes and their control API. It is an [http.Handler]
// for all of them; its methods may be called from any goroutine.
type Server struct {
	options Options
	log     *slog.Logger
	guesses *inbound.Guesses
	newer   *rate.Limiter // of reading the tokens again for one that is not known
	worlds  *worlds.Worlds
	tokens  *tokens.Store
	making  making
	maps    townMaps
	calls   struct{ main, sandbox func() http.Handler } // the routers

	downloads atomic.Int64 // current downloads
}

// Host returns the host of the main world, or nil if another process runs it. A reset replaces
// the host.
func (s *Server) Host() *host.Host {
	if main := s.worlds.Main(); main != nil {
		return main.Gate.Latest()
	}
	return nil
}

// Worlds returns the worlds in this process.
func (s *Server) Worlds() *worlds.Worlds { return s.worlds }

// Close ends all worlds, and returns an error if not all data could be stored. The HTTP
// server must be stopped first.
func (s *Server) Close() error { return s.worlds.Close() }

// Quit ends requests that would delay stopping: event streams, and those that move a
// clock. It is for [http.Server.RegisterOnShutdown].
func (s *Server) Quit() { s.worlds.Quit("the server stops") }

// ServeHTTP implements [http.Handler]: the five operations, control and the metrics.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, true, true)
}

// Operations serves the five operations and the pages beside them, without control.
func (s *Server) Operations() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, true, false) })
}

// Calls serves control and the metrics without the operations.
func (s *Server) Calls() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, false, true) })
}

// serve selects the handler of a request. It uses the escaped path, so that escapes and
// double slashes cannot hide a control path.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, operations, calls bool) {
	at := locate(r.URL.EscapedPath())
	switch {
	case at.isCall && calls:
		s.call(w, r, at)
	case at.isCall, at.path == PathMetrics && !calls, at.path != PathMetrics && !operations:
		s.fail(w, r, taxi.NewProblem(http.StatusNotFound, taxi.CodeNotFound, "there is nothing here"))
	default:
		s.operate(w, r, at)
	}
}

// location is a path in a world.
type location struct {
	world  string // "": the main one
	path   string // in the world, escaped
	isCall bool   // it is a call of the control API, and path is below Prefix
}

// sandboxPrefix is the path prefix of sandboxes, followed by the name.
const sandboxPrefix = "/s/"

// locate finds the world of a path.
func locate(path string) (at location) {
	if rest, ok := strings.CutPrefix(path, sandboxPrefix); ok {
		at.world, path, _ = strings.Cut(rest, "/")
		path = "/" + path
	}
	at.path = path
	if below, ok := strings.CutPrefix(path, Prefix); ok && (below == "" || below[0] == '/') {
		at.path, at.isCall = below, true
	}
	return at
}

// operate handles a request to the operations, or for the metrics, of a world.
func (s *Server) operate(w http.ResponseWriter, r *http.Request, at location) {
	box, leave, err := s.enter(r.Context(), at)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer leave()
	if at.world != "" {
		r = relocated(r, at.path)
	}
	if at.path == PathMetrics {
		s.serveMetrics(w, r, box.metrics.Page)
		return
	}
	box.handler.ServeHTTP(w, r)
}

// stay is the leave function of a request that does not keep its world from expiring.
func stay() {}

// enter returns the world of a request, which does not expire until leave is called.
func (s *Server) enter(ctx context.Context, at location) (box *sandbox, leave func(), err error) {
	if at.world == "" && s.options.Directory == nil {
		return boxOf(s.worlds.Main()), stay, nil
	}
	if at.path == PathMetrics && !at.isCall && at.world != "" { // metrics are scraped forever, which would keep every sandbox
		box, err = s.sandbox(ctx, at.world)
		return box, stay, err
	}
	w, leave, err := s.worlds.Ask(ctx, at.world)
	if err != nil {
		return nil, nil, err
	}
	return boxOf(w), leave, nil
}

// sandbox returns a sandbox that has not expired. This does not count as a use of it.
func (s *Server) sandbox(ctx context.Context, name string) (*sandbox, error) {
	w, err := s.worlds.Peek(ctx, name)
	if err != nil {
		return nil, err
	}
	return boxOf(w), nil
}

// call handles one control request of a world.
func (s *Server) call(w http.ResponseWriter, r *http.Request, at location) {
	who, err := s.allowed(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	path, err := pathOf(at.path)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ctx := r.Context()
	if who.token != nil {
		var leave func()
		ctx, leave = s.tokens.Follow(ctx, who.token)
		defer leave()
	}
	c := &call{Context: ctx, w: w, server: s, original: r, at: at, who: who}
	asked := r.WithContext(c)
	asked.URL = &url.URL{Path: Prefix + path, RawQuery: r.URL.RawQuery}
	router := s.calls.main
	if at.world != "" {
		router = s.calls.sandbox
	}
	router().ServeHTTP(w, asked)
}

// relocated returns a request with the path inside the sandbox.
func relocated(r *http.Request, escaped string) *http.Request {
	inner, at := *r, *r.URL
	at.RawPath = escaped
	at.Path, _ = url.PathUnescape(escaped) // it is part of a parsed path
	inner.URL = &at
	return &inner
}

// fail sends a problem document, or passes the request on to the process that runs its world
// ([Options].Elsewhere). Errors that may name a file of this machine are only
// logged.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if at, ok := errors.AsType[*worlds.Elsewhere](err); ok && s.options.Elsewhere != nil {
		most := int64(inbound.MostOperation)
		if locate(r.URL.EscapedPath()).isCall {
			most = maxBody
		}
		s.options.Elsewhere(w, r, at, most)
		return
	}
	p := problemOf(err)
	if p == nil && r.Context().Err() != nil {
		p = problemOf(r.Context().Err())
	}
	if p == nil || errors.Is(err, store.ErrUnavailable) {
		s.log.ErrorContext(r.Context(), "a call of control failed", "path", r.URL.Path, "error", err)
	}
	if p == nil {
		p = taxi.NewProblem(http.StatusInternalServerError, taxi.CodeInternal, "the log says more")
	}
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="cabrank control"`)
	}
	p.SendAs(w, documentOf(err, p))
}
