// Package outbound makes the HTTP clients of this program, all in one way: they follow no
// redirect, which would let whoever is called choose where the next request goes, they bound the
// headers of answers, and they use the proxies of the environment only where that is asked for.
package outbound

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
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

// Dialer returns the dialer that makes connections with these options.
func Dialer(o Options) *net.Dialer {
	d := &net.Dialer{Timeout: usualDial, Control: o.Guard}
	if o.DialWithin > 0 {
		d.Timeout = o.DialWithin
	}
	return d
}

// Why an address is not called.
var (
	// ErrElsewhere refuses an address that is none of this machine.
	ErrElsewhere = errors.New("it is not an address of this machine")
	// ErrPrivate refuses an address of a private network where none is allowed.
	ErrPrivate = errors.New("is on a private network")
	// ErrNever refuses an address at which no legitimate server can be.
	ErrNever = errors.New("is never called, whatever is allowed: want an address of this machine, of a private network, or of the public internet")
)

// ThisMachine returns a guard that allows only addresses of this machine.
func ThisMachine() Guard { return thisMachineOr(func(netip.Addr) bool { return false }) }

// thisMachineOr returns a guard that allows addresses of this machine, and those for which also returns true.
func thisMachineOr(also func(netip.Addr) bool) Guard {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return ErrElsewhere
		}
		at := to.Addr().Unmap()
		if at.IsLoopback() || ownAddress(at) || also(at) {
			return nil
		}
		return ErrElsewhere
	}
}

// Reach returns a guard that allows addresses of this machine, public ones, and those of private networks if
// private is set. Addresses such as those of a cloud's metadata are never allowed.
func Reach(private bool) Guard {
	allowed := thisMachineOr(func(at netip.Addr) bool { return Public(at) || private && isPrivate(at) })
	return func(network, address string, conn syscall.RawConn) error {
		err := allowed(network, address, conn)
		if err == nil {
			return nil
		}
		if to, bad := netip.ParseAddrPort(address); bad == nil && isPrivate(to.Addr().Unmap()) {
			return ErrPrivate
		}
		return ErrNever
	}
}

// metadata lists the private addresses at which clouds offer metadata services.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"),          // Amazon
	netip.MustParsePrefix("fd20:ce::254/128"),       // Google
	netip.MustParsePrefix("fd00:c1::a9fe:a9fe/128"), // Oracle
}

// isPrivate reports whether an address is of a private network on which somebody's server may be.
func isPrivate(at netip.Addr) bool {
	return at.IsPrivate() && !slices.ContainsFunc(metadata, func(p netip.Prefix) bool { return p.Contains(at.WithZone("")) })
}

// Public reports whether an address is of the public internet.
func Public(at netip.Addr) bool { return public.SafeAddr(at.Unmap()) == nil }

var public = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAnyNetwork())

// Refuses reports whether the guard refuses a host that is an IP address. A host name is
// checked only when it is dialled.
func (g Guard) Refuses(host string) bool {
	at, err := netip.ParseAddr(host)
	return err == nil && g("tcp", netip.AddrPortFrom(at, 0).String(), nil) != nil
}

// ownAddress reports whether an address belongs to an interface of this machine, at which a server that listens beyond
// loopback is called. Whatever is there could also be reached by loopback, or from the network.
func ownAddress(at netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(all, func(a net.Addr) bool {
		n, ok := a.(*net.IPNet)
		if !ok {
			return false
		}
		own, ok := netip.AddrFromSlice(n.IP)
		return ok && own.Unmap() == at.WithZone("")
	})
}
