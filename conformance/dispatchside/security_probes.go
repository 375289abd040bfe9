package dispatchside

import (
	"net/url"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/redact"
)

func securityProbes() []probe {
	return []probe{
		{name: rules.ProbeNoCredentials, checks: ids("SEC-05 SEC-07 SEC-10"), run: strangersCalls, aid: conformance.AidAuth, intent: rules.IntentNoCreds},
		{name: rules.ProbeWrongCredentials, checks: ids("SEC-06 SEC-07"), run: strangersCalls, aid: conformance.AidAuth, intent: rules.IntentWrongCreds},
		{name: rules.ProbeSchemeCase, checks: ids("SEC-08"), run: schemeCase, aid: conformance.AidAuth},
		{name: rules.ProbeRefusals, checks: ids("SEC-09 SEC-10"), users: 2, run: lookAlike},
		{name: rules.ProbeInjectedLines, checks: ids("SEC-12"), run: injectedLines},
		{name: rules.ProbePlainHTTP, checks: ids("SEC-03"), run: plainHTTP},
		{name: rules.ProbeOverTheWire, checks: ids("SEC-01 SEC-02 SEC-04"), run: goldenCall},
	}
}

// strangersCalls makes a valid call of each operation without the right credentials, and reads what
// that may have changed.
func strangersCalls(c *testUser) {
	intent := c.probe.intent
	if !c.run.has(conformance.AidAuth) {
		c.blockFor(conformance.Needs(conformance.AidAuth, "credentials that can be left out or changed"))
	}
	c.ensureKnown()
	j := c.book()
	c.lookUp()
	bodies := c.bodies(j)
	for _, creds := range c.foreign(intent) {
		for _, op := range []conformance.Operation{rules.OpConfig, rules.OpUser, rules.OpStatus, rules.OpBook, rules.OpCancel} {
			c.send(client.Call{Op: op, Body: encode(bodies[op]), Creds: creds, Intent: intent})
		}
	}
	c.lookUp()
	if x := c.run.lastOf(c.probe.name, rules.OpCancel); rules.SaysCancelled(x) {
		j = c.book()
	}
	j.status()
	c.everyOperation(j)
}

// foreign returns the kinds of credentials that a stranger sends: none, or wrong ones. CredsNear
// does not apply to certificates.
func (c *testUser) foreign(intent conformance.Intent) []conformance.Credentials {
	switch {
	case intent == rules.IntentNoCreds:
		return []conformance.Credentials{conformance.CredsMissing}
	case c.target.Auth == nil:
		return []conformance.Credentials{conformance.CredsWrong}
	}
	return []conformance.Credentials{conformance.CredsWrong, conformance.CredsNear}
}

func schemeCase(c *testUser) {
	if !c.run.HasScheme() {
		c.blockFor(conformance.Needs(conformance.AidAuth, "credentials with a scheme, such as bearer or basic"))
	}
	c.send(client.Call{Op: rules.OpConfig, Body: encode(object{}), Creds: conformance.CredsOtherCap, Intent: rules.IntentSchemeCase})
	c.config(object{})
}

// lookAlike tries to read and cancel an unknown journey and another user's.
func lookAlike(a *testUser) {
	b := a.anotherUser()
	a.ensureKnown()
	b.ensureKnown()
	j := a.book()
	for _, op := range []conformance.Operation{rules.OpStatus, rules.OpCancel} {
		a.post(op, object{"userId": b.userID, "journeyId": unlike(j.id)}, rules.IntentNoSuch)
		a.post(op, object{"userId": b.userID, "journeyId": j.id}, rules.IntentNotYours)
	}
	j.status()
	j.cancel()
}

// unlike returns an unused id of the same form as an id.
func unlike(id string) string { return redact.Twist(redact.Twist(redact.Twist(id))) + "0" }

// injected is a line break followed by a header line.
const injected = "\r\nX-Injected: yes\r\n\r\n"

func injectedLines(c *testUser) {
	c.ensureKnown()
	j := c.book()
	for _, op := range rules.Operations() {
		for _, b := range withLongerText(op, c.bodies(j)[op], injected) {
			c.send(client.Call{Op: op, Body: []byte(b.raw), Intent: rules.IntentInjected})
		}
	}
	j.status()
	c.everyOperation(j)
}

// plainHTTP calls the same host without TLS and without credentials: on port 80 if the
// server uses the https port, and otherwise on its own port, as with a wrong scheme in the
// address.
func plainHTTP(c *testUser) {
	const soon = 2 * time.Second // a port behind a firewall counts as closed
	u, err := url.Parse(c.target.URL)
	if err != nil || u.Scheme != "https" {
		c.blockFor(conformance.Needs(conformance.AidHTTPS, "an https address"))
		return
	}
	c.config(object{})
	host := u.Host
	if u.Port() == "443" {
		host = strings.TrimSuffix(host, ":443")
	}
	c.send(client.Call{
		Op: rules.OpConfig, Body: encode(object{}), Base: "http://" + host + u.Path, Creds: conformance.CredsMissing, Intent: conformance.IntentPlainHTTP,
		OwnConnection: true, Within: soon,
	})
	c.config(object{})
}
