package conformance

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func hookProbes() []*probe {
	return []*probe{
		{
			name: "full life", tell: fullLife, quiet: true,
			covers: "JRN-06 CAN-08 ENR-01 ENR-08 ENR-09 ENR-10 ENR-11 ENR-12 ENR-13 ENR-14 ENR-18 ENR-20",
		},
		{name: "restart", covers: "JRN-12", tell: restart, quiet: true},
	}
}

// fullLife helps a journey along from status to status and looks at each.
func fullLife(c *caller) {
	advance := c.target.Advance
	if advance == nil {
		c.block("needs the advance hook")
	}
	j := c.bookSoon()
	j.status()
	for _, to := range []taxi.Status{taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete} {
		if c.probe.blocked != "" {
			return
		}
		if err := advance(c.ctx, taxi.JourneyID(j.id), to); err != nil {
			c.block("the advance hook could not bring a journey to %s: %v", to, err)
			return
		}
		c.send(letter{op: OpStatus, body: encode(j.ref()), sound: true, intent: intentMoved})
		c.post(OpUser, object{"phoneNumber": c.phone}, intentMoved)
		if to == taxi.POB {
			c.post(OpCancel, j.ref(), intentPlain)
			j.status()
		}
	}
	j.status()
}

// bookSoon books for a time that the hook need not wait a week for, if the
// server's clock allows.
func (c *caller) bookSoon() *ride {
	soon := with(c.booking(), object{"pickupTime": c.target.Now().UTC().Truncate(time.Minute).Add(20 * time.Minute).Format(time.RFC3339)})
	if x := c.tryBook(soon, intentPlain); x.served() {
		return &ride{id: x.reply.at("journeyId").scalar(), booked: soon, caller: c}
	}
	return c.book()
}

func restart(c *caller) {
	if c.target.Restart == nil {
		c.block("needs the restart hook")
	}
	j := c.book()
	j.status()
	if c.probe.blocked != "" {
		return
	}
	if err := c.target.Restart(c.ctx); err != nil {
		c.block("the restart hook failed: %v", err)
		return
	}
	j.status()
	j.cancel()
}
