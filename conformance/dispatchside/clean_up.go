package dispatchside

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// cancelTries is how often the clean-up calls /cancel for a journey at most, while the server
// neither confirms nor refuses.
const cancelTries = 3

// cleanUp cancels every journey of the run, also after the run was stopped, and returns
// those that are left. It ends when each has been tried, or the server stops answering.
func (r *run) cleanUp(ctx context.Context) []conformance.Leftover {
	interrupted := ctx.Err() != nil
	if interrupted && r.stopTold != nil {
		<-r.stopTold
	}
	ctx = context.WithoutCancel(ctx)
	r.Silent.Forgive()
	r.silentBefore = r.Silent.Cause()
	var left []conformance.Leftover
	if r.answersAgain(ctx) {
		r.findUnsureBookings(ctx, interrupted)
		left = r.cancelAll(ctx)
		if interrupted { // an interrupted booking may be made after the first read
			r.findUnsureBookings(ctx, false)
			left = r.cancelAll(ctx)
		}
	} else {
		left = r.open.abandoned()
	}
	r.open.mu.Lock()
	defer r.open.mu.Unlock()
	return append(left, r.open.leftovers...)
}

// recheck reads at the end whether the users of the run still have journeys, since a server
// may answer CANCELLED without cancelling. It cancels those once more; journeys still
// listed after that are left over. For numbers given by the target, only journeys of the
// run count.
func (r *run) recheck(ctx context.Context, left []conformance.Leftover) []conformance.Leftover {
	if r.Silent.Cause() != nil {
		return left
	}
	_, having := r.cancelAgain(ctx, r.open.allBookers())
	// Again, since a server that lists everybody's journeys showed some before their own users cancelled them.
	listed, _ := r.cancelAgain(ctx, having)
	r.open.addLeftovers(listed...)
	for _, l := range listed {
		if !slices.ContainsFunc(left, func(other conformance.Leftover) bool { return other.ID == l.ID }) {
			left = append(left, l)
		}
	}
	return left
}

// cancelAgain cancels the journeys listed for each user, and returns those still listed,
// and their users.
func (r *run) cancelAgain(ctx context.Context, users []*testUser) (left []conformance.Leftover, having []*testUser) {
	var mu sync.Mutex
	var things []func()
	for _, user := range users {
		c := *user
		c.ctx, c.probe = ctx, &probeRun{probe: probe{name: conformance.ProbeCleanUp}}
		things = append(things, func() {
			listed := c.cancelListed()
			if len(listed) == 0 {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			left, having = append(left, listed...), append(having, user)
		})
	}
	inParallel(r.target.Width, things)
	return left, having
}

// cancelListed cancels the journeys listed for a user and returns those still
// listed.
func (c *testUser) cancelListed() []conformance.Leftover {
	listed := func() (ids []string) {
		x := c.send(client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Intent: conformance.IntentCleanUp})
		for _, j := range rules.Journeys(x) {
			id := j.At("journeyId").Scalar()
			over := taxi.Status(j.At("status").Text()).Terminal()
			if id != "" && !over && (len(c.target.Phones) == 0 || c.run.open.hasSeen(id)) {
				ids = append(ids, id)
			}
		}
		return ids
	}
	found := listed()
	for _, id := range found {
		c.send(client.Call{Op: rules.OpCancel, Body: encode((&bookedJourney{id: id, user: c}).ids()), Intent: conformance.IntentCleanUp})
	}
	if len(found) == 0 {
		return nil
	}
	var left []conformance.Leftover
	for _, id := range listed() {
		left = append(left, conformance.Leftover{ID: id, UserID: c.userID, Reason: "/user lists it after /cancel"})
	}
	return left
}

// completeOpen uses the advance aid to end journeys that are under way and can no longer be
// cancelled, and returns those still left. It runs last, since the aid may move the
// server's clock by days.
func (r *run) completeOpen(ctx context.Context, left []conformance.Leftover) []conformance.Leftover {
	if len(left) == 0 || r.target.Advance == nil {
		return left
	}
	for _, j := range r.open.journeys() {
		_ = r.target.Advance(ctx, taxi.JourneyID(j.id), taxi.Complete) // the next read shows whether it worked
	}
	return r.cleanUp(ctx)
}

