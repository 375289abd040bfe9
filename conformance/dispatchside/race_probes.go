package dispatchside

import (
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func raceProbes() []probe {
	return []probe{
		{name: rules.ProbeTwentyBookings, checks: ids("CON-01 SEC-11"), users: 4, run: twentyAtOnce},
		{name: rules.ProbeTenCancels, checks: ids("CON-02"), run: tenCancels},
		{name: rules.ProbeCancelAndEdit, checks: ids("CON-03"), run: cancelledWhileEdited},
		{name: rules.ProbeNewNumber, checks: ids("CON-04"), run: newNumberAtOnce},
		{name: rules.ProbeEditsAtOnce, checks: ids("CON-05"), run: editsAtOnce},
		{name: rules.ProbeFiftyReads, checks: ids("CON-06"), run: fiftyAtOnce},
		{name: rules.ProbeSentTwice, checks: ids("IDM-01"), run: sentTwice},
		{name: rules.ProbeHungUp, checks: ids("IDM-02"), run: hungUp},
		{name: rules.ProbeIdempotencyKeys, checks: ids("IDM-03"), run: idempotencyKeys},
	}
}

// twentyAtOnce books twenty journeys at once for up to four end users.
func twentyAtOnce(c *testUser) {
	callers := []*testUser{c}
	for len(callers) < len(c.probe.phones) {
		callers = append(callers, c.anotherUser())
	}
	for _, one := range callers {
		one.ensureKnown()
	}
	all := make([]client.Call, 20)
	for i := range all {
		one := callers[i%len(callers)]
		all[i] = client.Call{Op: rules.OpBook, Body: encode(one.booking()), Sound: true}
	}
	for i, x := range c.sendTogetherFor(callers, all...) {
		if rules.Served(x) {
			j := &bookedJourney{id: x.Reply().At("journeyId").Scalar(), user: callers[i%len(callers)]}
			j.status()
		}
	}
}

func tenCancels(c *testUser) {
	c.ensureKnown()
	j := c.book()
	c.sendTogether(times(10, client.Call{Op: rules.OpCancel, Body: encode(j.ids()), Intent: rules.IntentRace})...)
	c.post(rules.OpStatus, j.ids(), rules.IntentRace)
	c.everyOperation(c.book())
}

func times(n int, l client.Call) []client.Call {
	all := make([]client.Call, n)
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
			client.Call{Op: rules.OpCancel, Body: encode(j.ids()), Intent: rules.IntentRace},
			client.Call{Op: rules.OpBook, Body: encode(edit), Intent: rules.IntentRace},
		)
		c.post(rules.OpStatus, j.ids(), rules.IntentRace)
		c.lookUp()
	}
	c.everyOperation(c.book())
}

// newNumberAtOnce calls /user eight times at once, and then books four times at once, from a number that nobody has used.
func newNumberAtOnce(c *testUser) {
	c.sendTogether(times(8, client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Intent: rules.IntentRace})...)
	var books []client.Call
	for range 4 {
		books = append(books, client.Call{Op: rules.OpBook, Body: encode(with(c.booking(), object{"userId": nil})), Sound: true})
	}
	c.sendTogether(books...)
	c.lookUp()
	c.lookUp()
}

func editsAtOnce(c *testUser) {
	c.ensureKnown()
	j := c.book()
	var edits []client.Call
	for i := range 5 {
		edits = append(edits, client.Call{Op: rules.OpBook, Intent: rules.IntentRace, Body: encode(with(j.booked, object{
			"journeyId": j.id, "userId": c.userID, "pickup": c.place(), "dropoffs": []taxi.Address{c.place()},
			"pickupTime": c.pickup().Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
		}))})
	}
	c.sendTogether(edits...)
	c.post(rules.OpStatus, j.ids(), rules.IntentRace)
	c.everyOperation(c.book())
}

func fiftyAtOnce(c *testUser) {
	c.ensureKnown()
	j := c.book()
	c.sendTogether(times(50, client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Sound: true})...)
}

func sentTwice(c *testUser) {
	body := encode(c.booking())
	c.send(client.Call{Op: rules.OpBook, Body: body, Sound: true})
	c.send(client.Call{Op: rules.OpBook, Body: body})
	c.lookUp()
}

// hungUp closes the connection as soon as a booking is sent, and looks for the journey. If it is
// not found, the probe tries up to twice more.
func hungUp(c *testUser) {
	const tries = 3
	c.ensureKnown()
	before := c.book()
	if x := c.lookUp(); rules.Served(x) && !containsJourney(x, before.id) {
		c.block(conformance.FailedBefore, "/user does not list bookings, so that a booking whose answer was not awaited cannot be found")
	}
	for range tries {
		left := c.send(client.Call{Op: rules.OpBook, Body: encode(c.booking()), Intent: rules.IntentHangUp, HangUp: true, OwnConnection: true})
		found := false
		for range 3 {
			found = rules.IsShownIn(left, c.lookUp())
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
		c.send(client.Call{Op: rules.OpBook, Body: body, Header: key, Intent: rules.IntentKey})
	}
	c.send(client.Call{Op: rules.OpBook, Body: encode(c.booking()), Header: key, Intent: rules.IntentKeyReused})
	c.everyOperation(c.book())
}
