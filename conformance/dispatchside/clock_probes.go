package dispatchside

import (
	"context"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// daysAhead is by how many days the server's clock is moved, more than the week by which the advance aid may have moved it.
const daysAhead = 10

// dayAfter returns the time, soon after midnight, to which the server's clock is moved for the next-day checks.
func (t *Target) dayAfter() time.Time {
	today := t.Now().In(t.Zone)
	return time.Date(today.Year(), today.Month(), today.Day()+daysAhead, 0, 5, 0, 0, t.Zone)
}

// needClock blocks a probe that moves the server's clock if the target cannot do that (can); whereto is part of the reason.
func (c *testUser) needClock(can bool, whereto string) {
	switch {
	case c.target.ReadOnly:
		c.blockFor(readOnlyReason())
	case !can:
		c.blockFor(conformance.Needs(conformance.AidClock, "a way to move the server's clock %s", whereto))
	case c.run.clockFailed.Load() != nil:
		c.blockFor(*c.run.clockFailed.Load())
	}
}

// setClock moves the server's clock to a time with the aid, and blocks the probe if that fails.
func (c *testUser) setClock(to time.Time) {
	if !c.canContinue() {
		return
	}
	if err := c.aid(func(ctx context.Context) error { return c.target.SetClock(ctx, to) }); err != nil {
		why := conformance.Because(conformance.AidFailed, "the clock aid failed: %v", err)
		c.run.clockFailed.Store(&why)
		c.blockFor(why)
	}
}

// moveClock moves the server's clock ahead by a duration, and blocks the probe if that fails.
func (c *testUser) moveClock(by time.Duration) {
	if !c.canContinue() {
		return
	}
	if err := c.aid(func(ctx context.Context) error { return c.target.MoveClock(ctx, by) }); err != nil {
		c.block(conformance.AidFailed, "the clock aid could not move the clock by %s: %v", by, err)
	}
}

// dayAfter moves the server's clock over midnight, and reads cancelled journeys and a price that was fixed days ago.
func dayAfter(c *testUser) {
	const soon = 10 * time.Minute // after the clock was moved
	c.needClock(c.target.SetClock != nil, "to another day")
	book := func(intent conformance.Intent, at time.Time) *bookedJourney {
		body := with(c.booking(), object{"pickupTime": at.UTC().Format(time.RFC3339)})
		if agreed := c.target.Agreed; agreed != nil {
			body = with(body, object{"pickup": agreed.Pickup, "dropoffs": []taxi.Address{agreed.Dropoff}})
		}
		x := c.tryBook(body, intent)
		switch {
		case rules.Served(x):
		case c.target.lead.nearer.Load():
			c.block(conformance.Limited, "this server takes no booking a week ahead")
		default:
			c.block(conformance.NotServed, "a pickup %d days after that of other bookings was refused", daysAhead)
		}
		return &bookedJourney{id: x.Reply().At("journeyId").Scalar(), booked: body, user: c}
	}
	c.ensureKnown()
	later := c.pickup().AddDate(0, 0, daysAhead)
	over := book(conformance.IntentPlain, c.target.dayAfter().Add(soon))
	over.cancel()
	over.status()
	j := book(conformance.IntentPlain, later)
	j.status()
	c.setClock(c.target.dayAfter())
	c.post(rules.OpUser, object{"phoneNumber": c.phone}, rules.IntentNextDay)
	book(rules.IntentNextDay, later.Add(time.Hour)) // another trip: a repeated one may have the same id
	j.status()
	over.status()
	if c.target.MoveClock != nil {
		c.moveClock(2 * soon)
		over.status()
		c.post(rules.OpUser, object{"phoneNumber": c.phone}, rules.IntentNextDay)
	}
}

// minuteLater reads a car's location at EN_ROUTE, moves the server's clock by a minute and
// reads it again. If the car has arrived by then, it tries another journey.
func minuteLater(c *testUser) {
	c.needClock(c.target.MoveClock != nil, "by a minute")
	c.needAdvance()
	c.ensureKnown()
	const tries = 4
	for range tries {
		j := c.bookSoon()
		c.bring(j, taxi.EnRoute)
		c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: rules.IntentMoved})
		if !c.canContinue() {
			return
		}
		if c.moveClock(time.Minute); !c.canContinue() {
			return
		}
		x := c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: rules.IntentLater})
		if x.Reply().At("status").Text() == string(taxi.EnRoute) {
			return
		}
	}
}

// stride is the maximum number of days by which the clock is moved at once: a server may refuse more.
const stride = 60

// summerTimeNear moves the server's clock close to a change of the clocks, if the change was
// too far ahead for a booking.
func summerTimeNear(c *testUser) {
	if c.run.served(rules.IntentSeasons) {
		return
	}
	const ahead = 7 // days
	changes := clockChanges(c.target.Now(), c.target.Zone)
	at := slices.IndexFunc(changes, func(change time.Time) bool {
		return change.AddDate(0, 0, -ahead).After(c.target.dayAfter())
	})
	if at < 0 {
		return // no change, or one so soon that the refusal has another reason
	}
	c.needClock(c.target.SetClock != nil, "near to the change of the clocks")
	near := changes[at].AddDate(0, 0, -ahead) // possibly months ahead: the server may have forgotten the user
	for day := c.target.dayAfter().AddDate(0, 0, stride); day.Before(near); day = day.AddDate(0, 0, stride) {
		c.setClock(day)
	}
	c.setClock(near)
	c.bookAround(changes[at])
}
