package dispatchside

import (
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func journeyProbes() []probe {
	return []probe{
		{
			name: rules.ProbeGoldenCall, run: goldenCall, phase: first,
			checks: ids("JRN-01 W-01 W-02 W-03 W-13 W-15 W-17 USR-01 USR-02 USR-03 USR-06 USR-07 BOK-03 BOK-04 BOK-05 BOK-06 BOK-12 CAN-01 STA-01 STA-02 STA-03"),
		},
		{name: rules.ProbeMinimum, checks: ids("JRN-02 CAN-02"), run: minimumFunctionality},
		{name: rules.ProbeListed, checks: ids("JRN-03 USR-08 USR-09 USR-10 USR-11 CAN-03"), run: listedWhileActive},
		{name: rules.ProbeEditedTwice, checks: ids("JRN-04 BOK-15 BOK-17 BOK-18 BOK-19 BOK-20 CAN-10"), run: editedTwice},
		{name: rules.ProbeFirstCaller, checks: ids("JRN-05 USR-15 USR-16 BOK-01"), run: firstTimeCaller},
		{name: rules.ProbeTwoJourneys, checks: ids("JRN-09 CAN-09"), run: twoJourneys},
		{name: rules.ProbeTwoUsers, checks: ids("JRN-10 USR-05 USR-12"), users: 2, run: twoUsers},
		{name: rules.ProbeReturnTrip, checks: ids("JRN-11 BOK-07"), run: returnTrip},
	}
}

func goldenCall(c *testUser) {
	c.config(object{})
	c.lookUp()
	j := c.book()
	j.status()
	j.cancel()
}

func minimumFunctionality(c *testUser) {
	j := c.book()
	j.status()
	j.cancel()
	j.status()
}

func listedWhileActive(c *testUser) {
	j := c.book()
	c.lookUp()
	j.cancel()
	c.lookUp()
}

func editedTwice(c *testUser) {
	c.ensureKnown()
	j := c.book()
	j.edit(object{"pickupTime": c.pickup().Add(time.Hour).Format(time.RFC3339)})
	j.status()
	c.lookUp()
	j.edit(object{"dropoffs": []taxi.Address{c.place()}})
	j.status()
	c.lookUp()
	j.cancel()
}

func firstTimeCaller(c *testUser) {
	newcomer := len(c.target.Phones) == 0
	if newcomer {
		c.send(client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Intent: rules.IntentNewcomer})
	}
	c.bookAs(with(c.booking(), object{"userId": nil}))
	c.lookUp()
	if !newcomer {
		c.block(conformance.NotApplicable, "all numbers were given as known to the server: nobody calls for the first time")
	}
}

func twoJourneys(c *testUser) {
	first, second := c.book(), c.book()
	first.status()
	second.status()
	first.cancel()
	second.status()
	c.lookUp()
	second.cancel()
}

func twoUsers(a *testUser) {
	b := a.anotherUser()
	ja, jb := a.book(), b.book()
	a.lookUp()
	b.lookUp()
	ja.status()
	jb.status()
	ja.cancel()
	jb.status()
	b.lookUp()
	jb.cancel()
}

func returnTrip(c *testUser) {
	out := c.booking()
	back := c.booking()
	back["pickup"], back["dropoffs"] = out["dropoffs"].([]taxi.Address)[0], []taxi.Address{out["pickup"].(taxi.Address)}
	stops := c.withDistinctStops(with(c.booking(), object{"dropoffs": []taxi.Address{c.place(), c.place(), c.place()}}))
	for _, b := range []object{stops, out, back} {
		j := c.bookAs(b)
		j.status()
		j.cancel()
	}
	a, b := c.place(), c.place()
	some := []taxi.Address{a, b, b, a}
	for _, dropoffs := range [][]taxi.Address{append(some, c.place(), c.place(), c.place(), c.place()), some} { // eight may be too many, and four
		if x := c.tryBook(with(c.booking(), object{"dropoffs": dropoffs}), conformance.IntentPlain); rules.Served(x) {
			c.send(client.Call{Op: rules.OpStatus, Body: encode(object{"userId": c.userID, "journeyId": x.Reply().At("journeyId").Scalar()})})
			break
		}
	}
	c.lookUp()
}
