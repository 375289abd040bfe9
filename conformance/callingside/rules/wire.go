package rules

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var wireRows = []row{
	{check("P-01", must, Operations(), operations, "Each operation is called by POST at its path below the configured base address, with a JSON object in UTF-8.", "A third party cannot answer a call that goes elsewhere or cannot be parsed.", "Join the base address and the path, send POST, and Content-Type application/json."), judgeWire},
	{check("P-78", should, Operations(), "Endpoints: requests that send JSON use Content-Type application/json", "The Content-Type of the body is application/json.", "A third party that checks it refuses the call, or parses a form.", "Set Content-Type to application/json on each call."), judgeContentType},
	{check("P-02", must, onRequest, operations, "/config is called at the start of each customer request, before anything else.", "The third party cannot switch features on or off, or report that it is down.", "Call /config first in each request."), judgeConfigFirst},
	{check("P-03", should, onRequest, operations, "/config is called once in each customer request; a retry after a failure does not count.", "Two answers in one request may contradict each other.", "Use the first answer until the request has ended."), judgeConfigOnce},
	{check("P-04", must, onConfig, operations, "data of /config, if sent, is an object whose features and options are arrays of strings and whose skipDropOff is a boolean.", "A third party that reads it refuses the whole request.", "Omit data, or send the plugin settings with the interface's types."), judgeConfigData},
	{aided(conformance.AidAuth, "--auth: the credentials that the platform was given for the third party", check("P-16", should, Operations(), "Authentication, Taxi integration", "Every call carries the credentials that the third party chose.", "The third party refuses the call.", "Send the credentials with each of the five operations.")), judgeCredentials},
	{needing("an https third party: --cert and --key, or --tls with --ca-out", check("P-17", should, onRequest, ours+": booking data and credentials must not be read on the way", "The third party is called over https, and a certificate that is expired, for another host or signed by nobody is refused.", "Anybody between the two could read numbers and addresses, and book.", "Use the system's verification of certificates; never switch it off.")), judgeCertificates},
	{aided(conformance.AidAuth, "--auth: the credentials that the platform was given for the third party", check("P-18", robust, onRequest, ours, "Credentials never follow a redirect to another host.", "Anybody who can make the third party redirect collects its credentials.", "Follow no redirect, or remove the credentials when the host changes.")), judgeRedirect},
	{needing("an https third party: --cert and --key, or --tls with --ca-out", check("P-73", robust, onRequest, ours, "Third parties with TLS 1.2 and HTTP/1.1, and with TLS 1.3 and HTTP/2, are both reached.", "Some third parties can never be reached.", "Let the HTTP library negotiate the versions.")), judgeVersions},
	{check("P-86", should, Operations(), operations+"; "+ours, "Phone numbers are in the bodies of calls, never in their addresses.", "Every log and every proxy on the way keeps the number.", "Send the number in the body alone."), judgeAddress},
}

// judgeAddress requires that no phone number is in the address of a call. In traffic of other clients, whose queries are
// hidden, it can only find some.
func judgeAddress(s *sheet, c conformance.Check) {
	var all []string
	callers := map[conformance.ProbeName][]string{}
	for _, r := range s.requests {
		if r.task != nil {
			all, callers[r.probe] = append(all, r.task.Caller), []string{r.task.Caller}
		}
	}
	for _, x := range s.all {
		numbers := append(callers[x.Probe], jsonvalue.Digits(x.Sent().At("phoneNumber").Text()))
		if x.Probe == ProbeShared {
			numbers = append(numbers, all...)
		}
		switch {
		case slices.ContainsFunc(numbers, func(n string) bool { return inAddress(n, x.Request.URL) }):
			s.Fail(c.ID, "a phone number is in the address of the request", x.Operation.Path()+" with the number in the body alone", jsonvalue.Verbatim("the number, in the address"), x)
		case x.Probe != "":
			s.Pass(c.ID, x)
		}
	}
}

// inAddress reports whether a part of the path or a value of the query is a phone number with the same last digits.
func inAddress(number, address string) bool {
	u, err := url.Parse(address)
	if err != nil || len(number) < leastNumber {
		return false
	}
	parts := strings.Split(u.Path, "/")
	for _, values := range u.Query() {
		parts = append(parts, values...)
	}
	return slices.ContainsFunc(parts, func(part string) bool {
		return strings.Trim(part, "+0123456789 ().-") == "" && strings.HasSuffix(jsonvalue.Digits(part), number[len(number)-leastNumber:])
	})
}

