package operations

import (
	"errors"
	"net/netip"
	"net/url"
	"syscall"

	"github.com/cabrank/cabrank/dispatch/outbound"
)

// ErrPrivate refuses an address of a private network, and says how one is allowed.
var ErrPrivate = errors.New("is neither on this machine nor public; 'cabrank platform --third-party' may name one on a private network, and --allow-private-hooks allows all there")

// guard is [outbound.Reach] with an error of ours.
func guard(private bool) outbound.Guard {
	reach := outbound.Reach(private)
	return func(network, address string, conn syscall.RawConn) error {
		err := reach(network, address, conn)
		if errors.Is(err, outbound.ErrPrivate) {
			return ErrPrivate
		}
		return err
	}
}

// CheckReach is [CheckURL], and refuses addresses in digits that no call may go to.
func CheckReach(base string, private bool) error {
	if err := CheckURL(base); err != nil {
		return err
	}
	u, err := url.Parse(base)
	if err != nil {
		return err
	}
	at, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return nil // where a name leads is looked at when it is dialled
	}
	return guard(private)("tcp", netip.AddrPortFrom(at, 0).String(), nil)
}
