package conformance

import (
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func raceProbes() []probe {
	return []probe{
		{name: probeTwentyBookings, checks: ids("CON-01 SEC-11"), users: 4, run: twentyAtOnce},
		{name: probeTenCancels, checks: ids("CON-02"), run: tenCancels},
		{name: probeCancelAndEdit, checks: ids("CON-03"), run: cancelledWhileEdited},
		{name: probeNewNumber, checks: ids("CON-04"), run: newNumberAtOnce},
		{name: probeEditsAtOnce, checks: ids("CON-05"), run: editsAtOnce},
		{name: probeFiftyReads, checks: ids("CON-06"), run: fiftyAtOnce},
		{name: probeSentTwice, checks: ids("IDM-01"), run: sentTwice},
		{name: probeHungUp, checks: ids("IDM-02"), run: hungUp},
		{name: probeIdempotencyKeys, checks: ids("IDM-03"), run: idempotencyKeys},
	}
}

// twentyAtOnce has four end users, or as many as there are, book twenty journeys.
func twentyAtOnce(c *testUser) {
	callers := []*testUser{c}
	for len(callers) < len(c.probe.phones) {
		callers = append(callers, c.anotherUser())
	}
	for _, one := range callers {
		one.ensureKnown()
	}
	all := make([]call, 20)
	for i := range all {
		one := callers[i%len(callers)]
		all[i] = call{op: OpBook, body: encode(one.booking()), sound: true}
	}
	for i, x := range c.sendTogetherFor(callers, all...) {
		if served(x) {
			j := &bookedJourney{id: x.Reply().at("journeyId").scalar(), user: callers[i%len(callers)]}
			j.status()
		}
	}
}

func tenCancels(c *testUser) {
	c.ensureKnown()
	j := c.book()
	c.sendTogether(times(10, call{op: OpCancel, body: encode(j.ids()), intent: intentRace})...)
	c.post(OpStatus, j.ids(), intentRace)
	c.everyOperation(c.book())
}

func times(n int, l call) []call {
	all := make([]call, n)
	for i := range all {
		all[i] = l
	}
	return all
}

func cancelledWhileEdited(c *testUser) {
	c.ensureKnown()
	for range 4 {
		j := c.book()
		edit := with(j.booked, object{"journeyId": j.id, "userId": c.userID, "dropoffs": []taxi.Address{c.place()}})
		c.sendTogether(
			call{op: OpCancel, body: encode(j.ids()), intent: intentRace},
			call{op: OpBook, body: encode(edit), intent: intentRace},
		)
		c.post(OpStatus, j.ids(), intentRace)
		c.lookUp()
	}
	c.everyOperation(c.book())
}

// newNumberAtOnce calls /user and then books from a number that nobody has used.
func newNumberAtOnce(c *testUser) {
	c.sendTogether(times(8, call{op: OpUser, body: encode(object{"phoneNumber": c.phone}), intent: intentRace})...)
	var books []call
	for range 4 {
		books = append(books, call{op: OpBook, body: encode(with(c.booking(), object{"userId": nil})), sound: true})
	}
	c.sendTogether(books...)
	c.lookUp()
	c.lookUp()
}

func editsAtOnce(c *testUser) {
	c.ensureKnown()
	j := c.book()
	var edits []call
	for i := range 5 {
		edits = append(edits, call{op: OpBook, intent: intentRace, body: encode(with(j.booked, object{
			"journeyId": j.id, "userId": c.userID, "pickup": c.place(), "dropoffs": []taxi.Address{c.place()},
			"pickupTime": c.pickup().Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
		}))})
	}
	c.sendTogether(edits...)
	c.post(OpStatus, j.ids(), intentRace)
	c.everyOperation(c.book())
}

func fiftyAtOnce(c *testUser) {
	c.ensureKnown()
	j := c.book()
	c.sendTogether(times(50, call{op: OpStatus, body: encode(j.ids()), sound: true})...)
}

func sentTwice(c *testUser) {
	body := encode(c.booking())
	c.send(call{op: OpBook, body: body, sound: true})
	c.send(call{op: OpBook, body: body})
	c.lookUp()
}

// hungUp breaks off a booking as soon as it is sent, and looks for it. If the server
// notices before it has begun, the probe tries again.
func hungUp(c *testUser) {
	const tries = 3
	c.ensureKnown()
	for range tries {
		left := c.send(call{op: OpBook, body: encode(c.booking()), intent: intentHangUp, hangUp: true, ownConnection: true})
		found := false
		for range 3 {
			found = isShownIn(left, c.lookUp())
		}
		if found {
			break
		}
	}
	j := c.book()
	j.status()
	j.cancel()
	c.lookUp()
}

func idempotencyKeys(c *testUser) {
	c.ensureKnown()
	key := http.Header{taxi.IdempotencyHeader: {"conformance-" + strings.ToLower(c.uniqueText())}}
	body := encode(c.booking())
	for range 2 {
		c.send(call{op: OpBook, body: body, header: key, intent: intentKey})
	}
	c.send(call{op: OpBook, body: encode(c.booking()), header: key, intent: intentKeyReused})
	c.everyOperation(c.book())
}
