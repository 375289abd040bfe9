package dispatchside_test

import (
	"bufio"
	"cmp"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// elsewhere is a host that is not this machine, and not anywhere.
const elsewhere = "dispatch.example"

const day = 24 * time.Hour

// portFaults answer as they should, and not as securely as they should.
var portFaults = []fault{
	{name: "plain http for all the world", killedBy: "SEC-01", listen: matrix.Elsewhere(elsewhere)},
	{name: "a certificate for ten more days", killedBy: "SEC-02", listen: securedBy(leaf{until: 10 * day})},
	{name: "a certificate that ran out yesterday", killedBy: "SEC-02", listen: securedBy(leaf{until: -day})},
	{name: "TLS 1.1 at most", killedBy: "SEC-02", listen: securedBy(leaf{highest: tls.VersionTLS11})},
	{name: "any client certificate will do", killedBy: "SEC-06", listen: securedBy(leaf{clients: tls.RequireAnyClientCert}), own: true, http: aVendor},
	{name: "a client certificate for who likes", killedBy: "SEC-05 SEC-06", listen: securedBy(leaf{clients: tls.RequestClientCert}), own: true, http: aVendor},
	{name: "plain http in place of TLS", killedBy: "SEC-01", listen: unsecured},
	{name: "plain http beside TLS", killedBy: "SEC-03", listen: both, own: true, http: aVendor},
}

// leaf is how a server secures itself; the zero value is as it should be.
type leaf struct {
	until   time.Duration // from now; 0: 90 days
	highest uint16        // version of TLS; 0: the latest
	old     bool          // HTTP/1.1 is all it speaks

	clients tls.ClientAuthType // what certificates callers have to show
}

// aVendor returns a vendor's server in place of the sound server, which has credentials of its own.
func aVendor(http.Handler) http.Handler { return dispatchsidetest.NewVendor(dispatchsidetest.None) }

// securedBy returns a function that opens a port with TLS.
func securedBy(l leaf) func(time.Time) (*matrix.Port, error) {
	return func(now time.Time) (*matrix.Port, error) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		server, trust, err := l.certified(now)
		if err != nil {
			return nil, err
		}
		return &matrix.Port{Listener: tls.NewListener(listener, server), URL: "https://" + listener.Addr().String(), TLS: trust}, nil
	}
}

// certified returns the TLS configurations of the server and of a run that trusts it.
func (l leaf) certified(now time.Time) (server, trust *tls.Config, err error) {
	authority, err := client.NewAuthority(now)
	if err != nil {
		return nil, nil, err
	}
	certificate, err := authority.Issue(now.Add(-90*day), now.Add(cmp.Or(l.until, 90*day)), "127.0.0.1")
	if err != nil {
		return nil, nil, err
	}
	server = &tls.Config{
		Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"},
		MinVersion: tls.VersionTLS10, MaxVersion: l.highest, ClientAuth: l.clients, ClientCAs: authority.Roots(),
		Time: func() time.Time { return now },
	}
	if l.old {
		server.NextProtos = nil
	}
	trust = &tls.Config{RootCAs: authority.Roots()}
	if l.clients != tls.NoClientCert {
		shown, err := authority.Issue(now.Add(-day), now.Add(day), "platform")
		if err != nil {
			return nil, nil, err
		}
		trust.Certificates = []tls.Certificate{shown}
	}
	return server, trust, nil
}

// unsecured opens a port for plain HTTP under an https address.
func unsecured(time.Time) (*matrix.Port, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &matrix.Port{Listener: listener, URL: "https://" + listener.Addr().String()}, nil
}

// both opens a port that serves clients that begin with a TLS handshake over TLS, and others in plain HTTP.
func both(now time.Time) (*matrix.Port, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server, trust, err := leaf{old: true}.certified(now)
	if err != nil {
		return nil, err
	}
	l := &generous{Listener: listener, config: server, known: make(chan net.Conn), closed: make(chan struct{})}
	go l.sort() // ends when the listener is closed
	return &matrix.Port{Listener: l, URL: "https://" + listener.Addr().String(), TLS: trust}, nil
}

// generous takes connections with and without TLS.
type generous struct {
	net.Listener
	config *tls.Config
	known  chan net.Conn // connections that have shown what they are
	closed chan struct{}
	once   sync.Once
}

// sort waits for the first byte of each connection, which shows whether it begins with a TLS handshake.
func (l *generous) sort() {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return // closed
		}
		go func() { // ends with the connection, or its first byte
			const handshake = 0x16
			ahead := bufio.NewReader(conn)
			first, err := ahead.Peek(1)
			if err != nil {
				_ = conn.Close() // whoever it was is gone
				return
			}
			var seen net.Conn = &begun{conn, ahead}
			if first[0] == handshake {
				seen = tls.Server(seen, l.config)
			}
			select {
			case l.known <- seen:
			case <-l.closed:
				_ = conn.Close()
			}
		}()
	}
}

// Accept implements [net.Listener].
func (l *generous) Accept() (net.Conn, error) {
	select {
	case conn := <-l.known:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l *generous) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// begun is a connection of which something has been read ahead.
type begun struct {
	net.Conn
	ahead *bufio.Reader
}

// Read implements [net.Conn].
func (c *begun) Read(b []byte) (int, error) { return c.ahead.Read(b) }
