package dispatchside

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// bookingLimit says whether a run may book one more journey. A call of /book
// is a booking here, since an edit may become one. A probe that begins has those that it usually makes kept for it: those that begin later, and run beside it, may be faster.
type bookingLimit struct {
	most    int                                // 0: no limit
	stopped atomic.Pointer[conformance.Reason] // no more are made at all

	mu   sync.Mutex
	free int // bookings that are neither made nor kept for a probe
	kept map[*probeRun]int

	trying sync.Mutex // held while it is found out whether a journey can be cancelled
}

func newBookingLimit(most int) *bookingLimit {
	return &bookingLimit{most: most, free: most, kept: map[*probeRun]int{}}
}

// keep keeps bookings for a probe, if there are so many.
func (l *bookingLimit) keep(p *probeRun, bookings int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.free >= bookings {
		l.free -= bookings
		l.kept[p] = bookings
	}
}

// end gives what a probe did not need to the others.
func (l *bookingLimit) end(p *probeRun) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free += l.kept[p]
	delete(l.kept, p)
}

// take counts a booking that a probe is about to make, or says why it makes none.
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
		return new(conformance.Because(conformance.MostMade, "the run may make %s, and has made them", conformance.Count(l.most, "booking")))
	}
	return nil
}

// books reports a call that may make a journey, as any call of /book does that names
// none.
func books(l client.Call) bool {
	return l.Op == rules.OpBook && (l.Method == "" || l.Method == "POST")
}

// admit reports whether a call may be made; when it may not, the probe ends.
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

// noteNameless looks at a booking that was answered as made and without its journeyId.
// If /user does not name the journey either it cannot be cancelled, and nothing more is
// booked; but where /user lists other journeys of the run it was not made: a refusal that
// is answered 200.
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

// noteCancel looks at a /cancel that did not do what it should. If the journey cannot
// be cancelled when asked again, nothing more is booked: it would all be left behind.
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
