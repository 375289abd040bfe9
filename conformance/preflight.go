package conformance

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
)

// proxied reports whether calls of an address go through a proxy, which then does
// what the preflight would try.
func proxied(own *http.Transport, address string) bool {
	req, err := http.NewRequest(http.MethodPost, address, http.NoBody) //nolint:noctx // never sent
	if err != nil || own.Proxy == nil {
		return false
	}
	via, err := own.Proxy(req)
	return err != nil || via != nil
}

// step takes down a step of the preflight and tells of it; it returns whether to
// go on.
func (r *client) step(ctx context.Context, s Step) bool {
	if errors.Is(ctx.Err(), context.Canceled) {
		return false // it failed because somebody stopped it
	}
	s = r.redactor().step(s)
	r.steps = append(r.steps, s)
	if r.config.Heard != nil {
		r.config.Heard(s)
	}
	return s.OK
}

// grounded reports whether a step has failed.
func (r *client) grounded() bool { return len(r.steps) > 0 && !r.steps[len(r.steps)-1].OK }

// connect finds out whether the server can be connected to, as far as connections
// are the client's own to make, and reports whether nothing is in the way.
func (r *client) connect(ctx context.Context) bool {
	if own, ok := r.config.Transport.(*http.Transport); ok && r.config.direct && !proxied(own, r.config.URL) {
		r.tryConnection(ctx, own.TLSClientConfig)
	}
	return !r.grounded()
}

// tryConnection resolves, connects and shakes hands, and stops at the first thing
// that does not work.
func (r *client) tryConnection(ctx context.Context, config *tls.Config) {
	u, err := url.Parse(r.config.URL)
	if err != nil {
		r.step(ctx, Step{Name: "DNS", Detail: err.Error(), Cure: "give an address such as https://host/path"})
		return
	}
	ctx, stop := context.WithTimeout(ctx, r.config.Timeout)
	defer stop()
	if !r.step(ctx, r.resolve(ctx, u.Hostname())) {
		return
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	at := net.JoinHostPort(u.Hostname(), port)
	started := r.config.Now()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", at)
	took := r.config.since(started)
	if err != nil {
		r.step(ctx, Step{Name: "TCP", Detail: cause(err), Took: took, Cure: "start the server, or check the port: nothing answers at " + at})
		return
	}
	defer conn.Close()
	r.step(ctx, Step{Name: "TCP", OK: true, Detail: conn.RemoteAddr().String(), Took: took})
	if u.Scheme == "https" {
		r.step(ctx, r.secure(ctx, conn, u.Hostname(), config))
	}
}

func (r *client) resolve(ctx context.Context, host string) Step {
	s := Step{Name: "DNS"}
	started := r.config.Now()
	found, err := net.DefaultResolver.LookupHost(ctx, host)
	s.Took = r.config.since(started)
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown) && unknown.IsTimeout:
		s.Detail, s.Cure = "no name server answered", "check this machine's network: "+host+" could not be looked up"
	case err != nil:
		s.Detail, s.Cure = cause(err), "check the host name in the address: "+host
	default:
		s.OK, s.Detail = true, host+" is "+found[0]
	}
	return s
}
