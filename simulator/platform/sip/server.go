package sip

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	message "github.com/emiago/sipgo/sip"
	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// Options configures a server. External, FirstPort, LastPort, MaxCalls and Log are optional.
type Options struct {
	Address  string // to listen on by UDP and TCP, such as 127.0.0.1:5060; port 0 chooses a free one
	External bool   // allow calls to and from other machines

	FirstPort, LastPort uint16 // UDP ports for sound; default 20000 to 23999
	MaxCalls            int    // legs at once; default 1000

	Clock    voice.Clock // the wall clock
	Random   io.Reader
	Exchange Exchange
	Line     func(soundline.Wire) voice.Leg // makes a leg of a wire
	Log      *slog.Logger                   // nil: nothing is logged
}

// Exchange is the platform behind the lines. Its methods may be called concurrently.
type Exchange interface {
	// Trunk reports whether calls from an address are accepted without a password.
	Trunk(address netip.Addr) bool

	// Phone returns the telephone that logs in as a user.
	Phone(user string) (Phone, bool)

	// Call receives a call. If it returns an error, the call is refused; the status is that of a
	// [*voice.Failure].
	Call(from Caller, leg voice.Leg) error
}

// Phone is a telephone that may log in.
type Phone struct {
	User   string
	Secret string // hash of its password ([Secret])
}

// Caller is the origin and the called number of an incoming call.
type Caller struct {
	Trunk  netip.Addr // address of the trunk, unless the call is from a telephone
	User   string     // of the telephone; "": the call is from a trunk
	Number string     // the caller's number as given by the trunk; "": withheld
	Called string     // the dialled number
}

// Limits for other machines.
const (
	mostMessage     = 8 << 10 // bytes
	messagesASecond = 4000
	mostConnections = 256
	mostPhones      = 1000 // logged in
	readBuffer      = 4 << 20
)

// Server is a SIP user agent with all its lines.
type Server struct {
	options Options
	address netip.AddrPort
	agent   *sipgo.UserAgent
	client  *sipgo.Client
	ports   ports
	nonces  nonces
	phones  registrar
	paces   paces
	warns   *rate.Limiter // about wrong passwords

	udp net.PacketConn
	tcp net.Listener

	mu     sync.Mutex
	lines  map[string]*line // by [dialogID]
	closed bool
	done   sync.WaitGroup // the listeners

	farewells int           // number of requests that end calls and wait for a response
	said      chan struct{} // closed when that number is 0; nil: nobody waits
}

// sipgo would log whole messages, which contain telephone numbers.
func init() { message.SetDefaultLogger(slog.New(slog.DiscardHandler)) }

// Listen opens the sockets and starts a server.
func Listen(ctx context.Context, o Options) (*Server, error) {
	address, err := netip.ParseAddrPort(o.Address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is no address such as 127.0.0.1:5060", o.Address)
	case address.Addr().IsUnspecified():
		return nil, fmt.Errorf("%s names no address that others can be told: want one of this machine's, such as 127.0.0.1:5060", o.Address)
	case !o.External && !address.Addr().IsLoopback():
		return nil, fmt.Errorf("%s can be reached by other machines: that wants --allow-external-calls", o.Address)
	}
	s := &Server{options: o.withDefaults(), lines: map[string]*line{}, paces: newPaces(), warns: rate.NewLimiter(1, 10)}
	s.ports = ports{first: s.options.FirstPort &^ 1, last: s.options.LastPort, open: map[uint16]bool{}}
	s.nonces.known, s.phones.bound = map[string]*nonce{}, map[string]*binding{}
	if err := s.bind(ctx, address); err != nil {
		return nil, err
	}
	return s, s.serve(ctx)
}

