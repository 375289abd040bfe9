package dispatchside

import (
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

func timingProbes() []probe {
	return []probe{
		{name: rules.ProbeFirstImpressions, checks: ids("TIM-03"), run: firstImpressions, phase: second, long: true},
		{name: rules.ProbeSlowUpload, checks: ids("TIM-02"), run: slowUpload, long: true},
		{name: rules.ProbeNewYear, checks: ids("BOK-11"), run: newYear, long: true},
		{name: rules.ProbeSummerTime, checks: ids("TIM-05"), run: summerTime, long: true},
		{name: rules.ProbeTiming, checks: ids("TIM-01 TIM-03 CON-07"), run: timing, phase: last, long: true},
	}
}

// timed makes an ordinary call while no other call runs, so that its duration can be compared.
func (c *testUser) timed(op conformance.Operation, body object) *conformance.Exchange {
	return c.send(client.Call{Op: op, Body: encode(body), Intent: rules.IntentTimed, Sound: op != rules.OpUser || c.known})
}

// timedRound makes one timed call of each operation. It returns the journey that was
// booked and cancelled, or nil if none was booked.
func (c *testUser) timedRound() *bookedJourney {
	c.timed(rules.OpConfig, object{})
	c.timed(rules.OpUser, object{"phoneNumber": c.phone})
	x := c.timed(rules.OpBook, c.booking())
	if !rules.Served(x) {
		return nil
	}
	j := &bookedJourney{id: x.Reply().At("journeyId").Scalar(), user: c}
	c.timed(rules.OpStatus, j.ids())
	c.timed(rules.OpCancel, j.ids())
	return j
}

func firstImpressions(c *testUser) {
	c.ensureKnown()
	for range 3 {
		c.run.earlyJourney = c.timedRound()
	}
}

func timing(c *testUser) {
	c.ensureKnown()
	if j := c.run.earlyJourney; j != nil { // long after its end
		c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Sound: true})
	}
	for range 10 {
		c.timedRound()
	}
	if c.run.OneConnection || !c.known {
		return
	}
	const rounds, atOnce = 3, 8
	for range rounds {
		c.sendTogether(times(atOnce, client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Intent: rules.IntentTogether, Sound: true})...)
	}
}

// slowUpload sends half of a booking, makes other calls, and then sends the rest.
func slowUpload(c *testUser) {
	c.ensureKnown()
	j := c.book()
	if !c.canContinue() {
		return
	}
	const padding = 24 << 10                         // more than the buffers before the socket hold
	patient := max(2*time.Second, 3*c.run.Slowest()) // another check judges slow servers
	body := encode(with(c.booking(), object{"data": object{"notes": strings.Repeat("taxi ", padding/5)}}))
	g, done := client.NewGate(), make(chan *conformance.Exchange)
	upload := client.Call{Op: rules.OpBook, Body: body, Intent: rules.IntentSlow, Gate: g, OwnConnection: true, Finish: true}
	if !c.admit(upload) {
		return
	}
	go func() { done <- c.run.Send(c.ctx, c.probe.name, upload) }() // ends with the gate, or with ctx
	select {
	case <-g.Reached:
	case <-c.ctx.Done():
	}
	for range 5 {
		if x := c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: rules.IntentBeside, ExtraConnection: true, Within: patient}); x.Response == nil {
			break
		}
	}
	close(g.Open)
	c.noteReply(<-done)
	j.status()
}

// newYear books for noon of the next day whose ISO week belongs to another year. Date formats confuse the two years.
func newYear(c *testUser) {
	c.ensureKnown()
	now := c.target.Now().In(c.target.Zone)
	at := time.Date(now.Year(), now.Month(), now.Day()+2, 12, 0, 0, 0, c.target.Zone)
	for year, _ := at.ISOWeek(); year == at.Year(); year, _ = at.ISOWeek() {
		at = at.AddDate(0, 0, 1)
	}
	c.bookFarAhead(at, rules.IntentNewYear)
}

// summerTime books around the next two changes of the clocks, at local times that occur twice or
// not at all, with the offset before the change and with the one after it.
func summerTime(c *testUser) {
	changes := clockChanges(c.target.Now(), c.target.Zone)
	if len(changes) == 0 {
		why := conformance.Because(conformance.NotApplicable, "the clocks of %s do not change", c.target.Zone)
		why.Aid = conformance.AidZone
		c.blockFor(why)
	}
	c.ensureKnown()
	for _, change := range changes {
		c.bookAround(change)
	}
}

// bookAround books half an hour before and after a change of the clocks, with the offsets before and after it.
func (c *testUser) bookAround(change time.Time) {
	for _, from := range []time.Time{change.Add(-time.Second), change} {
		_, offset := from.In(c.target.Zone).Zone()
		for _, off := range []time.Duration{-30 * time.Minute, 30 * time.Minute} {
			c.bookFarAhead(change.Add(off).In(time.FixedZone("", offset)), rules.IntentSeasons)
		}
	}
}

// bookFarAhead books for a time, reads the journey and cancels it.
func (c *testUser) bookFarAhead(at time.Time, intent conformance.Intent) {
	x := c.tryBook(with(c.booking(), object{"pickupTime": at.Format("2006-01-02T15:04:05-07:00")}), intent)
	if rules.Served(x) {
		j := &bookedJourney{id: x.Reply().At("journeyId").Scalar(), user: c}
		j.status()
		j.cancel()
	}
}

// clockChanges returns the next two changes of a zone's clocks, at least a day and at most a
// year ahead; none if the zone has no summer time.
func clockChanges(now time.Time, zone *time.Location) []time.Time {
	const soonest, latest = 24 * time.Hour, 366 * 24 * time.Hour
	var next []time.Time
	for at := now.Add(soonest).In(zone); len(next) < 2; {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.Sub(now) > latest {
			break
		}
		next = append(next, end)
		at = end
	}
	return next
}
