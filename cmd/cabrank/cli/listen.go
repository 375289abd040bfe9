package cli

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Listen listens on the address of --listen. Its error shows the right form of an address, or says why this address
// cannot be used.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	return ListenAs(ctx, "--listen", address)
}

// ListenAs is [Listen] for a flag of another name.
func ListenAs(ctx context.Context, flag, address string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err == nil {
		return listener, nil
	}
	if _, _, odd := net.SplitHostPort(address); odd != nil {
		return nil, UsageError("%s is %q, want HOST:PORT such as 127.0.0.1:8080, or 127.0.0.1:0 for a free port", flag, address)
	}
	return nil, UsageError("cannot listen on %s: %w; choose another with %s HOST:PORT such as 127.0.0.1:0, or stop what listens there", address, err, flag)
}

// Reachable returns the address at which programs on this machine reach a listener: its own, or 127.0.0.1 if it listens
// on all addresses.
func Reachable(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}).String()
	}
	return a.String()
}

// Loopback reports whether only this machine can reach a listener.
func Loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// LocalOnly refuses requests whose Host is neither a loopback name nor one of others; health checks may leave it out.
// Without it a web page could reach a server on the visitor's own machine under a name that the page's owner controls
// (DNS rebinding).
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

// CheckAddress returns an error if the base address of a flag is not valid; the error
// shows the right form. An address that may contain a secret is not repeated in it.
func CheckAddress(flag, address string) error {
	if isAddress(address) {
		return nil
	}
	if strings.ContainsAny(address, "@?") {
		return UsageError("%s is not an address; want http://host/path or https://host/path", flag)
	}
	whole := "http://" + address
	if strings.Contains(address, "://") || !isAddress(whole) {
		whole = "http://host/path"
	}
	return UsageError("%s %s is not an address; want %s, or https://", flag, strconv.Quote(address), whole)
}

func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}
