package cli

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
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
			misdirected(w, host)
			return
		}
		if first.Load() == nil {
			name := strings.Clone(r.Host) // which lets go of the request
			first.Store(&name)
		}
		next.ServeHTTP(w, r)
	})
}

// misdirected answers with a problem document (RFC 9457).
func misdirected(w http.ResponseWriter, host string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusMisdirectedRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{ // a caller who has gone needs no answer
		"type": "about:blank", "title": http.StatusText(http.StatusMisdirectedRequest), "status": http.StatusMisdirectedRequest,
		"detail": "this server answers on loopback names only, not as " + host,
	})
}
