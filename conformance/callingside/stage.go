package callingside

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Limits of the scripted third party, which may be exposed to a network.
const (
	mostBody   = 1 << 20  // bytes of a request
	mostCalls  = 20_000   // calls that are recorded; later ones are refused
	mostBytes  = 96 << 20 // of memory for the recorded calls
	mostConns  = 256
	headTime   = 10 * time.Second
	bodyTime   = 30 * time.Second
	answerTime = 40 * time.Second // for an answer, from the end of the request; the slowest scene takes 30 s
)

// stage is the scripted third party: it plays scenes and records the calls.
type stage struct {
	opts    Options
	base    *url.URL // address below which the operations are
	other   string   // address of the other host; "": none
	servers []*http.Server

	mu      sync.Mutex
	history []*conformance.Exchange
	kept    conformance.Store
	refused int // calls after the limit was reached
	plays   []*play
	alone   *play // the play that runs alone; nil: none does
	passive *play // for calls outside of every scene
	mode    *tlsMode
	hellos  int // TLS handshakes that callers started
	conns   map[net.Conn]bool
}

func newStage(o Options) *stage {
	s := &stage{opts: o, conns: map[net.Conn]bool{}}
	scheme := "http"
	if o.TLS != nil {
		scheme = "https"
	}
	s.base = &url.URL{Scheme: scheme, Host: o.Listener.Addr().String(), Path: "/" + strings.Trim(o.BasePath, "/")}
	s.base.Path = strings.TrimRight(s.base.Path, "/")
	if o.Other != nil {
		_, port, _ := net.SplitHostPort(o.Other.Addr().String())
		s.other = scheme + "://localhost:" + port
	}
	s.passive = newPlay(&scene{Name: "outside of every scene"}, 0, o.Nonce, o.Now())
	return s
}

// serve starts to answer calls; stop ends that.
func (s *stage) serve() (stop func()) {
	s.listen(s.opts.Listener, http.HandlerFunc(s.answer))
	if s.opts.Other != nil {
		s.listen(s.opts.Other, http.HandlerFunc(s.answerElsewhere))
	}
	return func() {
		for _, server := range s.servers {
			_ = server.Close() // calls still running belong to no scene
		}
	}
}

func (s *stage) listen(l net.Listener, h http.Handler) {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headTime, ReadTimeout: bodyTime, WriteTimeout: bodyTime + answerTime, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), ConnState: s.track,
	}
	s.servers = append(s.servers, server)
	if s.opts.TLS == nil {
		go func() { _ = server.Serve(l) }() // ends with Close
		return
	}
	server.TLSConfig = (*tlsMode)(nil).config(s.opts.TLS)
	server.TLSConfig.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hellos++
		return s.mode.config(s.opts.TLS), nil
	}
	go func() { _ = server.ServeTLS(l, "", "") }() // ends with Close
}

// track records the connections, so that they can be closed before the TLS mode changes, and
// limits their number.
func (s *stage) track(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		if s.conns[c] = true; len(s.conns) > mostConns {
			_ = c.Close() // the caller sees a reset
		}
	case http.StateClosed, http.StateHijacked:
		delete(s.conns, c)
	}
}

// reach sets the TLS mode for new connections, and closes the open connections.
func (s *stage) reach(m *tlsMode) {
	s.mu.Lock()
	s.mode = m
	open := s.conns
	s.conns = map[net.Conn]bool{}
	s.mu.Unlock()
	for c := range open {
		_ = c.Close()
	}
}

// begin adds a play to which calls may belong. alone says that no other play is running.
func (s *stage) begin(p *play, alone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plays = append(s.plays, p)
	if alone {
		s.alone = p
	}
}

// end ends the time in which a play runs alone. Late calls are still assigned to it by their ids.
func (s *stage) end(p *play) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.alone == p {
		s.alone = nil
	}
}

// playOf returns the play that a call belongs to, by the caller's number or the ids; nil if that is not known.
func (s *stage) playOf(op conformance.Operation, sent jsonvalue.Value) *play {
	s.mu.Lock()
	alone, plays := s.alone, slices.Clone(s.plays)
	s.mu.Unlock()
	caller := jsonvalue.Digits(sent.At("phoneNumber").Scalar())
	names := func(p *play) bool {
		return caller != "" && alike(caller, p.caller) || op != rules.OpUser && p.owns(sent)
	}
	if alone != nil && names(alone) {
		return alone // an earlier scene may have used the same odd ids
	}
	for _, p := range slices.Backward(plays) {
		if names(p) {
			return p
		}
	}
	if alone == nil && len(plays) == 0 {
		return s.passive
	}
	return alone
}

// alike reports whether two numbers have the same last nine digits, so that a caller is found by a number in another form.
func alike(a, b string) bool {
	const tail = 9
	return len(a) >= tail && len(b) >= tail && a[len(a)-tail:] == b[len(b)-tail:]
}

// keep adds a call to the record or, once a limit is reached, only counts it.
func (s *stage) keep(x *conformance.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.history) >= mostCalls || s.kept.Take(x) > mostBytes {
		s.refused++
		return
	}
	x.ID = len(s.history) + 1
	s.history = append(s.history, x)
}

// full reports whether the limit of recorded calls is reached.
func (s *stage) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused > 0 || len(s.history) >= mostCalls
}

// calls returns the number of recorded calls.
func (s *stage) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.history)
}

// contacts counts the calls and the started TLS handshakes. A caller who does not trust a
// certificate makes no call, but has started a handshake.
func (s *stage) contacts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.history) + s.hellos
}

// recorded returns the calls so far.
func (s *stage) recorded() []*conformance.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.history)
}

// wait waits for a duration before an answer, or until ctx ends.
func (s *stage) wait(ctx context.Context, d time.Duration) { s.opts.Wait(ctx, d) }

// address returns the address for the platform to call.
func (s *stage) address() string { return s.base.String() }
