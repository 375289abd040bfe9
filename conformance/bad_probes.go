package conformance

import (
	"maps"
	"slices"
)

func badProbes() []probe {
	var all []probe
	for _, class := range slices.Sorted(maps.Keys(badForms)) {
		check := badChecksOf[class]
		all = append(all, probe{name: probeBad.with(" " + check), checks: []string{check, "W-14"}, run: badInput, intent: class})
	}
	return all
}

// bodies returns a sound body for each operation.
func (c *testUser) bodies(j *bookedJourney) map[Operation]object {
	return map[Operation]object{
		OpConfig: {"data": object{"features": []string{"voice"}}},
		OpUser:   {"phoneNumber": c.phone},
		OpBook:   c.booking(),
		OpStatus: j.ids(),
		OpCancel: j.ids(),
	}
}

// badInput sends the bodies of one class to each operation, looks whether
// anything has changed, and then makes an ordinary call of each.
func badInput(c *testUser) {
	class := c.probe.intent
	c.ensureKnown()
	j := c.book()
	c.lookUp()
	for _, op := range []Operation{OpConfig, OpUser, OpStatus, OpCancel, OpBook} {
		for _, b := range badForms[class](c, op, c.bodies(j)[op]) {
			x := c.send(call{op: op, body: []byte(b.raw), header: b.header(class), intent: class, ownConnection: true, mayHang: true})
			if op == OpBook && served(x) {
				c.send(call{op: OpStatus, body: encode(object{"userId": c.userID, "journeyId": x.Reply().at("journeyId").scalar()}), intent: class})
			}
			if saysCancelled(x) {
				j = c.book()
			} else if op == OpCancel {
				j.status()
			}
		}
	}
	c.lookUp()
	c.everyOperation(j)
}
