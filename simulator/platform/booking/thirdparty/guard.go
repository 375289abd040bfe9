package thirdparty

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"syscall"

	"github.com/cabrank/cabrank/dispatch/outbound"
)

// Why an address is not called.
var (
	ErrPrivate = errors.New("is neither on this machine nor public; 'cabrank platform --third-party' may name one on a private network, and --allow-private-hooks allows all there")
	ErrNever   = errors.New("is never called, whatever is allowed: want an address of this machine, of a private network, or of the public internet")
)

// metadata are the services of clouds that have addresses of private networks.
var metadata = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"),          // Amazon
	netip.MustParsePrefix("fd20:ce::254/128"),       // Google
	netip.MustParsePrefix("fd00:c1::a9fe:a9fe/128"), // Oracle
}

// isPrivate reports an address of a private network on which a dispatch system may be.
func isPrivate(at netip.Addr) bool {
	return at.IsPrivate() && !slices.ContainsFunc(metadata, func(p netip.Prefix) bool { return p.Contains(at.WithZone("")) })
}

// guard lets calls go to this machine and to public addresses, and to private networks if that
// is allowed. Addresses that no dispatch system has, such as those of a cloud's metadata, are
// refused in any case.
func guard(private bool) outbound.Guard {
	allowed := outbound.ThisMachine(func(at netip.Addr) bool { return outbound.Public(at) || private && isPrivate(at) })
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
