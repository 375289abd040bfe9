// Package inbound has the common parts of this program's servers: the network of an address, limits of
// guesses and connections, files with an ETag, strict parsing of JSON, and streams of events.
package inbound

import (
	"crypto/rand"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
)

// RequestIDs returns a source of ids for requests. No other source gives the same ones, also after
// a restart and in another process.
func RequestIDs() func() string {
	prefix := rand.Text()[:10] + "-"
	var count atomic.Uint64
	return func() string { return prefix + strconv.FormatUint(count.Add(1), 10) }
}

// Network returns the network of an IP address without a port, for limits: the address itself for IPv4,
// and its /64 for IPv6, since one customer has all addresses of a /64.
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

// IsUTF8 reports whether a charset of a Content-Type is that of JSON; it is often left out, and often
// written without the hyphen.
func IsUTF8(charset string) bool {
	return charset == "" || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}
