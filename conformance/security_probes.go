package conformance

import (
	"net/url"
	"strings"
	"time"
)

func securityProbes() []probe {
	return []probe{
		{name: probeNoCredentials, checks: ids("SEC-05 SEC-07 SEC-10"), run: strangersCalls, aid: AidAuth, intent: intentNoCreds},
		{name: probeWrongCredentials, checks: ids("SEC-06 SEC-07"), run: strangersCalls, aid: AidAuth, intent: intentWrongCreds},
		{name: probeSchemeCase, checks: ids("SEC-08"), run: schemeCase, aid: AidAuth},
		{name: probeRefusals, checks: ids("SEC-09 SEC-10"), users: 2, run: lookAlike},
		{name: probeInjectedLines, checks: ids("SEC-12"), run: injectedLines},
		{name: probePlainHTTP, checks: ids("SEC-03"), run: plainHTTP},
		{name: probeOverTheWire, checks: ids("SEC-01 SEC-02 SEC-04"), run: goldenCall},
	}
}

// strangersCalls makes a valid call of each operation without the right credentials,
// and looks whether anything has changed.
func strangersCalls(c *testUser) {
	intent := c.probe.intent
	creds := map[Intent]Credentials{intentNoCreds: credsMissing, intentWrongCreds: credsWrong}[intent]
	if !c.run.lent(AidAuth) {
		c.blockFor(needs(AidAuth, "credentials that can be left out or changed"))
	}
	c.ensureKnown()
	j := c.book()
	c.lookUp()
	bodies := c.bodies(j)
	for _, op := range []Operation{OpConfig, OpUser, OpStatus, OpBook, OpCancel} {
		c.send(call{op: op, body: encode(bodies[op]), creds: creds, intent: intent})
	}
	c.lookUp()
	if x := c.run.lastOf(c.probe.name, OpCancel); saysCancelled(x) {
		j = c.book()
	}
	j.status()
	c.everyOperation(j)
}

func schemeCase(c *testUser) {
	if !c.run.hasScheme() {
		c.blockFor(needs(AidAuth, "credentials with a scheme, such as bearer or basic"))
	}
	c.send(call{op: OpConfig, body: encode(object{}), creds: credsOtherCap, intent: intentSchemeCase})
	c.config(object{})
}

// lookAlike asks for a journey that does not exist and for somebody else's.
func lookAlike(a *testUser) {
	b := a.anotherUser()
	a.ensureKnown()
	b.ensureKnown()
	j := a.book()
	for _, op := range []Operation{OpStatus, OpCancel} {
		a.post(op, object{"userId": b.userID, "journeyId": unlike(j.id)}, intentNoSuch)
		a.post(op, object{"userId": b.userID, "journeyId": j.id}, intentNotYours)
	}
	j.status()
	j.cancel()
}

// unlike makes an id of the same form that nobody has given out.
func unlike(id string) string { return twist(twist(twist(id))) + "0" }

// injected is a line break and what would be a header.
const injected = "\r\nX-Injected: yes\r\n\r\n"

func injectedLines(c *testUser) {
	c.ensureKnown()
	j := c.book()
	for _, op := range Operations() {
		for _, b := range retexted(op, c.bodies(j)[op], injected) {
			c.send(call{op: op, body: []byte(b.raw), intent: intentInjected})
		}
	}
	j.status()
	c.everyOperation(j)
}

// plainHTTP calls the same host without TLS and without credentials: on port 80 if the
// server has the port of https, and otherwise on its own port, which a wrong scheme in
// an address leads to.
func plainHTTP(c *testUser) {
	const soon = 2 * time.Second // a port that a firewall swallows is closed, too
	u, err := url.Parse(c.target.URL)
	if err != nil || u.Scheme != "https" {
		c.blockFor(needs(AidHTTPS, "an https address"))
		return
	}
	c.config(object{})
	host := u.Host
	if u.Port() == "443" {
		host = strings.TrimSuffix(host, ":443")
	}
	c.send(call{
		op: OpConfig, body: encode(object{}), base: "http://" + host + u.Path, creds: credsMissing, intent: intentPlainHTTP,
		ownConnection: true, within: soon,
	})
	c.config(object{})
}
