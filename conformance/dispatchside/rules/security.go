package rules

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Refusable are the intents of calls that a server should refuse because of their credentials.
var Refusable = map[conformance.Intent]bool{IntentNoCreds: true, IntentWrongCreds: true}

// credsChecks has the check, and a description, of each kind of call without the right credentials.
var credsChecks = map[conformance.Intent]struct{ check, what string }{
	IntentNoCreds:    {"SEC-05", "a call without credentials"},
	IntentWrongCreds: {"SEC-06", "a call with wrong credentials"},
}

// judgeSecurity judges the encryption and the credentials of one call.
func judgeSecurity(x *conformance.Exchange, s *conformance.Findings) {
	if c, ok := credsChecks[x.Intent]; ok {
		judgeStranger(c.check, c.what, x, s)
		return
	}
	switch x.Intent {
	case IntentSchemeCase:
		s.Want("SEC-08", x.Succeeded(), conformance.Answer(x), "served: the case of the scheme's name does not matter", x)
	case conformance.IntentPlainHTTP:
		judgePlain(x, s)
		return
	case IntentInjected:
		judgeInjected(x, s)
	}
	if x.Response != nil && x.Response.TLS != nil {
		judgeTLS(x, s)
	}
	if x.Probe != ProbeOverTheWire {
		return
	}
	judgeScheme(x, s)
	switch {
	case x.Succeeded():
		s.Pass("SEC-04", x)
	case x.Code() == http.StatusUnauthorized || x.Code() == http.StatusForbidden:
		s.Fail("SEC-04", "the credentials given were refused by "+x.Operation.Path(), "served", conformance.Answer(x), x)
	}
}

func judgeScheme(x *conformance.Exchange, s *conformance.Findings) {
	u, err := url.Parse(x.Request.URL)
	switch {
	case err != nil:
	case u.Scheme == "https":
		s.Pass("SEC-01", x)
	case !IsLoopback(u.Hostname()):
		s.Fail("SEC-01", "the operations are reached over plain http", "https", jsonvalue.Verbatim(u.Scheme+"://"+u.Host), x)
	}
}

// fortnight is how long a certificate should still be valid at least.
const fortnight = 14 * 24 * time.Hour

func judgeTLS(x *conformance.Exchange, s *conformance.Findings) {
	t := x.Response.TLS
	got := jsonvalue.Verbatim(fmt.Sprintf("%s, certificate until %s", t.Version, t.NotAfter.UTC().Format(time.DateOnly)))
	switch {
	case !t.Modern:
		s.Fail("SEC-02", "the connection uses "+t.Version, "TLS 1.2 or later", got, x)
	case !t.Verified:
		s.Unverified("SEC-02", conformance.NotApplicable, "verification of the server's certificate is disabled in this run", x)
	case t.NotAfter.Sub(x.Started) < fortnight:
		s.Fail("SEC-02", "the certificate expires within 14 days", "14 days or more", got, x)
	default:
		s.Pass("SEC-02", x)
	}
}

func judgePlain(x *conformance.Exchange, s *conformance.Findings) {
	switch code := x.Code(); {
	case code == http.StatusUnauthorized:
		s.Warn("SEC-03", "plain http asks for credentials: they would be sent unencrypted, and may be accepted", "closed, or 4xx to everybody", conformance.Answer(x), x)
	case code == 0 || code >= 400:
		s.Refused("SEC-03", x)
	case code >= 300:
		s.Warn("SEC-03", "plain http is answered with a redirect: the call has already been sent unencrypted", "closed, or 4xx", conformance.Answer(x), x)
	default:
		s.Fail("SEC-03", "plain http is served", "closed, or 4xx", conformance.Answer(x), x)
	}
}

func judgeStranger(check, what string, x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case x.Response == nil && strings.HasPrefix(x.Request.URL, "https:"), x.RefusedCleanly():
		s.Refused(check, x) // without a client certificate the handshake already fails
	case x.Succeeded():
		s.Fail(check, fmt.Sprintf("%s of %s was served", what, x.Operation.Path()), "401", conformance.Answer(x), x)
	default:
		s.Fail(check, fmt.Sprintf("%s of %s was not refused cleanly", what, x.Operation.Path()), "401", conformance.Answer(x), x)
	}
}

func judgeInjected(x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case x.Failed():
		s.Fail("SEC-12", "a line break in a string was not answered cleanly", "4xx, or kept as data", conformance.Answer(x), x)
	case x.Response.Header.Get("X-Injected") != "":
		s.Fail("SEC-12", "a line of a string became a header of the reply", "no such header", jsonvalue.Verbatim("X-Injected: "+x.Response.Header.Get("X-Injected")), x)
	case SaysCancelled(x) && !NamesJourney(x):
		s.Fail("SEC-12", IDNotWhole, "4xx: no journey has that id", conformance.Answer(x), x)
	case x.Operation == OpStatus && Served(x) && !NamesJourney(x):
		s.Warn("SEC-12", IDNotWhole, "4xx: no journey has that id", conformance.Answer(x), x)
	default:
		s.Pass("SEC-12", x)
	}
}

// IDNotWhole is the message for a server that reads only a part of an id.
const IDNotWhole = "a journeyId followed by other text was accepted as the journey's id"

// NamesJourney reports whether a call and its answer have the same journeyId.
func NamesJourney(x *conformance.Exchange) bool {
	return x.Sent().At("journeyId").Scalar() == x.Reply().At("journeyId").Scalar()
}

// IsLoopback reports whether a host is this machine.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
