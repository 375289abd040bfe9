package cli

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// LocalOnly refuses requests whose Host is not a loopback name. Without it a web page
// could reach a server on the visitor's own machine under a name that the page's owner
// controls (DNS rebinding).
func LocalOnly(next http.Handler, others ...string) http.Handler {
	var first atomic.Pointer[string] // the first accepted name, which nearly all requests use
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
		// A health check by HTTP/1.0 names no host; a page in a browser always does.
		checks := host == "" && (r.URL.Path == "/livez" || r.URL.Path == "/readyz")
		if host != "localhost" && (err != nil || !ip.IsLoopback()) && !checks && !slices.Contains(others, host) {
			taxi.NewProblem(http.StatusMisdirectedRequest, "", "this server answers on loopback names only, not as %s", host).Send(w)
			return
		}
		if first.Load() == nil && !checks {
			name := strings.Clone(r.Host) // a copy, so that the request can be freed
			first.Store(&name)
		}
		next.ServeHTTP(w, r)
	})
}