// abandoned returns all open journeys as leftovers, after the server has stopped answering.
func (l *openBookings) abandoned() []conformance.Leftover {
	const reason = serverGone
	var left []conformance.Leftover
	for _, j := range l.journeys() {
		left = append(left, conformance.Leftover{ID: j.id, UserID: j.user.userID, Reason: reason})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	cut := 0
	for _, u := range l.unsure {
		if u.call.ErrKind != conformance.ErrRefused { // without a connection nothing was booked
			cut++
		}
	}
	if cut > 0 {
		left = append(left, conformance.Leftover{ID: "unknown", Reason: reason + " during " + conformance.Count(cut, "booking") + " under names that start with " + passengerName})
	}
	return left
}

// inParallel runs functions concurrently, at most width at a time.
func inParallel(width int, things []func()) {
	var g errgroup.Group
	g.SetLimit(width)
	for _, do := range things {
		g.Go(func() error {
			do()
			return nil
		})
	}
	_ = g.Wait() // nothing returns an error
}

// cancelAll cancels all open journeys and returns those that could not be cancelled.
func (r *run) cancelAll(ctx context.Context) []conformance.Leftover {
	var mu sync.Mutex
	var left []conformance.Leftover
	var things []func()
	open := r.open.journeys()
	done := progress{teller: r.teller, stage: conformance.StageCancelling, all: len(open), left: r.cancelling}
	for _, j := range open {
		things = append(things, func() {
			if reason := r.cancelOpen(ctx, j); reason != "" {
				mu.Lock()
				defer mu.Unlock()
				left = append(left, conformance.Leftover{ID: j.id, UserID: j.user.userID, Reason: reason})
			}
			done.count()
		})
	}
	inParallel(r.target.Width, things)
	slices.SortFunc(left, func(a, b conformance.Leftover) int { return strings.Compare(a.ID, b.ID) })
	return left
}

// findUnsureBookings looks for the journeys of interrupted bookings among their users'
// active bookings, by the address and time that were sent. If again is set, those not found
// are tried once more later; otherwise they are left over.
func (r *run) findUnsureBookings(ctx context.Context, again bool) {
	r.open.mu.Lock()
	all := r.open.unsure
	r.open.unsure = nil
	r.open.mu.Unlock()
	var things []func()
	for _, u := range all {
		things = append(things, func() {
			found, asked := r.findUnsureBooking(ctx, u)
			lost := conformance.Leftover{ID: "unknown", UserID: u.user.userID, Reason: "a booking under the name " + u.user.name}
			switch {
			case found:
			case again:
				r.open.addUnsure(u.call, u.user)
			case asked && r.listsBookings():
				// not listed, so not made
			case u.call.Succeeded() && u.call.Reply().At("journeyId").Scalar() == "":
				lost.Reason += " was answered " + report.Answered(u.call) + " without a journeyId"
				r.open.addLeftovers(lost)
			case !asked:
				lost.Reason += " got no answer, and /user did not answer either"
				r.open.addLeftovers(lost)
			case u.call.Response == nil && u.call.ErrKind != conformance.ErrRefused:
				lost.Reason += " got no answer, and /user lists no bookings"
				r.open.addLeftovers(lost)
			}
		})
	}
	inParallel(r.target.Width, things)
}

// listsBookings reports whether /user has listed any journey of the run. If so, a journey
// that is not listed was not made.
func (r *run) listsBookings() bool {
	r.Mu.Lock()
	history := r.History[:len(r.History):len(r.History)]
	r.Mu.Unlock()
	return slices.ContainsFunc(history, func(x *conformance.Exchange) bool {
		return x.Operation == rules.OpUser && slices.ContainsFunc(rules.Journeys(x), func(j jsonvalue.Value) bool {
			return r.open.hasSeen(j.At("journeyId").Scalar())
		})
	})
}

// findUnsureBooking looks for the journey of one interrupted booking, and records it. It
// reports whether it was found, and whether the server answered.
func (r *run) findUnsureBooking(ctx context.Context, u unsureBooking) (found, asked bool) {
	if r.gone() {
		return false, false
	}
	c := *u.user
	c.ctx, c.probe = ctx, &probeRun{probe: probe{name: conformance.ProbeCleanUp}}
	x := c.send(client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Intent: conformance.IntentCleanUp})
	for _, j := range rules.Journeys(x) {
		id := j.At("journeyId").Scalar()
		known := r.open.hasSeen(id)
		sent := u.call.Sent()
		if id == "" || !rules.LikenessOf(j.At("pickup"), sent.At("pickup")).Same() ||
			j.At("date").Given() && !rules.SameInstant(j.At("date"), sent.At("pickupTime")) {
			continue
		}
		if found = true; !known { // a known journey is cancelled elsewhere
			r.open.add(id, &c)
		}
	}
	return found, x.Response != nil
}

