package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// gave says what an answer was, for the detail of a step.
func gave(x *Exchange) string {
	return fmt.Sprintf("POST %s gave %s", x.Request.URL, answer(x).show())
}

func (r *client) httpStep(x *Exchange) Step {
	s := Step{Name: "HTTP", Detail: gave(x), Took: x.Took}
	switch {
	case r.misses(x.ErrKind) != "":
		s.Name, s.Detail = "auth", r.misses(x.ErrKind)
		s.Cure, s.Aid = r.certificateCure()
	case x.code() == 0:
		s.Cure, s.Aid = r.silenceCure(x.ErrKind)
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

// silenceCure says what to do about a call that got no answer, and which aid may
// help.
func (r *client) silenceCure(kind ErrorKind) (cure string, aid Aid) {
	switch kind {
	case ErrTimeout:
		return fmt.Sprintf("nothing came within %s: look at the server's log, or allow more time", r.config.Timeout), AidTime
	case ErrNotHTTP:
		return "something accepts connections there and does not speak HTTP: check the port, and http or https", ""
	case ErrClosed, ErrReset:
		return "the connection was closed in place of an answer: look at the server's log, and whether something in front of it, such as a firewall or a limit of calls, shuts this machine out", ""
	}
	return "look at the server's log, and check the port, and http or https", ""
}

// speaksTLS reports a refusal with which servers answer plain HTTP on a port of
// TLS.
func speaksTLS(x *Exchange) bool {
	said := strings.ToLower(string(x.Response.Body))
	return x.code() == http.StatusBadRequest && strings.Contains(said, "http request") && strings.Contains(said, "https")
}

func (r *client) authStep(x *Exchange) Step {
	refused := x.code() == http.StatusUnauthorized || x.code() == http.StatusForbidden
	if r.asksForCertificate.Load() && x.refusedCleanly() {
		s := Step{Name: "auth", Detail: gave(x) + "; the server asks for a client certificate"}
		s.Cure, s.Aid = r.certificateCure()
		return s
	}
	s := Step{Name: "auth", OK: !refused}
	switch {
	case !refused && r.config.Auth == nil:
		s.Detail = "no credentials given, none asked for"
	case !refused:
		s.Detail = "the credentials are accepted"
	case r.config.Auth == nil:
		s.Detail, s.Cure, s.Aid = gave(x), "give the credentials that the server wants: bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE", AidAuth
		if asks := x.Response.Header.Get("WWW-Authenticate"); asks != "" {
			s.Cure += "; it asks for " + clip(asks, 60)
		}
	default:
		s.Detail, s.Cure = gave(x), "check the credentials: the server refuses those given"
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
