package dispatchside

import (
	"maps"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

func badProbes() []probe {
	var all []probe
	for _, class := range slices.Sorted(maps.Keys(badForms)) {
		check := rules.BadChecksOf[class]
		all = append(all, probe{name: rules.ProbeBad.With(" " + check), checks: []string{check, "W-14"}, run: badInput, intent: class, long: class == rules.IntentBadHuge || class == rules.IntentBadLong})
	}
	return all
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

// badInput sends the bodies of one class to each operation, checks whether anything
// has changed, and then makes an ordinary call of each.
func badInput(c *testUser) {
	class := c.probe.intent
	c.ensureKnown()
	j := c.book()
	c.lookUp()
	for _, op := range []conformance.Operation{rules.OpConfig, rules.OpUser, rules.OpStatus, rules.OpCancel, rules.OpBook} {
		for _, b := range badForms[class](c, op, c.bodies(j)[op]) {
			x := c.send(client.Call{Op: op, Body: []byte(b.raw), Header: b.header(class), Intent: class, OwnConnection: true, MayHang: true})
			if op == rules.OpBook && rules.Served(x) {
				c.send(client.Call{Op: rules.OpStatus, Body: encode(object{"userId": c.userID, "journeyId": x.Reply().At("journeyId").Scalar()}), Intent: class})
			}
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