// cancelOpen cancels one journey. It returns "", or why the journey is left over.
func (r *run) cancelOpen(ctx context.Context, j *bookedJourney) string {
	p := &probeRun{probe: probe{name: conformance.ProbeCleanUp}}
	c := *j.user
	c.ctx, c.probe, j.user = ctx, p, &c
	if r.gone() {
		return serverGone
	}
	if c.userID == "" {
		c.send(client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Intent: conformance.IntentCleanUp})
	}
	if c.own != "" && !r.open.names(c.userID) { // booked for nobody, so first under the user's own id: only that can be judged
		c.userID, c.own = c.own, c.userID
	}
	x := r.tryCancel(j)
	if rules.SaysCancelled(x) && c.own == "" {
		return ""
	}
	s := c.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Intent: conformance.IntentCleanUp})
	switch {
	case s.Succeeded() && isOver(s.Reply().At("status").Text()):
		r.open.remove(j.id)
		return ""
	case s.RefusedCleanly() && c.own != "" && c.own != c.userID: // the server filed it under the other of the two ids
		c.userID = c.own
		return r.cancelOpen(ctx, j)
	case rules.SaysCancelled(x): // and no list that the run reads would show it
		if s.Succeeded() {
			r.open.addLeftovers(conformance.Leftover{ID: j.id, UserID: c.userID, Reason: "/status finds it after /cancel"})
		}
		return ""
	case c.userID == "":
		return "the server never sent the userId that /cancel requires"
	case s.RefusedCleanly() && !c.lists(j.id):
		return r.cancelForPassenger(&c, j.id)
	case r.gone():
		return serverGone
	case x.NotMade():
		return x.Err
	}
	return fmt.Sprintf("/cancel was answered %s, /status %s %s", report.Answered(x), report.Answered(s), s.Reply().At("status").Text())
}

// cancelForPassenger cancels a journey that the server does not know under the userId
// that booked it, but has assigned to a passenger. It returns "", or why the journey is
// left over.
func (r *run) cancelForPassenger(c *testUser, id string) string {
	passenger := *c
	for passenger.phone = r.open.popPassenger(id); passenger.phone != ""; passenger.phone = r.open.popPassenger(id) {
		if passenger.userID = ""; passenger.lists(id) && passenger.userID != "" {
			return r.cancelOpen(c.ctx, &bookedJourney{id: id, user: &passenger})
		}
	}
	return ""
}

// tryCancel cancels a journey. It tries up to cancelTries times while the server neither
// confirms nor refuses.
func (r *run) tryCancel(j *bookedJourney) *conformance.Exchange {
	x := nothing
	for n := 0; n < cancelTries && !r.gone() && r.Silent.FirstUnanswered(rules.OpCancel) == nil; n++ {
		x = j.user.send(client.Call{Op: rules.OpCancel, Body: encode(j.ids()), Intent: conformance.IntentCleanUp})
		if x.NotMade() || x.Succeeded() || x.RefusedCleanly() {
			break
		}
	}
	return x
}

// isOver reports whether a status is final: a terminal one, or any that starts with CANCEL.
func isOver(status string) bool {
	return taxi.Status(status).Terminal() || strings.HasPrefix(strings.ToUpper(status), "CANCEL")
}

// lists reports whether /user lists a journey or gives no clear answer: a journey that /status does
// not know may still be active.
func (c *testUser) lists(id string) bool {
	x := c.send(client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Intent: conformance.IntentCleanUp})
	return !x.RefusedCleanly() && !x.Succeeded() || containsJourney(x, id)
}

// containsJourney reports whether a reply contains a journey.
func containsJourney(x *conformance.Exchange, id string) bool {
	return slices.ContainsFunc(rules.Journeys(x), func(j jsonvalue.Value) bool { return j.At("journeyId").Scalar() == id })
}

// serverGone is the reason why nothing could be cancelled.
const serverGone = "the server stopped answering"

// gone reports whether the server has stopped answering since the clean-up began.
func (r *run) gone() bool { return r.Silent.Cause() != r.silentBefore }

// answersAgain reports whether the journeys can be cancelled: the server has not stopped answering,
// or it answers again.
func (r *run) answersAgain(ctx context.Context) bool {
	if r.Silent.Cause() == nil && !r.notBack.Load() {
		return true
	}
	there := r.Answers(ctx)
	r.notBack.Store(!there)
	return there
}
