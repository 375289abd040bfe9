package conformance

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
)

// preflight finds out within a few calls whether a run makes sense. The error is
// [*Unreachable], or that of ctx.
func (r *run) preflight(ctx context.Context) error {
	if own, ok := r.target.Transport.(*http.Transport); ok && r.target.direct && !proxied(own, r.target.URL) {
		r.connect(ctx, own.TLSClientConfig)
	}
	if !r.grounded() {
		r.tryConfig(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.grounded() {
		return &Unreachable{URL: r.mask().url(r.target.URL), Steps: r.steps}
	}
	return nil
}

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
func (r *run) step(ctx context.Context, s Step) bool {
	if errors.Is(ctx.Err(), context.Canceled) {
		return false // it failed because somebody stopped it
	}
	s = r.mask().step(s)
	r.steps = append(r.steps, s)
	if r.target.Preflight != nil {
		r.target.Preflight(s)
	}
	return s.OK
}

// grounded reports whether a step has failed.
func (r *run) grounded() bool { return len(r.steps) > 0 && !r.steps[len(r.steps)-1].OK }

// connect resolves, connects and shakes hands, and stops at the first thing that
// does not work.
func (r *run) connect(ctx context.Context, config *tls.Config) {
	u, err := url.Parse(r.target.URL)
	if err != nil {
		r.step(ctx, Step{Name: "DNS", Detail: err.Error(), Cure: "give an address such as https://host/path"})
		return
	}
	ctx, stop := context.WithTimeout(ctx, r.target.Timeout)
	defer stop()
	if !r.step(ctx, r.resolve(ctx, u.Hostname())) {
		return
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	at := net.JoinHostPort(u.Hostname(), port)
	started := r.target.Now()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", at)
	took := r.target.since(started)
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

func (r *run) resolve(ctx context.Context, host string) Step {
	s := Step{Name: "DNS"}
	started := r.target.Now()
	found, err := net.DefaultResolver.LookupHost(ctx, host)
	s.Took = r.target.since(started)
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
