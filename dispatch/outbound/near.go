package outbound

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// ErrElsewhere refuses an address that is none of this machine, nor one that was allowed.
var ErrElsewhere = errors.New("it is no address of this machine")

// ThisMachine guards a client that calls this machine, and the addresses that also allows; nil:
// no others.
func ThisMachine(also func(netip.Addr) bool) Guard {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return ErrElsewhere
		}
		at := to.Addr().Unmap()
		if at.IsLoopback() || ownAddress(at) || also != nil && also(at) {
			return nil
		}
		return ErrElsewhere
	}
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
