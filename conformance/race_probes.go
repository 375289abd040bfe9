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
func twentyAtOnce(c *caller) {
	callers := []*caller{c}
	for len(callers) < len(c.probe.phones) {
		callers = append(callers, c.another())
	}
	for _, one := range callers {
		one.settle()
	}
	all := make([]letter, 20)
	for i := range all {
		one := callers[i%len(callers)]
		all[i] = letter{op: OpBook, body: encode(one.booking()), sound: true, from: one}
	}
	for i, x := range c.together(all...) {
		if served(x) {
			j := &ride{id: x.Reply().at("journeyId").scalar(), caller: callers[i%len(callers)]}
			j.status()
		}
	}
}

func tenCancels(c *caller) {
	c.settle()
	j := c.book()
	c.together(times(10, letter{op: OpCancel, body: encode(j.ref()), intent: intentRace})...)
	c.post(OpStatus, j.ref(), intentRace)
	c.everyOperation(c.book())
}

func times(n int, l letter) []letter {
	all := make([]letter, n)
	for i := range all {
		all[i] = l
	}
	return all
}

func cancelledWhileEdited(c *caller) {
	c.settle()
	for range 4 {
		j := c.book()
		edit := with(j.booked, object{"journeyId": j.id, "userId": c.userID, "dropoffs": []taxi.Address{c.place()}})
		c.together(
			letter{op: OpCancel, body: encode(j.ref()), intent: intentRace},
			letter{op: OpBook, body: encode(edit), intent: intentRace},
		)
		c.post(OpStatus, j.ref(), intentRace)
		c.look()
	}
	c.everyOperation(c.book())
}

// newNumberAtOnce rings and then books from a number that nobody has used.
func newNumberAtOnce(c *caller) {
	c.together(times(8, letter{op: OpUser, body: encode(object{"phoneNumber": c.phone}), intent: intentRace})...)
	var books []letter
	for range 4 {
		books = append(books, letter{op: OpBook, body: encode(with(c.booking(), object{"userId": nil})), sound: true})
	}
	c.together(books...)
	c.look()
	c.look()
}

func editsAtOnce(c *caller) {
	c.settle()
	j := c.book()
	var edits []letter
	for i := range 5 {
		edits = append(edits, letter{op: OpBook, intent: intentRace, body: encode(with(j.booked, object{
			"journeyId": j.id, "userId": c.userID, "pickup": c.place(), "dropoffs": []taxi.Address{c.place()},
			"pickupTime": c.pickup().Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
		}))})
	}
	c.together(edits...)
	c.post(OpStatus, j.ref(), intentRace)
	c.everyOperation(c.book())
}

func fiftyAtOnce(c *caller) {
	c.settle()
	j := c.book()
	c.together(times(50, letter{op: OpStatus, body: encode(j.ref()), sound: true})...)
}

func sentTwice(c *caller) {
	body := encode(c.booking())
	c.send(letter{op: OpBook, body: body, sound: true})
	c.send(letter{op: OpBook, body: body})
	c.look()
}

// hungUp gives up on a booking as soon as it is sent, and looks for it. A server
// may hear of that before it has begun; then there are further tries.
func hungUp(c *caller) {
	const tries = 3
	c.settle()
	for range tries {
		left := c.send(letter{op: OpBook, body: encode(c.booking()), intent: intentHangUp, hangUp: true, alone: true})
		found := false
		for range 3 {
			found = isShownIn(left, c.look())
		}
		if found {
			break
		}
	}
	j := c.book()
	j.status()
	j.cancel()
	c.look()
}

func idempotencyKeys(c *caller) {
	c.settle()
	key := http.Header{taxi.IdempotencyHeader: {"conformance-" + strings.ToLower(c.mark())}}
	body := encode(c.booking())
	for range 2 {
		c.send(letter{op: OpBook, body: body, header: key, intent: intentKey})
	}
	c.send(letter{op: OpBook, body: encode(c.booking()), header: key, intent: intentKeyReused})
	c.everyOperation(c.book())
}
