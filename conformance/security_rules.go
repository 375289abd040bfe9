package conformance

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// refusable are the intents of calls that a server refuses for who made them.
var refusable = map[Intent]bool{intentNoCreds: true, intentWrongCreds: true}

// credsChecks names the check that a call with other credentials belongs to.
var credsChecks = map[Intent]struct{ check, what string }{
	intentNoCreds:    {"SEC-05", "a call without credentials"},
	intentWrongCreds: {"SEC-06", "a call with wrong credentials"},
}

// judgeSecurity judges one call by how it was secured and who made it.
func judgeSecurity(x *Exchange, s *findings) {
	if c, ok := credsChecks[x.Intent]; ok {
		judgeStranger(c.check, c.what, x, s)
		return
	}
	switch x.Intent {
	case intentSchemeCase:
		s.want("SEC-08", x.succeeded(), answer(x), "served: the scheme's name is the same in any capitals", x)
	case intentPlainHTTP:
		judgePlain(x, s)
		return
	case intentInjected:
		judgeInjected(x, s)
	}
	if x.Response != nil && x.Response.TLS != nil {
		judgeTLS(x, s)
	}
	if x.Probe != probeOverTheWire {
		return
	}
	judgeScheme(x, s)
	switch {
	case x.succeeded():
		s.pass("SEC-04", x)
	case x.code() == http.StatusUnauthorized || x.code() == http.StatusForbidden:
		s.fail("SEC-04", "the credentials given were refused by "+x.Operation.Path(), "served", answer(x), x)
	}
}

func judgeScheme(x *Exchange, s *findings) {
	u, err := url.Parse(x.Request.URL)
	switch {
	case err != nil:
	case u.Scheme == "https":
		s.pass("SEC-01", x)
	case !isLoopback(u.Hostname()):
		s.fail("SEC-01", "the operations are reached over plain http", "https", verbatim(u.Scheme+"://"+u.Host), x)
	}
}

// fortnight is how much life a certificate should have left.
const fortnight = 14 * 24 * time.Hour

func judgeTLS(x *Exchange, s *findings) {
	t := x.Response.TLS
	got := verbatim(fmt.Sprintf("%s, certificate until %s", t.Version, t.NotAfter.UTC().Format(time.DateOnly)))
	switch {
	case !t.Modern:
		s.fail("SEC-02", "the connection uses "+t.Version, "TLS 1.2 or later", got, x)
	case !t.Verified:
		s.unverified("SEC-02", NotApplicable, "the run was told not to verify the server's certificate", x)
	case t.NotAfter.Sub(x.Started) < fortnight:
		s.fail("SEC-02", "the certificate runs out within 14 days", "14 days or more", got, x)
	default:
		s.pass("SEC-02", x)
	}
}

func judgePlain(x *Exchange, s *findings) {
	switch code := x.code(); {
	case code == http.StatusUnauthorized:
		s.warn("SEC-03", "plain http asks for credentials: they would travel in the clear, and may well be accepted", "closed, or 4xx to everybody", answer(x), x)
	case code == 0 || code >= 400:
		s.refused("SEC-03", x)
	case code >= 300:
		s.warn("SEC-03", "plain http is answered with a redirect: by then the call has travelled in the clear", "closed, or 4xx", answer(x), x)
	default:
		s.fail("SEC-03", "plain http is served", "closed, or 4xx", answer(x), x)
	}
}

func judgeStranger(check, what string, x *Exchange, s *findings) {
	switch {
	case x.Response == nil && strings.HasPrefix(x.Request.URL, "https:"), x.refusedCleanly():
		s.refused(check, x) // without a client certificate the handshake already fails
	case x.succeeded():
		s.fail(check, fmt.Sprintf("%s of %s was served", what, x.Operation.Path()), "401", answer(x), x)
	default:
		s.fail(check, fmt.Sprintf("%s of %s was not refused cleanly", what, x.Operation.Path()), "401", answer(x), x)
	}
}

func judgeInjected(x *Exchange, s *findings) {
	switch {
	case x.Response == nil || x.code() >= 500:
		s.fail("SEC-12", "a line break in a string was not answered cleanly", "4xx, or kept as data", answer(x), x)
	case x.Response.Header.Get("X-Injected") != "":
		s.fail("SEC-12", "a line of a string became a header of the reply", "no such header", verbatim("X-Injected: "+x.Response.Header.Get("X-Injected")), x)
	default:
		s.pass("SEC-12", x)
	}
}

