// Package inbound has what the servers of this program have in common: whom an address belongs to,
// limits of guesses and connections, files with an ETag, strict reading of JSON, and streams of events.
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
