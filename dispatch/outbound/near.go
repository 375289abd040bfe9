package outbound

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"syscall"
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