// judgeStrangersView judges what refusals let a stranger find out: whether a
// journey exists, and whose it is.
func (r *tracker) judgeStrangersView(history []*Exchange) {
	type key struct {
		probe ProbeName
		op    Operation
	}
	unknown := map[key]*Exchange{}
	for _, x := range history {
		switch x.Intent {
		case intentNoSuch:
			unknown[key{x.Probe, x.Operation}] = x
		case intentNotYours:
			if u := unknown[key{x.Probe, x.Operation}]; u != nil && u.refusedCleanly() && x.refusedCleanly() {
				r.judgeAlike(u, x)
			}
		}
	}
}

func (r *tracker) judgeAlike(unknown, foreign *Exchange) {
	switch {
	case unknown.code() != foreign.code():
		r.fail("SEC-09", fmt.Sprintf("an unknown journey is answered %d, somebody else's %d", unknown.code(), foreign.code()),
			"the same answer to both", answer(foreign), unknown, foreign)
	case !reflect.DeepEqual(gist(unknown), gist(foreign)):
		r.warn("SEC-09", "an unknown journey and somebody else's are refused in other words", answer(unknown).show(), answer(foreign), unknown, foreign)
	default:
		r.pass("SEC-09", unknown, foreign)
	}
}

// gist is what a refusal says, without the ids that differ from call to call.
func gist(x *Exchange) map[string]string {
	said := map[string]string{}
	object, _ := x.Reply().raw().(map[string]any)
	for key := range object {
		if key == "instance" || strings.Contains(strings.ToLower(key), "id") || strings.Contains(strings.ToLower(key), "time") {
			continue
		}
		said[key] = strings.ReplaceAll(x.Reply().at(key).show(), x.Sent().at("journeyId").scalar(), "")
	}
	return said
}

// secretive are the intents of calls whose refusal must not show anything.
var secretive = []Intent{intentNoCreds, intentWrongCreds, intentNotYours, intentForeign}

// judgeSecured judges that what is refused to strangers does not show up in the
// refusal: no text of a booking of the same probe that they did not send
// themselves, and no credentials.
func (r *tracker) judgeSecured(history []*Exchange) {
	private := map[ProbeName][]string{}
	for _, x := range history {
		if x.Operation == OpBook && served(x) && x.Probe != "" {
			private[x.Probe] = append(private[x.Probe], privateIn(x.Sent())...)
		}
	}
	for _, x := range history {
		if !slices.Contains(secretive, x.Intent) || x.Response == nil || x.code() < 400 {
			continue
		}
		said := string(x.Response.Body)
		leak := slices.IndexFunc(private[x.Probe], func(s string) bool {
			return strings.Contains(said, s) && !strings.Contains(string(x.Request.Body), s)
		})
		switch {
		case x.Response.Echoes:
			r.fail("SEC-10", "the refusal repeats the caller's credentials", "a short sentence", verbatim("(not shown here)"), x)
		case leak >= 0:
			r.fail("SEC-10", "the refusal shows whose journey it is", "a short sentence", answer(x), x)
		default:
			r.refused("SEC-10", x)
		}
	}
}

// privateIn lists what of a booking is nobody else's business.
func privateIn(sent value) []string {
	var texts []string
	for _, v := range []value{sent.at("name"), sent.at("phoneNumber"), sent.at("pickup").at("address")} {
		if v.hasText() {
			texts = append(texts, strings.TrimPrefix(v.text(), "+"))
		}
	}
	return texts
}

// judgeGuessable records whether ids count up: whether most of them are one more
// than another.
func (r *tracker) judgeGuessable(history []*Exchange) {
	seen := map[string]bool{}
	var last *Exchange
	for _, x := range history {
		if id := x.Reply().at("journeyId").scalar(); x.Operation == OpBook && served(x) && !isEdit(x) && id != "" {
			seen[id], last = true, x
		}
	}
	if len(seen) < 5 {
		return
	}
	neighbours := 0
	for id := range seen {
		if after, ok := successor(id); ok && seen[after] {
			neighbours++
		}
	}
	if neighbours*2 > len(seen) {
		r.observe("SEC-11", fmt.Sprintf("journeyIds count up: %d of %d are one more than another", neighbours, len(seen)), last)
	} else {
		r.observe("SEC-11", fmt.Sprintf("no pattern in %d journeyIds", len(seen)), last)
	}
}

// successor adds one to the number that an id ends with.
func successor(id string) (string, bool) {
	head := strings.TrimRight(id, "0123456789")
	tail := id[len(head):]
	n, err := strconv.ParseUint(tail, 10, 63)
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("%s%0*d", head, len(tail), n+1), true
}

// isLoopback reports a host that is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