func (o Options) withDefaults() Options {
	if o.FirstPort == 0 || o.LastPort == 0 {
		o.FirstPort, o.LastPort = 20000, 23999
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = 1000
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// bind opens both sockets on one port. For port 0, it tries another port if that of UDP is in use for TCP.
func (s *Server) bind(ctx context.Context, address netip.AddrPort) (err error) {
	const tries = 10
	for range tries {
		if s.udp, err = (&net.ListenConfig{}).ListenPacket(ctx, "udp", address.String()); err != nil {
			return err
		}
		_ = s.udp.(*net.UDPConn).SetReadBuffer(readBuffer) // the kernel may allow less
		s.address = s.udp.LocalAddr().(*net.UDPAddr).AddrPort()
		if s.tcp, err = (&net.ListenConfig{}).Listen(ctx, "tcp", s.address.String()); err == nil {
			return nil
		}
		err = errors.Join(err, s.udp.Close())
		if address.Port() != 0 {
			break
		}
	}
	return err
}

// serve starts to serve the sockets.
func (s *Server) serve(ctx context.Context) error {
	agent, err := sipgo.NewUA(
		sipgo.WithUserAgent("cabrank"),
		sipgo.WithUserAgentParser(message.NewParser(func(p *message.Parser) { p.MaxMessageLength = mostMessage })),
		sipgo.WithUserAgentTransportLayerOptions(message.WithTransportLayerReadFilter(s.filter)),
	)
	if err != nil {
		return err
	}
	s.agent = agent
	if s.client, err = sipgo.NewClient(agent); err != nil {
		return err
	}
	server, err := sipgo.NewServer(agent)
	if err != nil {
		return err
	}
	for method, handler := range map[message.RequestMethod]sipgo.RequestHandler{
		message.INVITE: s.invite, message.ACK: s.ack, message.BYE: s.within((*line).bye), message.CANCEL: s.strayCancel,
		message.INFO: s.within((*line).info), message.UPDATE: s.within((*line).update),
		message.OPTIONS: s.capabilities, message.REGISTER: s.register,
	} {
		server.OnRequest(method, s.guarded(handler))
	}
	server.OnNoRoute(s.guarded(func(r *message.Request, tx message.ServerTransaction) {
		s.refuse(r, tx, message.StatusMethodNotAllowed, allow)
	}))
	s.done.Go(func() { serveDatagrams(&s.done, server, s.udp, datagramsAtOnce, func() {}, func() {}) }) // they end when the sockets are closed
	s.done.Go(func() {
		_ = server.ServeTCP(&limited{Listener: s.tcp, slots: make(chan struct{}, mostConnections), after: s.after, known: s.knows})
	})
	return s.ready(ctx)
}

// ready waits until sipgo has registered the socket; earlier requests would use another socket.
func (s *Server) ready(ctx context.Context) error {
	for ctx.Err() == nil {
		if conn, err := s.agent.TransportLayer().GetConnection("udp", s.address.String()); err == nil && conn != nil {
			_, err := conn.TryClose() // it is a reference; the socket stays open
			return err
		}
		runtime.Gosched()
	}
	return ctx.Err()
}

// Address returns the address on which the server listens.
func (s *Server) Address() netip.AddrPort { return s.address }

// Close ends all lines and closes the sockets.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	lines := make([]*line, 0, len(s.lines))
	for _, l := range s.lines {
		lines = append(lines, l)
	}
	s.mu.Unlock()
	for _, l := range lines {
		l.Hangup(voice.CauseNormal, "the platform is stopping")
	}
	s.waitForFarewells()
	err := errors.Join(s.agent.Close(), s.udp.Close(), s.tcp.Close())
	s.done.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// sendFinalRequest sends, in a goroutine, a request that ends a call.
func (s *Server) sendFinalRequest(send func()) {
	s.mu.Lock()
	s.farewells++
	s.mu.Unlock()
	go func() { // ends with the answer
		send()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.farewells--
		if s.farewells == 0 && s.said != nil {
			close(s.said)
			s.said = nil
		}
	}()
}

// waitForFarewells waits up to a second for the responses to requests that end calls.
func (s *Server) waitForFarewells() {
	const within = time.Second
	passed, said := make(chan struct{}), make(chan struct{})
	s.mu.Lock()
	if s.farewells == 0 {
		close(said)
	} else {
		s.said = said
	}
	s.mu.Unlock()
	defer s.after(within, func() { close(passed) }).Stop()
	select {
	case <-said:
	case <-passed:
	}
}

// filter drops messages that are too long or too frequent, and messages of other machines unless they are
// allowed.
func (s *Server) filter(from message.TransportReadProps, data []byte) ([]byte, error) {
	peer := peerOf(from.RemoteAddr)
	if !s.mayReach(peer.Addr()) || !s.paces.allow(peer, s.options.Clock.Now()) {
		if from.Transport == "TCP" {
			return nil, errors.New("too much") // a TCP stream cannot continue without a part of it
		}
		return nil, nil
	}
	if from.Transport == "UDP" && (len(data) > mostMessage || s.refuseShort(data, from.RemoteAddr)) {
		return nil, nil
	}
	return data, nil
}

func peerOf(a net.Addr) netip.AddrPort {
	peer, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(peer.Addr().Unmap(), peer.Port())
}

// meet marks the address of a telephone or trunk as known, after it has logged in, called or been called.
func (s *Server) meet(at netip.AddrPort) { s.paces.meet(at, s.options.Clock.Now()) }

// knows reports whether a telephone or trunk has logged in or called from the address and port of a connection, or is
// called there.
func (s *Server) knows(peer net.Addr) bool {
	return s.paces.isKnownPort(peerOf(peer), s.options.Clock.Now())
}

// mayReach reports whether packets may be sent to an address, and received from it.
func (s *Server) mayReach(a netip.Addr) bool {
	switch {
	case !a.IsValid() || a.IsMulticast() || a.IsUnspecified():
		return false
	case a.IsLoopback():
		return s.address.Addr().IsLoopback() || s.options.External
	}
	return s.options.External && (a.IsPrivate() || a.IsLinkLocalUnicast() || s.options.Exchange.Trunk(a))
}

// agree returns the terms for a session description that an address has sent. It refuses a description with a port of
// this server, which would otherwise send sound to itself, or into another call.
func (s *Server) agree(d description, signalling netip.Addr) (terms, error) {
	t, err := d.agree()
	if err != nil {
		return t, err
	}
	t = s.reachable(t, signalling)
	if port := t.remote.Port(); t.remote.Addr() == s.address.Addr() && (port == s.address.Port() || s.ports.isOpen(port)) {
		return t, errOurs
	}
	return t, nil
}

var errOurs = errors.New("the session description names a port of this platform")

// reachable replaces the address for sound by that of the signalling, if the description names an address to which no
// packet may be sent. Telephones name their network address even when they call from this machine; and if another
// machine names a loopback address, sound would be sent to programs on this machine.
func (s *Server) reachable(t terms, signalling netip.Addr) terms {
	t.named = t.remote.Addr()
	if !t.named.IsUnspecified() && (!s.mayReach(t.named) || t.named.IsLoopback() && !signalling.IsLoopback()) {
		t.remote = netip.AddrPortFrom(signalling, t.remote.Port())
	}
	return t
}

const version = "SIP/2.0"

// guarded returns a handler that survives panics, and refuses incomplete messages and other versions.
func (s *Server) guarded(handle sipgo.RequestHandler) sipgo.RequestHandler {
	return func(r *message.Request, tx message.ServerTransaction) {
		defer func() {
			if p := recover(); p != nil {
				s.options.Log.Error("sip: panic", "method", r.Method.String(), "panic", p)
			}
		}()
		switch {
		case r.SipVersion != version:
			r.SipVersion = version // of the answer
			s.refuse(r, tx, message.StatusVersionNotSupported)
			return
		case !whole(r) || r.CSeq().MethodName != r.Method:
			s.refuse(r, tx, message.StatusBadRequest)
			return
		}
		handle(r, tx)
	}
}

// whole reports whether a message has all mandatory headers.
func whole(m interface {
	Via() *message.ViaHeader
	From() *message.FromHeader
	To() *message.ToHeader
	CallID() *message.CallIDHeader
	CSeq() *message.CSeqHeader
},
) bool {
	return m.Via() != nil && m.From() != nil && m.To() != nil && m.CallID() != nil && m.CSeq() != nil && len(*m.CallID()) <= 256
}

// random returns random bytes in hexadecimal.
func (s *Server) random(bytes int) string {
	b := make([]byte, bytes)
	if _, err := io.ReadFull(s.options.Random, b); err != nil {
		panic(fmt.Sprintf("sip: no chance: %v", err)) // as crypto/rand does
	}
	return hex.EncodeToString(b)
}

// after calls a function after a duration of the server's clock.
func (s *Server) after(d time.Duration, do func()) voice.Timer {
	return s.options.Clock.AfterFunc(d, do)
}
