package conformance

import (
	"strings"
	"time"
)

func timingProbes() []*probe {
	return []*probe{
		{name: "first impressions", covers: "TIM-03", tell: firstImpressions, turn: first},
		{name: "slow upload", covers: "TIM-02", tell: slowUpload},
		{name: "summer time", covers: "TIM-05", tell: summerTime},
		{name: "timing", covers: "TIM-01 TIM-03 CFG-10", tell: timing, turn: last},
	}
}

// timed makes an ordinary call alone, for its time.
func (c *caller) timed(op Operation, body object) *Exchange {
	return c.send(letter{op: op, body: encode(body), intent: intentTimed, sound: op != OpUser || c.known})
}

// timedRound makes one timed call of each operation.
func (c *caller) timedRound() {
	c.timed(OpConfig, object{})
	c.timed(OpUser, object{"phoneNumber": c.phone})
	x := c.timed(OpBook, c.booking())
	if x.served() {
		j := &ride{id: x.reply.at("journeyId").scalar(), caller: c}
		c.timed(OpStatus, j.ref())
		c.timed(OpCancel, j.ref())
	}
}

func firstImpressions(c *caller) {
	c.settle()
	for range 5 {
		c.timedRound()
	}
}

func timing(c *caller) {
	c.settle()
	for range 10 {
		c.timedRound()
	}
}

// slowUpload holds back half of a booking while it makes other calls.
func slowUpload(c *caller) {
	c.settle()
	j := c.book()
	if c.run.single {
		c.block("the server takes one connection at a time")
	}
	if !c.going() {
		return
	}
	const padding = 24 << 10 // more than is kept back on the way to the socket
	body := encode(with(c.booking(), object{"data": object{"notes": strings.Repeat("taxi ", padding/5)}}))
	g, done := newGate(), make(chan *Exchange)
	go func() {
		done <- c.run.send(c.ctx, c.probe.name, letter{op: OpBook, body: body, intent: intentSlow, gate: g, alone: true})
	}()
	select {
	case <-g.reached:
	case <-c.ctx.Done():
	}
	for range 5 {
		if x := c.send(letter{op: OpStatus, body: encode(j.ref()), intent: intentBeside, within: 2 * time.Second}); x.Response == nil {
			break
		}
	}
	close(g.open)
	c.learn(<-done)
	j.status()
}

// summerTime books around the next two changes of the clocks, an hour that is
// there twice or not at all by a clock on the wall.
func summerTime(c *caller) {
	c.settle()
	for _, change := range clockChanges(c.target.Now()) {
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 3600)} {
			for _, off := range []time.Duration{-30 * time.Minute, 30 * time.Minute} {
				at := change.Add(off).In(zone).Format("2006-01-02T15:04:05-07:00")
				x := c.tryBook(with(c.booking(), object{"pickupTime": at}), intentSeasons)
				if x.served() {
					j := &ride{id: x.reply.at("journeyId").scalar(), caller: c}
					j.status()
					j.cancel()
				}
			}
		}
	}
}

// clockChanges returns the next two changes of the clocks in Europe: at 01:00
// UTC on the last Sundays of March and October.
func clockChanges(now time.Time) []time.Time {
	var next []time.Time
	for year := now.UTC().Year(); len(next) < 2; year++ {
		for _, month := range []time.Month{time.March, time.October} {
			last := time.Date(year, month, 31, 1, 0, 0, 0, time.UTC)
			if at := last.AddDate(0, 0, -int(last.Weekday())); at.After(now.Add(24*time.Hour)) && len(next) < 2 {
				next = append(next, at)
			}
		}
	}
	return next
}