// judgeWire judges the path, the method and the body of each call.
func judgeWire(s *sheet, c conformance.Check) {
	for _, x := range s.all {
		if x.Intent == IntentRedirected {
			continue
		}
		if flaw, expected, got := wireFlaw(x); flaw != "" {
			s.Fail(c.ID, flaw, expected, jsonvalue.Verbatim(got), x)
			continue
		}
		s.Pass(c.ID, x)
	}
}

// judgeContentType judges the Content-Type of a call.
func judgeContentType(s *sheet, c conformance.Check) {
	for _, x := range s.all {
		said := x.Request.Header.Get("Content-Type")
		if x.Intent == IntentRedirected || x.Operation == "" {
			continue
		}
		if media, _, _ := mime.ParseMediaType(said); media != "application/json" {
			s.Fail(c.ID, "the Content-Type of the request is not JSON", "Content-Type: application/json", jsonvalue.HeaderValue("Content-Type", said), x)
			continue
		}
		s.Pass(c.ID, x)
	}
}

// placeFlaw returns what is wrong with the path or the method of a call; flaw is "" if nothing is.
func placeFlaw(x *conformance.Exchange) (flaw, expected, got string) {
	switch {
	case x.Operation == "":
		return "the path is none of the five operations", "/config, /user, /book, /cancel or /status below the base address", x.Request.URL
	case x.Intent == IntentStray:
		return "the path is none of the five operations below the base address", "the configured base address and " + x.Operation.Path(), x.Request.URL
	case x.Request.Method != http.MethodPost:
		return "the method is " + x.Request.Method, "POST", x.Request.Method
	}
	return "", "", ""
}

// wireFlaw returns what is wrong with the path, the method or the body of a call; flaw is "" if nothing is.
func wireFlaw(x *conformance.Exchange) (flaw, expected, got string) {
	if flaw, expected, got = placeFlaw(x); flaw != "" {
		return flaw, expected, got
	}
	switch encoding := taxi.EncodingOf(x.Request.Body); {
	case encoding != "":
		return "the body is " + encoding + ", and JSON is sent as plain UTF-8 (RFC 8259, 8.1)", "UTF-8", encoding
	case !utf8.Valid(x.Request.Body):
		return "the body is not UTF-8", "UTF-8", "bytes that are not UTF-8, such as those of ISO 8859-1"
	case !x.Sent().IsObject():
		return "the body is not a JSON object", "a JSON object, at least {}", string(x.Request.Body)
	}
	return "", "", ""
}

// judgeConfigFirst judges the requests whose /config is known. In traffic of other clients
// it can only find that /config is never called.
func judgeConfigFirst(s *sheet, c conformance.Check) {
	s.judgeForeignConfig(c.ID)
	for _, r := range s.requests {
		calls := r.ordinary()
		if r.task == nil || !r.task.Alone || len(calls) == 0 {
			continue
		}
		if first := calls[0]; first.Operation != OpConfig {
			s.failed(c.ID, r, "the first call is /"+string(first.Operation), "/config", sequence(calls))
			continue
		}
		s.passed(c.ID, r)
	}
}

// ordinary returns the calls of a request to the configured base address, in the order in which they started.
func (r *request) ordinary() []*conformance.Exchange {
	return slices.DeleteFunc(slices.Clone(r.calls), func(x *conformance.Exchange) bool {
		return x.Intent == IntentStray || x.Intent == IntentRedirected
	})
}

// sequence returns the operations of calls, in their order, such as "/config, /user".
func sequence(calls []*conformance.Exchange) string {
	var names []string
	for _, x := range calls {
		names = append(names, "/"+string(x.Operation))
	}
	return strings.Join(names, ", ")
}

func (s *sheet) judgeForeignConfig(id string) {
	var first *conformance.Exchange
	for _, x := range s.all {
		if x.Probe != "" || x.Operation == OpConfig {
			return
		}
		if first == nil {
			first = x
		}
	}
	if first != nil {
		s.File(OpRequest, id, conformance.Finding{Outcome: conformance.Fail, Message: "the traffic has no /config", Expected: "/config at the start of each customer request"}, first)
	}
}

