// Package outbound makes the HTTP clients of this program, all in one way: they follow no
// redirect, which would let whoever is called choose where the next request goes, they bound the
// headers of answers, and they use the proxies of the environment only where that is asked for.
package outbound

import (
	"crypto/tls"
	"net"
	"net/http"
	"syscall"
	"time"
)

// MostHeaders is how many bytes of an answer's headers are read unless Options says otherwise.
const MostHeaders = 64 << 10

// Options says how a server is reached. The zero value is a client without a time limit that
// may call any address and asks no proxy.
type Options struct {
	Timeout     time.Duration // for one call with its answer; 0: the context of the call says
	TLS         *tls.Config   // roots to trust, a certificate to show; nil: the system's roots, none
	MostHeaders int64         // bytes; 0: [MostHeaders]
	DialWithin  time.Duration // for a connection, and again for its handshake; 0: 30 s and 10 s
	Guard       Guard         // looks at each address before it is connected to; nil: any may be
	Proxied     bool          // the proxies that the environment names are used
}

// Guard refuses addresses when they are dialled, so that a name that changes its address gains
// nothing. It is the Control function of a [net.Dialer].
type Guard func(network, address string, _ syscall.RawConn) error

// New returns a client with a transport of its own.
func New(o Options) *http.Client { return Over(Transport(o), o.Timeout) }

// Over returns a client that calls through a transport.
func Over(t http.RoundTripper, timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: t, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Transport returns a transport that shares no connection with the rest of the program.
func Transport(o Options) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	dialer := Dialer(o)
	t.DialContext, t.TLSClientConfig, t.MaxResponseHeaderBytes = dialer.DialContext, o.TLS, MostHeaders
	if o.MostHeaders > 0 {
		t.MaxResponseHeaderBytes = o.MostHeaders
	}
	if o.DialWithin > 0 {
		t.TLSHandshakeTimeout = o.DialWithin
	}
	if !o.Proxied {
		t.Proxy = nil
	}
	return t
}

// usualDial is how long a connection may take, as in [http.DefaultTransport].
const usualDial = 30 * time.Second

// Dialer returns what connections are made with.
func Dialer(o Options) *net.Dialer {
	d := &net.Dialer{Timeout: usualDial, Control: o.Guard}
	if o.DialWithin > 0 {
		d.Timeout = o.DialWithin
	}
	return d
}
