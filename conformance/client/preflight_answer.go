package client

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Gave describes a call and its answer, as the detail of a preflight step.
func Gave(x *conformance.Exchange) string {
	return fmt.Sprintf("%s %s gave %s", x.Request.Method, x.Request.URL, conformance.Answer(x).Show())
}

func (r *Client) HTTPStep(x *conformance.Exchange) conformance.Step {
	s := conformance.Step{Name: "HTTP", Detail: Gave(x), Took: x.Took}
	switch {
	case r.certificateObjection(x.ErrKind) != "":
		s.Name, s.Detail = "auth", r.certificateObjection(x.ErrKind)
		s.Cure, s.Aid = r.certificateCure()
	case x.Code() == 0:
		s.Cure, s.Aid = r.silenceCure(x.ErrKind)
	case x.Code() == http.StatusTooManyRequests:
		s.Cure = "remove the rate limit for this machine during the run, or try again later"
		if wait := x.Response.Header.Get("Retry-After"); wait != "" {
			s.Cure += "; the server says Retry-After: " + jsonvalue.Clip(wait, 40)
		}
	case x.Code() >= http.StatusInternalServerError:
		s.Cure = "look at the server's log, or wait until it is up"
	case speaksTLS(x):
		s.Cure = "use an https:// address: the server speaks TLS on this port"
	default:
		return conformance.Step{Name: "HTTP", OK: true, Detail: x.Response.Proto}
	}
	return s
}

// silenceCure returns the cure for a call without an answer, and the aid that may
// help.
func (r *Client) silenceCure(kind conformance.ErrorKind) (cure string, aid conformance.Aid) {
	switch kind {
	case conformance.ErrTimeout:
		return fmt.Sprintf("nothing came within %s: look at the server's log, or allow more time", r.Config.Timeout), conformance.AidTime
	case conformance.ErrNotHTTP:
		return "something accepts connections there and does not speak HTTP: check the port, and http or https", ""
	case conformance.ErrClosed, conformance.ErrReset:
		return "the connection was closed in place of an answer: look at the server's log, and whether something in front of it, such as a firewall or a limit of calls, shuts this machine out", ""
	}
	return "look at the server's log, and check the port, and http or https", ""
}

// speaksTLS reports whether an answer is the typical refusal of plain HTTP on a TLS port.
func speaksTLS(x *conformance.Exchange) bool {
	said := strings.ToLower(string(x.Response.Body))
	return x.Code() == http.StatusBadRequest && strings.Contains(said, "http request") && strings.Contains(said, "https")
}

func (r *Client) AuthStep(x *conformance.Exchange) conformance.Step {
	refused := x.Code() == http.StatusUnauthorized || x.Code() == http.StatusForbidden
	if r.asksForCertificate.Load() && x.RefusedCleanly() {
		s := conformance.Step{Name: "auth", Detail: Gave(x) + "; the server asks for a client certificate"}
		s.Cure, s.Aid = r.certificateCure()
		return s
	}
	s := conformance.Step{Name: "auth", OK: !refused}
	switch {
	case !refused && r.Config.Auth == nil:
		s.Detail = "no credentials given, none asked for"
	case !refused:
		s.Detail = "the credentials are accepted"
	case r.Config.Auth == nil:
		s.Detail, s.Cure, s.Aid = Gave(x), "give the credentials that the server wants: bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE", conformance.AidAuth
		if asks := x.Response.Header.Get("WWW-Authenticate"); asks != "" {
			s.Cure += "; it asks for " + jsonvalue.Clip(asks, 60)
		}
	default:
		s.Detail, s.Cure = Gave(x), "check the credentials: the server refuses those given"
	}
	return s
}

// mostSkew is the largest difference between the server's clock and ours that is not reported.
const mostSkew = time.Minute

// ClockStep compares the server's clock with ours. The step never fails, since a run is useful anyway.
func ClockStep(x *conformance.Exchange) conformance.Step {
	date, err := http.ParseTime(x.Response.Header.Get("Date"))
	if err != nil {
		return conformance.Step{Name: "clock", OK: true, Detail: "the server sends no Date"}
	}
	skew := date.Sub(x.Ended()).Round(time.Second)
	if skew.Abs() <= mostSkew {
		return conformance.Step{Name: "clock", OK: true, Detail: "agrees with this machine's"}
	}
	return conformance.Step{
		Name: "clock", OK: true, Detail: fmt.Sprintf("the server's clock is %v off this machine's", skew),
		Cure: "set both clocks by NTP: what a server says of times is judged by this machine's",
	}
}
