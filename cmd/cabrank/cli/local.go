package cli

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// LocalOnly refuses requests that name another host. A page in somebody's
// browser could otherwise reach a server on their own machine under a name that
// it controls (DNS rebinding).
func LocalOnly(next http.Handler) http.Handler {
	var first atomic.Pointer[string] // the name that came first, which nearly all use
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if known := first.Load(); known != nil && *known == r.Host {
			next.ServeHTTP(w, r)
			return
		}
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
		ip, err := netip.ParseAddr(host)
		if host != "localhost" && (err != nil || !ip.IsLoopback()) {
			taxi.NewProblem(http.StatusMisdirectedRequest, "", "this server answers on loopback names only, not as %s", host).Send(w)
			return
		}
		if first.Load() == nil {
			name := strings.Clone(r.Host) // which lets go of the request
			first.Store(&name)
		}
		next.ServeHTTP(w, r)
	})
}
