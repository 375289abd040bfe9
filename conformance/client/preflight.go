package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/outbound"
)

// Step records a step of the preflight and calls Config.Heard with it. It reports whether the preflight can
// continue.
func (r *Client) Step(ctx context.Context, s conformance.Step) bool {
	if errors.Is(ctx.Err(), context.Canceled) {
		return false // it failed because it was stopped
	}
	s = r.Redactor().Step(s)
	r.Steps = append(r.Steps, s)
	if r.Config.Heard != nil {
		r.Config.Heard(s)
	}
	return s.OK
}

// Grounded reports whether the last step of the preflight failed, so that the run cannot start.
func (r *Client) Grounded() bool { return len(r.Steps) > 0 && !r.Steps[len(r.Steps)-1].OK }

// Connect tests the connection to the server, if the client makes its own connections, and
// reports whether the preflight can continue.
func (r *Client) Connect(ctx context.Context) bool {
	if own, ok := r.Config.Transport.(*http.Transport); ok && r.Config.direct {
		r.tryConnection(ctx, own.TLSClientConfig)
	}
	return !r.Grounded()
}

// tryConnection looks up the server's name, connects and makes the TLS handshake, each as a step of the
// preflight, up to the first failure.
func (r *Client) tryConnection(ctx context.Context, config *tls.Config) {
	u, err := url.Parse(r.Config.URL)
	if err != nil {
		r.Step(ctx, conformance.Step{Name: "DNS", Detail: err.Error(), Cure: "give an address such as https://host/path"})
		return
	}
	ctx, stop := context.WithTimeout(ctx, r.Config.Timeout)
	defer stop()
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	at := net.JoinHostPort(u.Hostname(), port)
	var lookup time.Duration
	started := r.Config.Now()
	conn, err := outbound.Dialer(outbound.Options{Guard: r.Config.Guard}).DialContext(r.timeLookup(ctx, &lookup), "tcp", at)
	took := r.Config.since(started) - lookup
	if !r.Step(ctx, lookupStep(u.Hostname(), lookup, conn, err)) {
		return
	}
	if errors.Is(err, outbound.ErrElsewhere) {
		r.Step(ctx, conformance.Step{Name: "TCP", Detail: outbound.ErrElsewhere.Error(), Took: took, Cure: "run 'cabrank check', which calls other machines too"})
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

// timeLookup returns a context in which a dialler stores the duration of the name lookup in lookup.
func (r *Client) timeLookup(ctx context.Context, lookup *time.Duration) context.Context {
	var began time.Time
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { began = r.Config.Now() },
		DNSDone:  func(httptrace.DNSDoneInfo) { *lookup = r.Config.since(began) },
	})
}

// lookupStep returns the preflight step of the name lookup, from the result of dialling. There is no lookup
// besides that of the dialler, so that the guard decides about the address that is shown, and a refused
// address is not shown.
func lookupStep(host string, took time.Duration, conn net.Conn, err error) conformance.Step {
	s := conformance.Step{Name: "DNS", Took: took}
	var unknown *net.DNSError
	var failed *net.OpError
	switch {
	case errors.As(err, &unknown) && unknown.IsTimeout:
		s.Detail, s.Cure = "no name server answered", "check this machine's network: "+host+" could not be looked up"
	case errors.As(err, &unknown):
		s.Detail, s.Cure = cause(err), "check the host name in the address: "+host
	case err == nil:
		s.OK, s.Detail = true, host+" is "+hostOf(conn.RemoteAddr())
	case errors.As(err, &failed) && failed.Addr != nil && !errors.Is(err, outbound.ErrElsewhere):
		s.OK, s.Detail = true, host+" is "+hostOf(failed.Addr)
	default:
		s.OK, s.Detail = true, host+" has an address"
	}
	return s
}

func hostOf(at net.Addr) string {
	host, _, err := net.SplitHostPort(at.String())
	if err != nil {
		return at.String()
	}
	return host
}
