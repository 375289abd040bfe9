// Package inbound says who calls a server, for the limits of everything that this program serves.
package inbound

import "net/netip"

// Network is whom an address, an IP without a port, belongs to: one customer has a whole /64 of
// IPv6, and a limit that counted its addresses one by one would be none.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}
