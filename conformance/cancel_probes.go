package conformance

func cancelProbes() []probe {
	return []probe{
		{name: probeCancelledTwice, checks: ids("CAN-04 CAN-12 BOK-23 JRN-08"), run: cancelledTwice},
		{name: probeMissingIDs, checks: ids("CAN-07 STA-09"), run: missingIDs},
		{name: probeInexactIDs, checks: ids("CAN-11"), run: inexactIDs},
	}
}

func cancelledTwice(c *testUser) {
	j := c.book()
	j.cancel()
	j.cancel()
	j.status()
	c.tryBook(with(j.booked, object{"journeyId": j.id, "userId": c.userID, "name": c.name}), intentPlain)
	for range 3 {
		j.status()
	}
	c.book()
	c.lookUp()
}

func missingIDs(c *testUser) {
	c.ensureKnown()
	j := c.book()
	for _, op := range []Operation{OpStatus, OpCancel} {
		for _, body := range []object{
			{},
			{"userId": c.userID},
			{"journeyId": j.id},
			{"userId": c.userID, "journeyId": ""},
			{"userId": c.userID, "journeyId": nil},
		} {
			c.post(op, body, intentPlain)
		}
	}
	j.status()
	j.cancel()
}

func inexactIDs(c *testUser) {
	c.ensureKnown()
	j := c.book()
	for _, id := range []string{swapCase(j.id), " " + j.id, j.id + " "} {
		if id != j.id {
			c.post(OpCancel, object{"userId": c.userID, "journeyId": id}, intentInexact)
		}
	}
	j.status()
	j.cancel()
}
