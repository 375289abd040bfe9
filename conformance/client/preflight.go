package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/outbound"
)

// Step takes down a step of the preflight and tells of it; it returns whether to
// go on.
func (r *Client) Step(ctx context.Context, s conformance.Step) bool {
	if errors.Is(ctx.Err(), context.Canceled) {
		return false // it failed because somebody stopped it
	}
	s = r.Redactor().Step(s)
	r.Steps = append(r.Steps, s)
	if r.Config.Heard != nil {
		r.Config.Heard(s)
	}
	return s.OK
}

// Grounded reports whether a step has failed.
func (r *Client) Grounded() bool { return len(r.Steps) > 0 && !r.Steps[len(r.Steps)-1].OK }

// Connect finds out whether the server can be connected to, as far as connections
// are the client's own to make, and reports whether nothing is in the way.
func (r *Client) Connect(ctx context.Context) bool {
	if own, ok := r.Config.Transport.(*http.Transport); ok && r.Config.direct {
		r.tryConnection(ctx, own.TLSClientConfig)
	}
	return !r.Grounded()
}

// tryConnection resolves, connects and shakes hands, and stops at the first thing
// that does not work.
func (r *Client) tryConnection(ctx context.Context, config *tls.Config) {
	u, err := url.Parse(r.Config.URL)
	if err != nil {
		r.Step(ctx, conformance.Step{Name: "DNS", Detail: err.Error(), Cure: "give an address such as https://host/path"})
		return
	}
	ctx, stop := context.WithTimeout(ctx, r.Config.Timeout)
	defer stop()
	if !r.Step(ctx, r.resolve(ctx, u.Hostname())) {
		return
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	at := net.JoinHostPort(u.Hostname(), port)
	started := r.Config.Now()
	conn, err := outbound.Dialer(outbound.Options{Guard: r.Config.Guard}).DialContext(ctx, "tcp", at)
	took := r.Config.since(started)
	if errors.Is(err, outbound.ErrElsewhere) {
		r.Step(ctx, conformance.Step{Name: "TCP", Detail: cause(err), Took: took, Cure: "allow whoever checks to call " + u.Hostname() + ": 'cabrank serve' takes --replay-to"})
		return
	}
	if err != nil {
		r.Step(ctx, conformance.Step{Name: "TCP", Detail: cause(err), Took: took, Cure: "start the server, or check the port: nothing answers at " + at})
		return
	}
	defer conn.Close()
	r.Step(ctx, conformance.Step{Name: "TCP", OK: true, Detail: conn.RemoteAddr().String(), Took: took})
	if u.Scheme == "https" {
		r.Step(ctx, r.secure(ctx, conn, u.Hostname(), config))
	}
}

func (r *Client) resolve(ctx context.Context, host string) conformance.Step {
	s := conformance.Step{Name: "DNS"}
	started := r.Config.Now()
	found, err := net.DefaultResolver.LookupHost(ctx, host)
	s.Took = r.Config.since(started)
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
