package dispatchside

import (
	"maps"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func badProbes() []probe {
	var all []probe
	for _, class := range slices.Sorted(maps.Keys(badForms)) {
		check := rules.BadChecksOf[class]
		all = append(all, probe{name: rules.ProbeBad.With(" " + check), checks: []string{check, "W-14"}, run: badInput, intent: class, long: class == rules.IntentBadHuge || class == rules.IntentBadLong})
	}
	return append(all, probe{name: rules.ProbeBad.With(" BAD-12"), checks: ids("BAD-12 W-14"), run: hostileTexts, intent: rules.IntentBadScript, users: 3})
}

// bodies returns a valid body for each operation.
func (c *testUser) bodies(j *bookedJourney) map[conformance.Operation]object {
	return map[conformance.Operation]object{
		rules.OpConfig: {"data": object{"features": []string{"voice"}}},
		rules.OpUser:   {"phoneNumber": c.phone},
		rules.OpBook:   c.booking(),
		rules.OpStatus: j.ids(),
		rules.OpCancel: j.ids(),
	}
}

// bad sends a bad call on a connection of its own. If a booking was served, it also reads the journey.
func (c *testUser) bad(op conformance.Operation, b badBody) *conformance.Exchange {
	class := c.probe.intent
	x := c.send(client.Call{Op: op, Body: []byte(b.raw), Header: b.header(class), Intent: class, OwnConnection: true, MayHang: true})
	if op == rules.OpBook && rules.Served(x) && c.userID != "" {
		c.send(client.Call{Op: rules.OpStatus, Body: encode(object{"userId": c.userID, "journeyId": x.Reply().At("journeyId").Scalar()}), Intent: class})
	}
	return x
}

// hostileTexts sends each mark, a text with a meaning in SQL, in every text of every operation: for
// a new caller and one whom the server knows, in an edit, and in the ids of a journey.
func hostileTexts(c *testUser) {
	c.ensureKnown()
	j, changed := c.book(), c.book()
	c.lookUp()
	for i, mark := range rules.Marks {
		if i < len(c.probe.phones)-1 && len(c.target.Phones) == 0 {
			newcomer := c.anotherUser()
			newcomer.badTexts(newcomer.booking(), mark)
			if i == 0 { // one is enough: each may be a booking
				newcomer.badText(rules.OpBook, with(newcomer.booking(), object{"vehicleCategory": "X" + mark.Text}))
				c.badText(rules.OpBook, with(c.booking(), object{"userId": c.userID + mark.Text}))
			}
		}
		c.badTexts(c.booking(), mark)
		c.together(c.booking(), 2, object{"vehicleCategory": "X" + mark.Text}, object{"phoneNumber": c.phone + mark.Text})
		c.badTexts(changed.edited(nil), mark)
		c.badText(rules.OpConfig, object{"data": object{"note": mark.Text}})
		c.badText(rules.OpUser, object{"phoneNumber": c.phone + mark.Text})
		c.badText(rules.OpBook, changed.edited(object{"userId": c.userID + mark.Text}))
		c.badText(rules.OpBook, changed.edited(object{"journeyId": changed.id + mark.Text}))
		for _, ids := range []object{{"userId": c.userID, "journeyId": j.id + mark.Text}, {"userId": c.userID + mark.Text, "journeyId": j.id}} {
			c.badText(rules.OpStatus, ids)
			j = c.badCancel(j, ids)
		}
	}
	const any = "%" // for LIKE
	c.badText(rules.OpUser, object{"phoneNumber": any})
	c.badText(rules.OpStatus, object{"userId": c.userID, "journeyId": any})
	c.badText(rules.OpStatus, object{"userId": any, "journeyId": j.id})
	injected := object{"userId": c.userID, "journeyId": j.id + `' OR '1'='1'; DROP TABLE journeys; --`}
	c.badText(rules.OpStatus, injected)
	j = c.badCancel(j, injected)
	for _, b := range withLongerText(rules.OpBook, c.booking(), `<script>alert(1)</script>{{7*7}}${7*7}%s%n`) {
		c.bad(rules.OpBook, b)
	}
	c.lookUp()
	c.everyOperation(j)
}

// badCancel tries to cancel a journey with ids that name none, and reads it. It returns the
// journey, or a new one if the server says that it has cancelled it.
func (c *testUser) badCancel(j *bookedJourney, ids object) *bookedJourney {
	if rules.SaysCancelled(c.badText(rules.OpCancel, ids)) {
		return c.book()
	}
	j.status()
	return j
}

func (c *testUser) badText(op conformance.Operation, body object) *conformance.Exchange {
	return c.bad(op, badBody{raw: string(encode(body))})
}

// badTexts books or edits with a mark in all texts that a caller says or, if that is refused, only in the name.
func (c *testUser) badTexts(b object, mark rules.Mark) {
	pickup, stop := b["pickup"].(taxi.Address), b["dropoffs"].([]taxi.Address)[0]
	pickup.Address, stop.Address = pickup.Address+mark.Text, stop.Address+mark.Text
	c.together(b, 1, object{"name": c.name + mark.Text}, object{"pickup": pickup}, object{"dropoffs": []taxi.Address{stop}})
}

// together books or edits with several texts at once. If that fails, it tries each alone, so that
// the report names the member; if it is refused, only the first ones.
func (c *testUser) together(b object, first int, texts ...object) {
	whole := b
	for _, one := range texts {
		whole = with(whole, one)
	}
	switch x := c.badText(rules.OpBook, whole); {
	case x.RefusedCleanly():
		texts = texts[:first]
	case x.Succeeded():
		return
	}
	for _, one := range texts {
		c.badText(rules.OpBook, with(b, one))
	}
}

// badInput sends the bodies of one class to each operation, reads what they may have changed, and
// then makes an ordinary call of each.
func badInput(c *testUser) {
	class := c.probe.intent
	c.ensureKnown()
	j := c.book()
	c.lookUp()
	for _, op := range []conformance.Operation{rules.OpConfig, rules.OpUser, rules.OpStatus, rules.OpCancel, rules.OpBook} {
		for _, b := range badForms[class](c, op, c.bodies(j)[op]) {
			x := c.bad(op, b)
			if rules.SaysCancelled(x) {
				j = c.book()
			} else if op == rules.OpCancel {
				j.status()
			}
		}
	}
	c.lookUp()
	c.everyOperation(j)
}
