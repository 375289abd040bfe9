package outbound

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// Why an address is not called.
var (
	// ErrElsewhere refuses an address that is none of this machine.
	ErrElsewhere = errors.New("it is not an address of this machine")
	// ErrPrivate refuses an address of a private network where none is allowed.
	ErrPrivate = errors.New("is on a private network")
	// ErrNever refuses an address that no server of anybody here has.
	ErrNever = errors.New("is never called, whatever is allowed: want an address of this machine, of a private network, or of the public internet")
)

// ThisMachine guards a client that calls this machine.
func ThisMachine() Guard { return near(func(netip.Addr) bool { return false }) }

// near guards a client that calls this machine, and the addresses that also allows.
func near(also func(netip.Addr) bool) Guard {
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

// Reach guards a client that calls this machine, public addresses, and private networks if that is
// allowed. Addresses such as those of a cloud's metadata are refused in any case.
func Reach(private bool) Guard {
	allowed := near(func(at netip.Addr) bool { return Public(at) || private && isPrivate(at) })
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

// metadata are the services of clouds that have addresses of private networks.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"),          // Amazon
	netip.MustParsePrefix("fd20:ce::254/128"),       // Google
	netip.MustParsePrefix("fd00:c1::a9fe:a9fe/128"), // Oracle
}

// isPrivate reports an address of a private network on which somebody's server may be.
func isPrivate(at netip.Addr) bool {
	return at.IsPrivate() && !slices.ContainsFunc(metadata, func(p netip.Prefix) bool { return p.Contains(at.WithZone("")) })
}

// Public reports an address of the public internet.
func Public(at netip.Addr) bool { return public.SafeAddr(at.Unmap()) == nil }

var public = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAnyNetwork())

// Refuses reports a host in digits that the guard does not let through. Where a name leads is
// looked at when it is dialled.
func (g Guard) Refuses(host string) bool {
	at, err := netip.ParseAddr(host)
	return err == nil && g("tcp", netip.AddrPortFrom(at, 0).String(), nil) != nil
}

// ownAddress reports an address that an interface of this machine has: a server that
// listens beyond loopback is called at one. What is reached so could be reached by loopback, or
// from the network anyway.
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
