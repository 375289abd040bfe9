package dispatchside

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

func cancelProbes() []probe {
	return []probe{
		{name: rules.ProbeCancelledTwice, checks: ids("CAN-04 CAN-12 BOK-23 JRN-08"), run: cancelledTwice},
		{name: rules.ProbeMissingIDs, checks: ids("CAN-07 STA-09"), run: missingIDs},
		{name: rules.ProbeInexactIDs, checks: ids("CAN-11"), run: inexactIDs},
	}
}

func cancelledTwice(c *testUser) {
	j := c.book()
	j.cancel()
	j.status()
	j.cancel()
	j.status()
	c.tryBook(with(j.booked, object{"journeyId": j.id, "userId": c.userID, "name": c.name}), conformance.IntentPlain)
	for range 3 {
		j.status()
	}
	c.book()
	c.lookUp()
}

func missingIDs(c *testUser) {
	c.ensureKnown()
	j := c.book()
	for _, op := range []conformance.Operation{rules.OpStatus, rules.OpCancel} {
		for _, body := range []object{
			{},
			{"userId": c.userID},
			{"journeyId": j.id},
			{"userId": c.userID, "journeyId": ""},
			{"userId": c.userID, "journeyId": nil},
		} {
			c.post(op, body, conformance.IntentPlain)
		}
	}
	j.status()
	j.cancel()
}

func inexactIDs(c *testUser) {
	c.ensureKnown()
	j := c.book()
	for _, id := range []string{client.SwapCase(j.id), " " + j.id, j.id + " ", j.id + "\n"} {
		if id != j.id {
			c.post(rules.OpCancel, object{"userId": c.userID, "journeyId": id}, rules.IntentInexact)
		}
	}
	j.status()
	j.cancel()
}
