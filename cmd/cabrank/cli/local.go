package cli

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// LocalOnly refuses requests that name another host. A page in somebody's
// browser could otherwise reach a server on their own machine under a name that
// it controls (DNS rebinding).
func LocalOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
		ip, err := netip.ParseAddr(host)
		if host != "localhost" && (err != nil || !ip.IsLoopback()) {
			http.Error(w, "this server answers on loopback names only, not as "+host, http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
