package dispatchside

import (
	"maps"
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

func wireProbes() []probe {
	all := []probe{
		{name: rules.ProbeMethods, checks: ids("W-07 W-14"), run: otherMethods},
		{name: rules.ProbeSlashes, checks: ids("W-06"), run: doubledSlashes},
	}
	for _, intent := range slices.Sorted(maps.Keys(rules.Variants)) {
		v := rules.Variants[intent]
		all = append(all, probe{name: rules.ProbeForm.With(" " + v.Form), checks: []string{v.Check}, run: formOfCall, intent: intent})
	}
	return all
}

// formOfCall makes one call of each operation in an unusual form.
func formOfCall(c *testUser) {
	intent := c.probe.intent
	if intent == rules.IntentHTTP2 && !c.run.OffersHTTP2 {
		return // optional, and the server does not support it
	}
	c.ensureKnown()
	for range repeats(intent) {
		c.inForm(rules.OpConfig, object{"data": object{"features": []string{"voice"}}}, intent)
		c.inForm(rules.OpUser, object{"phoneNumber": c.phone}, intent)
		x := c.inForm(rules.OpBook, c.booking(), intent)
		if !rules.Served(x) {
			c.block(refusalOf(x), "a booking %s was not served: %s", rules.Variants[intent].Form, jsonvalue.Clip(conformance.Answer(x).Show(), 120))
			return
		}
		j := &bookedJourney{id: x.Reply().At("journeyId").Scalar(), user: c}
		c.inForm(rules.OpStatus, j.ids(), intent)
		if intent == rules.IntentScripts {
			c.inForm(rules.OpUser, object{"phoneNumber": c.phone}, intent)
		}
		c.inForm(rules.OpCancel, j.ids(), intent)
	}
}

// repeats returns how many rounds of calls test a form: two for kept-alive connections, which must
// serve ten calls.
func repeats(intent conformance.Intent) int {
	if intent == rules.IntentKeepAlive {
		return 2
	}
	return 1
}

// inForm makes a valid call in an unusual form, and repeats it in its usual form if it failed.
func (c *testUser) inForm(op conformance.Operation, body object, intent conformance.Intent) *conformance.Exchange {
	usual := body
	l := client.Call{Op: op, Intent: intent, Sound: true, Header: http.Header{}}
	switch intent {
	case rules.IntentExtra:
		body = c.withStrangers(op, body)
	case rules.IntentCharset:
		l.Header.Set("Content-Type", "application/json; charset=utf-8")
	case rules.IntentAccept:
		l.Header["Accept"] = nil
		if op == rules.OpUser || op == rules.OpCancel {
			l.Header.Set("Accept", "*/*")
		}
	case rules.IntentFraming:
		l.Chunked = true
	case rules.IntentHTTP2:
		l.Http2 = true
	case rules.IntentGzip:
		l.Header.Set("Accept-Encoding", "gzip")
	case rules.IntentScripts:
		body = c.inScripts(op, body)
	case rules.IntentNulls:
		body = withNulls(op, body)
	}
	l.Body = encode(body)
	x := c.send(l)
	if !x.Succeeded() && c.canContinue() {
		c.send(client.Call{Op: op, Body: encode(usual), Sound: true}) // shows whether the form or the call itself was refused
	}
	return x
}

// withStrangers returns a body with additional fields that the interface does not define.
func (c *testUser) withStrangers(op conformance.Operation, body object) object {
	body = with(body, object{"x_" + c.uniqueText(): object{"deep": []any{1, "two", nil}}, "extra": c.uniqueText()})
	if op == rules.OpBook {
		p := c.place()
		body["pickup"] = object{"address": p.Address, "floor": 3, "location": object{
			"longitude": p.Location.Longitude, "latitude": p.Location.Latitude, "accuracy": 5,
		}}
	}
	return body
}

// scripts holds characters that are often lost in conversions between character sets. It has none that ends a
// text in SQL: BAD-12 sends those.
const scripts = "Zoë O’Brien-Łukasz Darcy & Söhne \"Bo\" <3> 2+3 %41 شارع ١٢ 東京 🚕 «’»"

func (c *testUser) inScripts(op conformance.Operation, body object) object {
	switch op {
	case rules.OpConfig, rules.OpUser:
		return with(body, object{"data": object{"greeting": scripts}})
	case rules.OpStatus, rules.OpCancel:
		return body // no free text here; the answer shows the text of the booking
	}
	p := c.place()
	p.Address = scripts + " " + p.Address
	return with(body, object{"name": c.name + " " + scripts, "pickup": p})
}

// withNulls returns a body with null for its optional members.
func withNulls(op conformance.Operation, body object) object {
	body = maps.Clone(body)
	body["data"] = nil // for /cancel and /status a field that they do not know
	if op == rules.OpBook {
		body["journeyId"], body["vehicleCategory"] = nil, nil
	}
	return body
}

// otherMethods makes calls with methods other than POST, each on its own connection: a
// server that refuses one without reading its body would parse the body as the next call,
// possibly that of another probe.
func otherMethods(c *testUser) {
	c.ensureKnown()
	j := c.book()
	bodies := c.bodies(j)
	for _, op := range rules.Operations() {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
			c.send(client.Call{Op: op, Method: method, Body: encode(bodies[op]), Intent: rules.IntentMethod, OwnConnection: true})
		}
	}
	c.everyOperation(j)
}

func doubledSlashes(c *testUser) {
	c.ensureKnown()
	j := c.book()
	bodies := c.bodies(j)
	for _, op := range []conformance.Operation{rules.OpConfig, rules.OpUser, rules.OpBook, rules.OpStatus, rules.OpCancel} {
		c.send(client.Call{Op: op, Path: "/" + op.Path(), Body: encode(bodies[op]), Intent: rules.IntentSlashes})
	}
	if x := c.run.lastOf(c.probe.name, rules.OpCancel); rules.SaysCancelled(x) {
		j = c.book()
	}
	c.everyOperation(j)
}

// everyOperation makes an ordinary call of each operation, to check that the server still
// serves calls after those that it refused.
func (c *testUser) everyOperation(j *bookedJourney) {
	c.config(object{})
	c.lookUp()
	c.book()
	j.status()
	j.cancel()
}
