package conformance

import (
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func raceProbes() []*probe {
	return []*probe{
		{name: "twenty bookings at once", covers: "CON-01 SEC-11", users: 4, tell: twentyAtOnce},
		{name: "ten cancellations at once", covers: "CON-02", tell: tenCancels},
		{name: "cancelled while edited", covers: "CON-03", tell: cancelledWhileEdited},
		{name: "a new number at once", covers: "CON-04", tell: newNumberAtOnce},
		{name: "edits at once", covers: "CON-05", tell: editsAtOnce},
		{name: "fifty reads at once", covers: "CON-06", tell: fiftyAtOnce},
		{name: "sent twice", covers: "IDM-01", tell: sentTwice},
		{name: "hung up", covers: "IDM-02", tell: hungUp},
		{name: "idempotency keys", covers: "IDM-03", tell: idempotencyKeys},
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
