package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// tryConfig calls /config and reads off the answer what stands in the way of a
// run. A server may lack /config and still be worth testing: /user is tried
// before giving up.
func (r *run) tryConfig(ctx context.Context) {
	x := r.send(ctx, probePreflight, call{op: OpConfig, body: encode(object{}), sound: true})
	if !x.succeeded() || !x.Reply().isObject() {
		if r.answersUser(ctx, x) {
			r.step(ctx, Step{Name: "/config", OK: true, Took: x.Took, Detail: "not answered as it should, but /user is: " + clip(answer(x).show(), 60)})
			return
		}
	}
	for _, look := range []func(*Exchange) Step{r.httpStep, r.authStep, pathStep, jsonStep, clockStep} {
		if !r.step(ctx, look(x)) {
			return
		}
	}
	r.step(ctx, Step{Name: "/config", OK: true, Took: x.Took, Detail: "status " + x.Reply().at("status").show()})
}

// answersUser reports whether /user is answered by something that knows the
// operation, although /config (x) is not.
func (r *run) answersUser(ctx context.Context, x *Exchange) bool {
	phone := r.phones.take(1)
	defer r.phones.giveBack(phone)
	user := r.send(ctx, probePreflight, call{op: OpUser, body: encode(object{"phoneNumber": phone[0]}), intent: intentNewcomer})
	if !user.Reply().isObject() {
		return false
	}
	return user.succeeded() || user.code() == http.StatusNotFound && !alike(x, user)
}

// alike reports whether two refusals come from something that answers every path
// in the same way.
func alike(a, b *Exchange) bool {
	return a.code() == b.code() && a.Response.Header.Get("Content-Type") == b.Response.Header.Get("Content-Type")
}

// gave says what an answer was, for the detail of a step.
func gave(x *Exchange) string {
	return fmt.Sprintf("POST %s gave %s", x.Request.URL, answer(x).show())
}

func (r *run) httpStep(x *Exchange) Step {
	s := Step{Name: "HTTP", Detail: gave(x), Took: x.Took}
	switch {
	case r.misses(x.ErrKind) != "":
		s.Name, s.Detail, s.Cure = "auth", r.misses(x.ErrKind), r.certificateCure()
	case x.code() == 0:
		s.Cure = r.silenceCure(x.ErrKind)
	case x.code() == http.StatusTooManyRequests:
		s.Cure = "let this machine call as often as it likes while it judges, or try again later"
		if wait := x.Response.Header.Get("Retry-After"); wait != "" {
			s.Cure += "; the server says Retry-After: " + clip(wait, 40)
		}
	case x.code() >= http.StatusInternalServerError:
		s.Cure = "look at the server's log, or wait until it is up"
	case speaksTLS(x):
		s.Cure = "use an https:// address: the server speaks TLS on this port"
	default:
		return Step{Name: "HTTP", OK: true, Detail: x.Response.Proto}
	}
	return s
}

// silenceCure says what to do about a call that got no answer.
func (r *run) silenceCure(kind ErrorKind) string {
	switch kind {
	case ErrTimeout:
		return fmt.Sprintf("nothing came within %s: look at the server's log, or give it longer with --timeout", r.target.Timeout)
	case ErrNotHTTP:
		return "something accepts connections there and does not speak HTTP: check the port, and http or https"
	case ErrClosed, ErrReset:
		return "the connection was closed in place of an answer: look at the server's log, and whether something in front of it, such as a firewall or a limit of calls, shuts this machine out"
	}
	return "look at the server's log, and check the port, and http or https"
}

// speaksTLS reports a refusal with which servers answer plain HTTP on a port of
// TLS.
func speaksTLS(x *Exchange) bool {
	said := strings.ToLower(string(x.Response.Body))
	return x.code() == http.StatusBadRequest && strings.Contains(said, "http request") && strings.Contains(said, "https")
}

func (r *run) authStep(x *Exchange) Step {
	refused := x.code() == http.StatusUnauthorized || x.code() == http.StatusForbidden
	if r.asksForCertificate.Load() && x.refusedCleanly() {
		return Step{Name: "auth", Detail: gave(x) + "; the server asks for a client certificate", Cure: r.certificateCure()}
	}
	s := Step{Name: "auth", OK: !refused}
	switch {
	case !refused && r.target.Auth == nil:
		s.Detail = "no credentials given, none asked for"
	case !refused:
		s.Detail = "the credentials are accepted"
	case r.target.Auth == nil:
		s.Detail, s.Cure = gave(x), "give the credentials that the server wants: --auth bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE"
		if asks := x.Response.Header.Get("WWW-Authenticate"); asks != "" {
			s.Cure += "; it asks for " + clip(asks, 60)
		}
	default:
		s.Detail, s.Cure = gave(x), "check the credentials: the server refuses those given"
	}
	return s
}

func pathStep(x *Exchange) Step {
	s := Step{Name: "path", Detail: gave(x)}
	switch code := x.code(); {
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		s.Cure = "check the path: the five operations are expected at {address}/config, /user, /book, /cancel and /status"
	case code/100 == 3:
		s.Cure = "use the address that the server redirects to: " + x.Response.Header.Get("Location")
	default:
		return Step{Name: "path", OK: true, Detail: x.Request.URL}
	}
	return s
}

func jsonStep(x *Exchange) Step {
	s := Step{Name: "JSON", Detail: gave(x), Cure: "answer POST /config with one JSON object"}
	switch {
	case x.succeeded() && x.Reply().isObject():
		return Step{Name: "JSON", OK: true, Detail: x.Response.Header.Get("Content-Type")}
	case isHTML(x) || strings.HasPrefix(strings.TrimSpace(string(x.Response.Body)), "<"):
		s.Cure = "this looks like a web site: check host and path of the address"
	}
	return s
}

// mostSkew is how far two clocks may be apart before it is worth saying.
const mostSkew = time.Minute

// clockStep compares the server's clock with ours. It never fails: no run is in
// vain because of it.
func clockStep(x *Exchange) Step {
	date, err := http.ParseTime(x.Response.Header.Get("Date"))
	if err != nil {
		return Step{Name: "clock", OK: true, Detail: "the server sends no Date"}
	}
	skew := date.Sub(x.ended()).Round(time.Second)
	if skew.Abs() <= mostSkew {
		return Step{Name: "clock", OK: true, Detail: "agrees with this machine's"}
	}
	return Step{
		Name: "clock", OK: true, Detail: fmt.Sprintf("the server's clock is %v off this machine's", skew),
		Cure: "set both clocks by NTP: pickup times are judged against them",
	}
}
