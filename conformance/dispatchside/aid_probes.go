package dispatchside

import (
	"context"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func aidProbes() []probe {
	return []probe{
		{name: rules.ProbeRestart, checks: ids("JRN-12 JRN-17"), run: restart, aid: conformance.AidRestart, phase: afterCleanUp},
		{
			name: rules.ProbeFullLife, run: fullLife, aid: conformance.AidAdvance, phase: afterCleanUp,
			checks: ids("JRN-06 JRN-08 JRN-16 ENR-01 ENR-02 ENR-08 ENR-09 ENR-10 ENR-11 ENR-12 ENR-13 ENR-14 ENR-15 ENR-16 ENR-17 ENR-18 ENR-20 ENR-27 ENR-28 ENR-29 ENR-30 ENR-31"),
		},
		{name: rules.ProbeCancelInEach, checks: ids("JRN-13 JRN-08 CAN-08"), run: cancelledInEach, aid: conformance.AidAdvance, phase: afterCleanUp},
		{name: rules.ProbeEditInEach, checks: ids("JRN-14"), run: editedInEach, aid: conformance.AidAdvance, phase: afterCleanUp},
		{name: rules.ProbeMinuteLater, checks: ids("ENR-32"), run: minuteLater, aid: conformance.AidClock, phase: afterCleanUp},
		{name: rules.ProbeDayAfter, checks: ids("JRN-18"), run: dayAfter, aid: conformance.AidClock, phase: afterCleanUp},
		{name: rules.ProbeSummerTimeNear, checks: ids("TIM-05"), run: summerTimeNear, aid: conformance.AidClock, phase: afterCleanUp},
	}
}

// fullLife advances a journey from status to status and reads it in each.
func fullLife(c *testUser) {
	c.needAdvance()
	j := c.bookSoon()
	j.status()
	for _, to := range []taxi.Status{taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete} {
		if !c.canContinue() {
			return
		}
		if c.bring(j, to); !c.canContinue() {
			return
		}
		c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Sound: true, Intent: rules.IntentMoved})
		c.post(rules.OpUser, object{"phoneNumber": c.phone}, rules.IntentMoved)
		j.status() // a second read in the same status
	}
	j.status()
}

func cancelledInEach(c *testUser) {
	c.inEach(func(j *bookedJourney) { c.post(rules.OpCancel, j.ids(), conformance.IntentPlain) })
}

func editedInEach(c *testUser) {
	c.inEach(func(j *bookedJourney) {
		at, err := time.Parse(time.RFC3339, j.booked["pickupTime"].(string))
		if err != nil {
			at = c.pickup()
		}
		c.tryBook(with(j.booked, object{
			"journeyId": j.id, "userId": c.userID, "pickup": c.place(), "dropoffs": []taxi.Address{c.place()},
			"pickupTime": at.Add(time.Hour).Format(time.RFC3339),
		}), conformance.IntentPlain)
	})
}

// needAdvance ends a probe that needs the advance aid if the target has none. An aid
// that has failed may have moved the server's clock, so it is not used again.
func (c *testUser) needAdvance() {
	switch {
	case c.target.ReadOnly:
		c.blockFor(readOnlyReason())
	case c.target.Advance == nil:
		c.blockFor(conformance.Needs(conformance.AidAdvance, "a way to advance journeys"))
	case c.run.advanceFailed.Load() != nil:
		c.blockFor(*c.run.advanceFailed.Load())
	}
}

// bring advances a journey to a status with the aid, and blocks the probe if the aid fails.
func (c *testUser) bring(j *bookedJourney, to taxi.Status) {
	if c.canContinue() && !c.advance(j, to) {
		c.blockFor(*c.run.advanceFailed.Load())
	}
}

// advance has the aid advance a journey to a status, and reports whether that worked. After a
// failure the aid is not used again: the server's clock may be far ahead now.
func (c *testUser) advance(j *bookedJourney, to taxi.Status) bool {
	if err := c.aid(func(ctx context.Context) error { return c.target.Advance(ctx, taxi.JourneyID(j.id), to) }); err != nil {
		why := conformance.Because(conformance.AidFailed, "the advance aid could not bring a journey to %s: %v", to, err)
		c.run.advanceFailed.Store(&why)
		return false
	}
	c.run.advanceWorked.Store(true)
	return true
}