func judgeConfigOnce(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if r.task == nil || !r.task.Alone {
			continue
		}
		served := 0
		for _, x := range r.of(OpConfig) {
			if x.Succeeded() && x.Reply().IsObject() {
				served++
			}
		}
		switch {
		case served > 1:
			s.failed(c.ID, r, fmt.Sprintf("/config was answered %d times in one request, and called again", served), "one call", sequence(r.ordinary()))
		case served == 1:
			s.passed(c.ID, r)
		}
	}
}

func judgeConfigData(s *sheet, c conformance.Check) {
	for x := range s.of(OpConfig) {
		data := x.Sent().At("data")
		switch wrong, expected := wrongSettings(data); {
		case !x.Sent().IsObject():
		case data.Present() && !data.IsObject():
			s.Fail(c.ID, conformance.Describe(data, "object"), "object", data, x)
		case wrong.Present():
			s.Fail(c.ID, conformance.Describe(wrong, expected), expected, wrong, x)
		default:
			s.Pass(c.ID, x)
		}
	}
}

// wrongSettings returns the first member of plugin settings with a wrong type, and the right type; expected is "" if there is
// none.
func wrongSettings(data jsonvalue.Value) (wrong jsonvalue.Value, expected string) {
	for _, name := range []string{"features", "options"} {
		list := data.At(name)
		if list.Given() && !list.IsArray() {
			return list, "array of strings"
		}
		for _, item := range list.Items() {
			if !item.IsText() {
				return item, "string"
			}
		}
	}
	if skip := data.At("skipDropOff"); skip.Given() && !skip.IsBool() {
		return skip, "boolean"
	}
	return jsonvalue.Value{}, ""
}

func judgeCredentials(s *sheet, c conformance.Check) {
	for _, x := range s.all {
		if x.Intent == IntentRedirected {
			continue
		}
		switch x.Shown {
		case conformance.CredsGiven, conformance.CredsOtherCap:
			s.Pass(c.ID, x)
		case conformance.CredsMissing:
			s.Fail(c.ID, "the call has no credentials", "the credentials that the platform was given", jsonvalue.Verbatim("none"), x)
		case conformance.CredsWrong:
			s.Fail(c.ID, "the call has other credentials", "the credentials that the platform was given", jsonvalue.Verbatim("others"), x)
		}
	}
}

// judgeCertificates requires that no call arrives with a certificate that nobody should
// trust. The control is a call with the good certificate.
func judgeCertificates(s *sheet, c conformance.Check) {
	secure := slices.ContainsFunc(s.all, func(x *conformance.Exchange) bool { return strings.HasPrefix(x.Request.URL, "https:") })
	for _, r := range s.requests {
		if !r.is(c.ID) {
			continue
		}
		switch {
		case r.with(IntentBadCert) != nil:
			s.failed(c.ID, r, "a call was made although the certificate is not valid: "+r.scene(), "no call: the handshake is ended by the caller", sequence(r.calls))
		case !secure:
			s.unclear(c.ID, r, conformance.NotServed, "no call came over https, so a refusal is no evidence")
		default:
			s.passed(c.ID, r)
		}
	}
}

func judgeRedirect(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		switch followed := r.with(IntentRedirected); {
		case r.with(IntentRedirect) == nil:
			s.unclear(c.ID, r, conformance.NotSeen, "a call that could be redirected")
		case followed != nil && followed.Shown != conformance.CredsMissing && followed.Shown != conformance.CredsNone:
			s.failed(c.ID, r, "the credentials were sent to the host that a redirect named", "no credentials there", followed.Request.Method+" "+followed.Request.URL)
		case followed != nil && followed.Sent().At("phoneNumber").HasText() && followed.Operation == OpBook:
			s.warned(c.ID, r, "the passenger's name, number and places were sent to the host that a redirect named", "no booking there", followed.Request.Method+" "+followed.Request.URL)
		case r.with(IntentRedirect).Shown == conformance.CredsNone:
			s.unclear(c.ID, r, conformance.NeedsAid, "--auth: no credentials are used")
		default:
			s.passed(c.ID, r)
		}
	})
}

func judgeVersions(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if !r.is(c.ID) || !s.playable(c.ID, r) {
			continue
		}
		if r.with(IntentOldTLS, IntentNewTLS) == nil {
			s.failed(c.ID, r, "no call arrived: "+r.scene(), "calls as over any other version", "nothing")
			continue
		}
		s.passed(c.ID, r)
	}
}
