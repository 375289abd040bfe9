package conformance

import (
	"net/url"
	"strings"
	"time"
)

func securityProbes() []*probe {
	return []*probe{
		{name: "no credentials", covers: "SEC-05 SEC-07 SEC-10", tell: func(c *caller) { strangersCalls(c, credsMissing, intentNoCreds) }},
		{name: "wrong credentials", covers: "SEC-06 SEC-07", tell: func(c *caller) { strangersCalls(c, credsWrong, intentWrongCreds) }},
		{name: "scheme in other capitals", covers: "SEC-08", tell: schemeCase},
		{name: "refusals compared", covers: "SEC-09 SEC-10", users: 2, tell: lookAlike},
		{name: "injected lines", covers: "SEC-12", tell: injectedLines},
		{name: "plain http", covers: "SEC-03", tell: plainHTTP},
		{name: "over the wire", covers: "SEC-01 SEC-02 SEC-04", tell: goldenCall},
	}
}

// strangersCalls makes a sound call of each operation without the right
// credentials, and looks whether anything has changed.
func strangersCalls(c *caller, creds Credentials, intent Intent) {
	if _, certificate := c.target.ownCertificate(); c.target.Auth == nil && !certificate {
		c.block(lacking+"credentials that can be left out or changed: %s", HookAuth.Flags())
	}
	c.settle()
	j := c.book()
	c.look()
	bodies := c.bodies(j)
	for _, op := range []Operation{OpConfig, OpUser, OpStatus, OpBook, OpCancel} {
		c.send(letter{op: op, body: encode(bodies[op]), creds: creds, intent: intent})
	}
	c.look()
	if x := c.run.lastOf(c.probe.name, OpCancel); saysCancelled(x) {
		j = c.book()
	}
	j.status()
	c.everyOperation(j)
}

func schemeCase(c *caller) {
	if !c.run.hasScheme() {
		c.block(lacking + "credentials with a scheme: --auth bearer:… or basic:…")
	}
	c.send(letter{op: OpConfig, body: encode(object{}), creds: credsOtherCap, intent: intentSchemeCase})
	c.config(object{})
}

// lookAlike asks for a journey that does not exist and for somebody else's.
func lookAlike(a *caller) {
	b := a.another()
	a.settle()
	b.settle()
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

func injectedLines(c *caller) {
	c.settle()
	j := c.book()
	for _, op := range Operations() {
		for _, b := range retexted(op, c.bodies(j)[op], injected) {
			c.send(letter{op: op, body: []byte(b.raw), intent: intentInjected})
		}
	}
	j.status()
	c.everyOperation(j)
}

// plainHTTP calls the same host without TLS, and shows no credentials there: the
// port that http:// alone leads to when the server has the port of https, and
// otherwise its own, which a slip of one letter leads to.
func plainHTTP(c *caller) {
	const soon = 2 * time.Second // a port that a firewall swallows is closed, too
	u, err := url.Parse(c.target.URL)
	if err != nil || u.Scheme != "https" {
		c.block("%s", lacking+"an https address")
		return
	}
	c.config(object{})
	host := u.Host
	if u.Port() == "443" {
		host = strings.TrimSuffix(host, ":443")
	}
	c.send(letter{
		op: OpConfig, body: encode(object{}), base: "http://" + host + u.Path, creds: credsMissing, intent: intentPlainHTTP,
		alone: true, within: soon,
	})
	c.config(object{})
}
