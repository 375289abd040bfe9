package conformance

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Step is one thing that has to work before a run makes sense.
type Step struct {
	Name   string `json:"name"` // "name", "connection", "TLS", "answer"
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Cure   string `json:"cure,omitempty"` // what to do about it
}

// Unreachable says that there was nothing to test, and what to do about it.
type Unreachable struct {
	URL   string
	Steps []Step // the last one failed
}

// Error names the step that failed, what happened and the cure.
func (u *Unreachable) Error() string {
	last := u.Steps[len(u.Steps)-1]
	return fmt.Sprintf("%s cannot be tested: %s: %s; %s", u.URL, last.Name, last.Detail, last.Cure)
}

// preflight finds out within a few calls whether a run makes sense.
func (r *run) preflight(ctx context.Context) error {
	var steps []Step
	if own, ok := r.target.Transport.(*http.Transport); ok && own.Proxy != nil {
		steps = connectSteps(ctx, r.target.URL, own.TLSClientConfig)
	}
	if failed(steps) {
		return &Unreachable{URL: r.target.URL, Steps: steps}
	}
	steps = append(steps, r.answerStep(ctx))
	if failed(steps) {
		return &Unreachable{URL: r.target.URL, Steps: steps}
	}
	return nil
}

func failed(steps []Step) bool { return len(steps) > 0 && !steps[len(steps)-1].OK }

// connectSteps resolves, connects and shakes hands, and stops at the first thing
// that does not work.
func connectSteps(ctx context.Context, address string, config *tls.Config) []Step {
	u, err := url.Parse(address)
	if err != nil {
		return []Step{{Name: "address", Detail: err.Error(), Cure: "give an address such as https://host/path"}}
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	at := net.JoinHostPort(u.Hostname(), port)
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", at)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return []Step{{Name: "name", Detail: cause(err), Cure: "check the host name in the address: " + u.Hostname()}}
	case err != nil:
		return []Step{
			{Name: "name", OK: true},
			{Name: "connection", Detail: cause(err), Cure: "start the server, or check the port: nothing answers at " + at},
		}
	}
	defer conn.Close()
	steps := []Step{{Name: "name", OK: true}, {Name: "connection", OK: true, Detail: conn.RemoteAddr().String()}}
	if u.Scheme == "https" {
		steps = append(steps, tlsStep(ctx, conn, u.Hostname(), config))
	}
	return steps
}

func tlsStep(ctx context.Context, conn net.Conn, host string, config *tls.Config) Step {
	if config == nil {
		config = &tls.Config{}
	}
	config = config.Clone()
	if config.ServerName == "" {
		config.ServerName = host
	}
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		return Step{
			Name: "TLS", Detail: cause(err),
			Cure: "use a certificate for this host name that this machine trusts, or http:// if the server speaks plain HTTP",
		}
	}
	return Step{Name: "TLS", OK: true, Detail: tls.VersionName(secured.ConnectionState().Version)}
}

// answerStep calls /config, and /user if that does not answer as it should: a
// server may lack the one and still be worth testing.
func (r *run) answerStep(ctx context.Context) Step {
	config := r.send(ctx, preflightProbe, letter{op: OpConfig, body: encode(object{}), sound: true})
	if config.succeeded() && config.reply.isObject() {
		return Step{Name: "answer", OK: true}
	}
	phone := r.target.phone(r.nextPhone())
	user := r.send(ctx, preflightProbe, letter{op: OpUser, body: encode(object{"phoneNumber": phone}), intent: intentNewcomer})
	if user.succeeded() && user.reply.isObject() {
		return Step{Name: "answer", OK: true}
	}
	if user.code() == http.StatusNotFound && user.reply.isObject() && !alike(config, user) {
		return Step{Name: "answer", OK: true}
	}
	return Step{
		Name:   "answer",
		Detail: fmt.Sprintf("POST %s gave %s", config.Request.URL, answer(config).show()),
		Cure:   cureFor(config),
	}
}

// alike reports whether two refusals come from something that answers every path
// in the same way.
func alike(a, b *Exchange) bool {
	return a.code() == b.code() && a.Response.Header.Get("Content-Type") == b.Response.Header.Get("Content-Type")
}

func cureFor(x *Exchange) string {
	switch code := x.code(); {
	case code == 0:
		return "something accepts connections there and does not speak HTTP: check the port and http or https"
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return "give the credentials that the server wants"
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		return "check the path: the five operations are expected at {address}/config, /user, /book, /cancel and /status"
	case code/100 == 3:
		return "use the address that the server redirects to: " + x.Response.Header.Get("Location")
	case code >= http.StatusInternalServerError:
		return "look at the server's log, or wait until it is up"
	case isHTML(x) || strings.HasPrefix(strings.TrimSpace(string(x.Response.Body)), "<"):
		return "this looks like a web site: check host and path of the address"
	}
	return "answer POST /config with one JSON object"
}