// aid runs an aid within the time limit of the run, and returns its error. What was read before is
// not compared with what is read after it.
func (c *testUser) aid(do func(context.Context) error) error {
	defer c.run.Epoch.Add(1)
	ctx := c.ctx
	if c.target.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, max(0, c.run.timeLeft()))
		defer cancel()
	}
	return do(ctx)
}

// inEach advances a journey to each status and calls try, with a read before and after. If the
// journey has already left the status, inEach tries with up to two others.
func (c *testUser) inEach(try func(*bookedJourney)) {
	c.needAdvance()
	c.ensureKnown()
	for _, to := range rules.InStatus {
		for range 3 {
			j := c.bookSoon()
			if !c.canContinue() {
				return
			}
			if to != taxi.Held {
				c.bring(j, to)
			}
			x := c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: rules.IntentMoved})
			if x.Reply().At("status").Text() == string(to) {
				try(j)
				c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: rules.IntentMoved})
				break
			}
		}
	}
}

// bookSoon books for a time soon enough for the advance aid, or else as usual. Each such journey is
// later than the one before, since the aid may have moved the server's clock to the end of that
// one.
func (c *testUser) bookSoon() *bookedJourney {
	const apart = 75 * time.Minute
	in := 20*time.Minute + time.Duration(c.run.slots.Add(1)-1)*apart
	soon := with(c.booking(), object{"pickupTime": c.target.Now().UTC().Truncate(time.Minute).Add(in).Format(time.RFC3339)})
	if x := c.tryBook(soon, conformance.IntentPlain); rules.Served(x) {
		return &bookedJourney{id: x.Reply().At("journeyId").Scalar(), booked: soon, user: c}
	}
	return c.book()
}

func restart(c *testUser) {
	switch {
	case c.target.ReadOnly:
		c.blockFor(readOnlyReason())
	case c.target.Restart == nil:
		c.blockFor(conformance.Needs(conformance.AidRestart, "a way to restart the server"))
	}
	over := c.book()
	over.cancel()
	over.status()
	j := c.book()
	all := []*bookedJourney{j}
	if c.target.Advance != nil && c.run.advanceFailed.Load() == nil {
		for _, to := range []taxi.Status{taxi.Accepted, taxi.EnRoute} {
			underWay := c.bookSoon()
			if !c.canContinue() || !c.advance(underWay, to) {
				break
			}
			c.send(client.Call{Op: rules.OpStatus, Body: encode(underWay.ids()), Intent: rules.IntentMoved, Sound: true})
			all = append(all, underWay)
		}
	}
	for _, one := range all {
		c.send(client.Call{Op: rules.OpStatus, Body: encode(one.ids()), Intent: rules.IntentMoved, Sound: true})
	}
	if !c.canContinue() {
		return
	}
	err := c.aid(c.target.Restart)
	back := c.run.awaits(c.ctx)
	switch {
	case err != nil:
		why := conformance.Because(conformance.AidFailed, "the restart aid failed: %v", err)
		c.run.restartFailed.Store(&why)
		c.blockFor(why)
	case !back:
		c.block(conformance.ServerGone, "the server did not answer within %s after it was restarted", comeback)
	}
	if !back {
		c.run.notBack.Store(true)
	}
	for _, one := range all {
		c.send(client.Call{Op: rules.OpStatus, Body: encode(one.ids()), Intent: rules.IntentRestarted, Sound: true})
	}
	c.lookUp()
	over.status()
	j.cancel()
	for range 2 { // an id may come again a little later
		c.send(client.Call{Op: rules.OpBook, Body: encode(c.booking()), Intent: rules.IntentRestarted, Sound: true})
	}
}

// comeback is how long a server may take to answer after a restart: an aid may return as soon as
// the process has started.
const comeback = 10 * time.Second

// awaits waits until the server answers again, and reports whether it does so in time. Its calls
// are not recorded.
func (r *run) awaits(ctx context.Context) bool {
	const between = 50 * time.Millisecond
	for until := r.target.Now().Add(comeback); ; {
		x := r.Once(ctx, conformance.ProbePreflight, client.Call{Op: rules.OpConfig, Body: encode(object{}), OwnConnection: true, Within: comeback})
		if x.Code() != 0 && x.Code() < http.StatusInternalServerError {
			return true
		}
		if r.target.Now().After(until) || !client.Pause(ctx, between) {
			return false
		}
	}
}
