package dispatchside

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// bookingLimit limits the bookings of a run. Every call of /book counts, since an edit
// may create a journey. When a probe starts, its usual number of bookings is reserved, so
// that faster probes that start later do not use them up.
type bookingLimit struct {
	most    int                                // 0: no limit
	stopped atomic.Pointer[conformance.Reason] // set: no more bookings are made

	mu   sync.Mutex
	free int // bookings neither made nor reserved
	kept map[*probeRun]int

	trying sync.Mutex // held while testing whether a journey can be cancelled
}

func newBookingLimit(most int) *bookingLimit {
	return &bookingLimit{most: most, free: most, kept: map[*probeRun]int{}}
}

// reserve reserves a number of bookings for a probe, or none if fewer are free.
func (l *bookingLimit) reserve(p *probeRun, bookings int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.free >= bookings {
		l.free -= bookings
		l.kept[p] = bookings
	}
}

// end releases the unused reservation of a probe.
func (l *bookingLimit) end(p *probeRun) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free += l.kept[p]
	delete(l.kept, p)
}

// take counts a booking that a probe is about to make, and returns nil, or the reason why it must not be made.
func (l *bookingLimit) take(p *probeRun) *conformance.Reason {
	if why := l.stopped.Load(); why != nil || l.most == 0 {
		return why
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.kept[p] > 0:
		l.kept[p]--
	case l.free > 0:
		l.free--
	default:
		return new(conformance.Because(conformance.MostMade, "the run has reached its limit of %s", conformance.Count(l.most, "booking")))
	}
	return nil
}

// books reports whether a call is a POST of /book, which may create a journey, even as an edit.
func books(l client.Call) bool {
	return l.Op == rules.OpBook && (l.Method == "" || l.Method == "POST")
}

// admit reports whether a call may be made; if not, it blocks the probe.
func (c *testUser) admit(l client.Call) bool {
	if !c.canContinue() {
		return false
	}
	if !books(l) {
		return true
	}
	if why := c.run.bookings.take(c.probe); why != nil {
		c.blockFor(*why)
		return false
	}
	return true
}

// noteNameless handles a booking that was answered as made but without a journeyId. If
// /user does not list the journey either, it cannot be cancelled, and the run makes no more
// bookings. But if /user lists other journeys of the run, the booking was not made: it is
// a refusal answered with 200.
func (c *testUser) noteNameless(x *conformance.Exchange) {
	r := c.run
	named := x.Reply().At("journeyId").Scalar() != "" || rules.IsEdit(x)
	if r.target.KeepGoing || !x.Sound || !x.Succeeded() || named || c.ctx.Err() != nil {
		return
	}
	r.bookings.trying.Lock()
	defer r.bookings.trying.Unlock()
	if r.bookings.stopped.Load() != nil {
		return
	}
	found, asked := r.findUnsureBooking(context.WithoutCancel(c.ctx), unsureBooking{x, c})
	if found || asked && r.listsBookings() {
		return
	}
	r.bookings.stopped.Store(new(conformance.Because(conformance.CannotCancel,
		"a booking was answered without a journeyId, and /user does not name it: it cannot be cancelled, so no more are made")))
}

// noteCancel handles a /cancel that failed. If the journey cannot be cancelled on a second
// try, the run makes no more bookings, since all of them would be left over.
func (c *testUser) noteCancel(x *conformance.Exchange) {
	id := x.Sent().At("journeyId").Scalar()
	r := c.run
	if r.target.KeepGoing || !x.Sound || id == "" || rules.SaysCancelled(x) || !r.open.has(id) || c.ctx.Err() != nil {
		return
	}
	r.bookings.trying.Lock()
	defer r.bookings.trying.Unlock()
	if r.bookings.stopped.Load() != nil || !r.open.has(id) {
		return
	}
	owner := *c
	why := r.cancelOpen(context.WithoutCancel(c.ctx), &bookedJourney{id: id, user: &owner})
	if why == "" {
		return
	}
	r.bookings.stopped.Store(new(conformance.Because(conformance.CannotCancel, "a booking could not be cancelled, so no more are made: %s", why)))
}
