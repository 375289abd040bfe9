package serving

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// prefixes parses the addresses and ranges of a flag.
func prefixes(flag string, texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if address, isAddress := netip.ParseAddr(text); isAddress == nil {
			prefix, err = address.Prefix(address.BitLen())
		}
		if err != nil {
			return nil, cli.UsageError("%s is %q, want an address such as 10.1.2.3, or a range such as 10.0.0.0/8", flag, text)
		}
		all = append(all, prefix.Masked())
	}
	return all, nil
}

// within reports whether an address is in one of the ranges.
func within(ranges []netip.Prefix, at netip.Addr) bool {
	return slices.ContainsFunc(ranges, func(p netip.Prefix) bool { return p.Contains(at.Unmap()) })
}

// behindProxies sets the client address of requests that come through trusted proxies
// from X-Forwarded-For, for limits and the log. It ignores the header of any other
// client.
func behindProxies(next http.Handler, trusted []netip.Prefix) http.Handler {
	if len(trusted) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own := *r
		own.RemoteAddr = clientOf(r, trusted)
		next.ServeHTTP(w, &own)
	})
}

// clientOf returns the client address of a request: the last address that is not a
// trusted proxy.
func clientOf(r *http.Request, trusted []netip.Prefix) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || !within(trusted, from.Addr()) {
			break
		}
		from = netip.AddrPortFrom(before.Unmap(), from.Port())
	}
	return from.String()
}
