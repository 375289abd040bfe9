package conformance

import (
	"maps"
	"net/http"
	"slices"
)

func wireProbes() []probe {
	all := []probe{
		{name: probeMethods, checks: ids("W-07 W-14"), run: otherMethods},
		{name: probeSlashes, checks: ids("W-06"), run: doubledSlashes},
	}
	for _, intent := range slices.Sorted(maps.Keys(variants)) {
		v := variants[intent]
		all = append(all, probe{name: probeForm.with(" " + v.form), checks: []string{v.check}, run: formOfCall, intent: intent})
	}
	return all
}

// formOfCall makes one call of each operation in an unusual form.
func formOfCall(c *testUser) {
	intent := c.probe.intent
	if intent == intentHTTP2 && !c.run.offersHTTP2 {
		return // the server does not offer it, and need not
	}
	c.ensureKnown()
	for range repeats(intent) {
		c.inForm(OpConfig, object{"data": object{"features": []string{"voice"}}}, intent)
		c.inForm(OpUser, object{"phoneNumber": c.phone}, intent)
		x := c.inForm(OpBook, c.booking(), intent)
		if !served(x) {
			c.block(NotServed, "a booking %s was not served: %s", variants[intent].form, clip(answer(x).show(), 120))
			return
		}
		j := &bookedJourney{id: x.Reply().at("journeyId").scalar(), user: c}
		c.inForm(OpStatus, j.ids(), intent)
		if intent == intentScripts {
			c.inForm(OpUser, object{"phoneNumber": c.phone}, intent)
		}
		c.inForm(OpCancel, j.ids(), intent)
	}
}

// repeats returns how often a form is tried: a kept-alive connection is one that
// serves ten calls.
func repeats(intent Intent) int {
	if intent == intentKeepAlive {
		return 2
	}
	return 1
}

// inForm makes a sound call in an unusual form.
func (c *testUser) inForm(op Operation, body object, intent Intent) *Exchange {
	usual := body
	l := call{op: op, intent: intent, sound: true, header: http.Header{}}
	switch intent {
	case intentExtra:
		body = c.withStrangers(op, body)
	case intentCharset:
		l.header.Set("Content-Type", "application/json; charset=utf-8")
	case intentAccept:
		l.header["Accept"] = nil
		if op == OpUser || op == OpCancel {
			l.header.Set("Accept", "*/*")
		}
	case intentFraming:
		l.chunked = true
	case intentHTTP2:
		l.http2 = true
	case intentGzip:
		l.header.Set("Accept-Encoding", "gzip")
	case intentScripts:
		body = c.inScripts(op, body)
	case intentNulls:
		body = withNulls(op, body)
	}
	l.body = encode(body)
	x := c.send(l)
	if !x.succeeded() && c.canContinue() {
		c.send(call{op: op, body: encode(usual), sound: true}) // is it the form, or the call?
	}
	return x
}

// withStrangers adds fields that the interface does not have.
func (c *testUser) withStrangers(op Operation, body object) object {
	body = with(body, object{"x_" + c.uniqueText(): object{"deep": []any{1, "two", nil}}, "extra": c.uniqueText()})
	if op == OpBook {
		p := c.place()
		body["pickup"] = object{"address": p.Address, "floor": 3, "location": object{
			"longitude": p.Location.Longitude, "latitude": p.Location.Latitude, "accuracy": 5,
		}}
	}
	return body
}

// scripts holds characters that are often lost between character sets.
const scripts = "Zoë O’Brien-Łukasz D'Arcy & Söhne شارع ١٢ 東京 🚕 «’»"

func (c *testUser) inScripts(op Operation, body object) object {
	switch op {
	case OpConfig, OpUser:
		return with(body, object{"data": object{"greeting": scripts}})
	case OpStatus, OpCancel:
		return body // it has no room for text; the answer shows that of the booking
	}
	p := c.place()
	p.Address = scripts + " " + p.Address
	return with(body, object{"name": c.name + " " + scripts, "pickup": p})
}

// withNulls sends null for what is optional.
func withNulls(op Operation, body object) object {
	body = maps.Clone(body)
	body["data"] = nil // for /cancel and /status a field that they do not know
	if op == OpBook {
		body["journeyId"], body["vehicleCategory"] = nil, nil
	}
	return body
}

func otherMethods(c *testUser) {
	c.ensureKnown()
	j := c.book()
	bodies := map[Operation]object{
		OpConfig: {}, OpUser: {"phoneNumber": c.phone}, OpBook: c.booking(), OpStatus: j.ids(), OpCancel: j.ids(),
	}
	for _, op := range Operations() {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
			c.send(call{op: op, method: method, body: encode(bodies[op]), intent: intentMethod})
		}
	}
	c.everyOperation(j)
}

func doubledSlashes(c *testUser) {
	c.ensureKnown()
	j := c.book()
	bodies := map[Operation]object{
		OpConfig: {}, OpUser: {"phoneNumber": c.phone}, OpBook: c.booking(), OpStatus: j.ids(), OpCancel: j.ids(),
	}
	for _, op := range []Operation{OpConfig, OpUser, OpBook, OpStatus, OpCancel} {
		c.send(call{op: op, path: "/" + op.Path(), body: encode(bodies[op]), intent: intentSlashes})
	}
	if x := c.run.lastOf(c.probe.name, OpCancel); saysCancelled(x) {
		j = c.book()
	}
	c.everyOperation(j)
}

// everyOperation makes an ordinary call of each operation, to check that the server
// still serves calls after those that it had to refuse.
func (c *testUser) everyOperation(j *bookedJourney) {
	c.config(object{})
	c.lookUp()
	c.book()
	j.status()
	j.cancel()
}
