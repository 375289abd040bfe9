package conformance

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func hookProbes() []*probe {
	return []*probe{
		{name: "restart", covers: "JRN-12", tell: restart, turn: finale},
		{
			name: "full life", tell: fullLife, turn: finale,
			covers: "JRN-06 JRN-08 CAN-08 JRN-16 ENR-01 ENR-02 ENR-08 ENR-09 ENR-10 ENR-11 ENR-12 ENR-13 ENR-14 ENR-15 ENR-16 ENR-17 ENR-18 ENR-20",
		},
		{name: "cancelled in each status", covers: "JRN-13", tell: cancelledInEach, turn: finale},
		{name: "edited in each status", covers: "JRN-14", tell: editedInEach, turn: finale},
	}
}

// fullLife helps a journey along from status to status and looks at each.
func fullLife(c *caller) {
	c.needHook()
	j := c.bookSoon()
	j.status()
	for _, to := range []taxi.Status{taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete} {
		if !c.going() {
			return
		}
		if c.bring(j, to); !c.going() {
			return
		}
		c.send(letter{op: OpStatus, body: encode(j.ref()), sound: true, intent: intentMoved})
		c.post(OpUser, object{"phoneNumber": c.phone}, intentMoved)
		j.status() // nothing has moved it since
		if to == taxi.POB {
			c.post(OpCancel, j.ref(), intentPlain)
			j.status()
		}
	}
	j.status()
}

func cancelledInEach(c *caller) {
	c.inEach(func(j *ride) { c.post(OpCancel, j.ref(), intentPlain) })
}

func editedInEach(c *caller) {
	c.inEach(func(j *ride) {
		at, err := time.Parse(time.RFC3339, j.booked["pickupTime"].(string))
		if err != nil {
			at = c.pickup()
		}
		c.tryBook(with(j.booked, object{
			"journeyId": j.id, "userId": c.userID, "pickup": c.place(), "dropoffs": []taxi.Address{c.place()},
			"pickupTime": at.Add(time.Hour).Format(time.RFC3339),
		}), intentPlain)
	})
}

// needHook ends a story that journeys have to be helped along for when there is
// nothing to do it with. A hook that failed once may have moved the server's
// clock to anywhere.
func (c *caller) needHook() {
	switch {
	case c.target.Advance == nil:
		c.block(lacking+"%s", HookAdvance.Flags())
	case c.run.stuck.Load() != nil:
		c.block("%s", *c.run.stuck.Load())
	}
}

// bring helps a journey along to a status.
func (c *caller) bring(j *ride, to taxi.Status) {
	if !c.going() {
		return
	}
	if err := c.target.Advance(c.ctx, taxi.JourneyID(j.id), to); err != nil {
		why := fmt.Sprintf("the advance hook could not bring a journey to %s: %v", to, err)
		c.run.stuck.Store(&why)
		c.block("%s", why)
	}
}

// inEach brings a journey to each status and tries something there, with a read
// before and after. A journey that is somewhere else by then is followed by
// another.
func (c *caller) inEach(try func(*ride)) {
	c.needHook()
	c.settle()
	for _, to := range inStatus {
		for range 3 {
			j := c.bookSoon()
			if !c.going() {
				return
			}
			if to != taxi.Held {
				c.bring(j, to)
			}
			x := c.send(letter{op: OpStatus, body: encode(j.ref()), intent: intentMoved})
			if x.Reply().at("status").text() == string(to) {
				try(j)
				c.send(letter{op: OpStatus, body: encode(j.ref()), intent: intentMoved})
				break
			}
		}
	}
}

// bookSoon books for a time that the hook need not wait a week for, if the
// server's clock allows. Each such journey is later than the one before, since a
// hook may have moved the clock to the end of that.
func (c *caller) bookSoon() *ride {
	const apart = 75 * time.Minute
	in := 20*time.Minute + time.Duration(c.run.slots.Add(1)-1)*apart
	soon := with(c.booking(), object{"pickupTime": c.target.Now().UTC().Truncate(time.Minute).Add(in).Format(time.RFC3339)})
	if x := c.tryBook(soon, intentPlain); served(x) {
		return &ride{id: x.Reply().at("journeyId").scalar(), booked: soon, caller: c}
	}
	return c.book()
}

func restart(c *caller) {
	if c.target.Restart == nil {
		c.block(lacking+"%s", HookRestart.Flags())
	}
	over := c.book()
	over.cancel()
	over.status()
	j := c.book()
	j.status()
	if !c.going() {
		return
	}
	err := c.target.Restart(c.ctx)
	back := c.run.awaits(c.ctx)
	switch {
	case err != nil:
		c.block("the restart hook failed: %v", err)
	case !back:
		c.block("the server did not answer within %s after the restart hook had ended", comeback)
	}
	if !back {
		c.run.gone.Store(true)
	}
	j.status()
	over.status()
	j.cancel()
}

// comeback is how long a server may take to answer after it was restarted: hooks
// tend to end when the process has been started.
const comeback = 10 * time.Second

// awaits waits until the server answers again, and reports whether it does. What
// it hears meanwhile is off the record.
func (r *run) awaits(ctx context.Context) bool {
	const between = 50 * time.Millisecond
	for until := r.target.Now().Add(comeback); ; {
		x := r.once(ctx, preflightProbe, letter{op: OpConfig, body: encode(object{}), alone: true, within: comeback})
		if x.code() != 0 && x.code() < http.StatusInternalServerError {
			return true
		}
		if r.target.Now().After(until) || !pause(ctx, between) {
			return false
		}
	}
}
