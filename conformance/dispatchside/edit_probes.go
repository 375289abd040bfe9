package dispatchside

import (
	"time"

	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func editProbes() []probe {
	return []probe{
		{name: rules.ProbeEdits, checks: ids("BOK-16 BOK-17 BOK-18 BOK-19 BOK-20"), run: edits},
		{name: rules.ProbeUnknownJourneys, checks: ids("BOK-21 CAN-05 STA-07"), run: unknownJourneys},
		{name: rules.ProbeStrangers, checks: ids("BOK-22 CAN-06 STA-08"), users: 2, run: strangers},
	}
}

func edits(c *testUser) {
	c.ensureKnown()
	j := c.book()
	j.status()
	for _, changes := range []object{
		{"pickup": c.place()},
		{"dropoffs": []taxi.Address{c.place(), c.place()}},
		{"pickupTime": c.pickup().Add(2 * time.Hour).Format(time.RFC3339)},
	} {
		j.edit(changes)
		j.status()
		c.lookUp()
	}
	j.cancel()
	j.status()
}

func unknownJourneys(c *testUser) {
	c.ensureKnown()
	no := object{"userId": c.userID, "journeyId": "no-such-journey-" + c.uniqueText()}
	c.tryBook(with(c.booking(), no), rules.IntentUnknown)
	c.post(rules.OpStatus, no, rules.IntentUnknown)
	c.post(rules.OpCancel, no, rules.IntentUnknown)
	j := c.book()
	c.lookUp()
	j.status()
	j.cancel()
}

// strangers lets one end user try to read, edit and cancel another's journey.
func strangers(a *testUser) {
	b := a.anotherUser()
	a.ensureKnown()
	b.ensureKnown()
	j := a.book()
	foreign := object{"userId": b.userID, "journeyId": j.id}
	a.post(rules.OpStatus, foreign, rules.IntentForeign)
	a.post(rules.OpCancel, foreign, rules.IntentForeign)
	j.status()
	a.tryBook(with(b.booking(), foreign), rules.IntentForeign)
	longer := object{"userId": a.userID + "x", "journeyId": j.id} // 37x is not 37
	a.post(rules.OpStatus, longer, rules.IntentForeign)
	a.post(rules.OpCancel, longer, rules.IntentForeign)
	j.status()
	a.tryBook(with(a.booking(), longer), rules.IntentForeign)
	b.tryBook(with(b.booking(), object{"userId": longer["userId"]}), rules.IntentForeign)
	a.lookUp()
	j.edit(object{"dropoffs": []taxi.Address{a.place()}}) // its own user's is served
	j.cancel()
}
