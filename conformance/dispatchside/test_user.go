package dispatchside

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// object is a JSON object to send.
type object = map[string]any

// testUser is one end user in one probe. Its methods are the steps of the probe. When a
// step that others depend on has failed, the probe is blocked, and further steps do
// nothing.
type testUser struct {
	inventor
	ctx    context.Context
	run    *run
	probe  *probeRun
	phone  string
	name   string
	userID string // from the server; "": not yet known
	own    string // a second userId under which the server may have filed a booking; "": none
	known  bool   // the server has served /user for this number
}

// bookedJourney is a journey that a probe booked.
type bookedJourney struct {
	id     string
	booked object // the booking as sent
	user   *testUser
}

// newUser returns the first end user of a probe. Until the probe ends, no other probe uses its
// numbers.
func (r *run) newUser(ctx context.Context, p *probeRun) *testUser {
	p.phones = r.phones.take(max(p.users, 1))
	return r.userOf(ctx, p, 0)
}

// userOf returns the nth end user of a probe, from 0.
func (r *run) userOf(ctx context.Context, p *probeRun, n int) *testUser {
	in := newInventor(&r.target, fmt.Sprintf("%s/%d", p.name, n))
	return &testUser{inventor: in, ctx: ctx, run: r, probe: p, phone: p.phones[n], name: in.name(), known: len(r.target.Phones) > 0}
}

// anotherUser returns one more end user of the same probe. If there is no number left,
// it blocks the probe.
func (c *testUser) anotherUser() *testUser {
	if c.probe.others+1 >= len(c.probe.phones) {
		c.blockFor(conformance.Needs(conformance.AidNumbers, "%s: the target names %d", conformance.Count(c.probe.users, "end user"), len(c.probe.phones)))
		return c
	}
	c.probe.others++
	return c.run.userOf(c.ctx, c.probe, c.probe.others)
}

// block ends the probe because something that it needs is missing.
func (c *testUser) block(kind conformance.ReasonKind, form string, args ...any) {
	c.blockFor(conformance.Because(kind, form, args...))
}

// blockFor ends the probe for a reason.
func (c *testUser) blockFor(why conformance.Reason) { c.probe.block(why) }

// nothing is the exchange that the calls of a blocked probe return: none was sent.
var nothing = &conformance.Exchange{Err: "not sent"}

// canContinue reports whether the probe may continue. It may not if it is blocked or the
// run was stopped.
func (c *testUser) canContinue() bool {
	switch {
	case c.ctx.Err() != nil:
		c.blockFor(interrupted())
	case c.run.notBack.Load():
		c.block(conformance.ServerGone, "the server did not answer after a restart")
	case c.probe.name != conformance.ProbeCleanUp && c.run.timeIsUp():
		c.block(conformance.OutOfTime, "the run reached its time limit of %s", c.target.MaxTime)
	}
	return c.probe.blockedBy() == nil
}

// send makes a call, unless the probe is blocked or the run was stopped.
func (c *testUser) send(l client.Call) *conformance.Exchange {
	if !c.admit(l) {
		return nothing
	}
	c.run.teller.remind()
	l.Finish = books(l) && !l.HangUp
	failed, x := c.sendTwice(l)
	c.noteReply(failed) // it may have created a journey
	if x.Unsent != nil {
		c.blockFor(*x.Unsent)
	}
	c.noteReply(x)
	return x
}

// sendTwice makes a call, and repeats it if it failed. failed is the first of two calls, or
// [nothing] if there was only one.
func (c *testUser) sendTwice(l client.Call) (failed, x *conformance.Exchange) {
	x = c.run.Send(c.ctx, c.probe.name, l)
	if !c.shouldRepeat(x, l) || !c.admit(l) {
		return nothing, x
	}
	l.Again = x.ID
	again := c.run.Send(c.ctx, c.probe.name, l)
	c.run.unansweredOperations.note(again)
	return x, again
}

// shouldRepeat reports whether to repeat a failed call: a correct server may rarely fail, and
// the repetition distinguishes a fault from chance.
func (c *testUser) shouldRepeat(x *conformance.Exchange, l client.Call) bool {
	failed := x.Failed() && (x.Response != nil || !l.MayHang)
	held := l.Gate != nil || l.HangUp || l.Within > 0
	return failed && !held && !x.NotMade() && x.Unsent == nil && !c.run.unansweredOperations.was(x) && c.ctx.Err() == nil
}

// unansweredOperations records the operations whose last repeated call got no response either. Their unanswered calls are not
// repeated, to save time.
type unansweredOperations struct {
	mu  sync.Mutex
	ops map[conformance.Operation]bool
}

func (v *unansweredOperations) note(x *conformance.Exchange) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ops == nil {
		v.ops = map[conformance.Operation]bool{}
	}
	v.ops[x.Operation] = x.Response == nil
}

func (v *unansweredOperations) was(x *conformance.Exchange) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return x.Response == nil && v.ops[x.Operation]
}

// interrupted is the reason of a probe whose run was stopped.
func interrupted() conformance.Reason {
	return conformance.Because(conformance.Interrupted, "the run was interrupted")
}

// noteReply records the user and the journeys in a reply.
func (c *testUser) noteReply(x *conformance.Exchange) {
	if x == nothing {
		return
	}
	if x.Failed() && c.ctx.Err() != nil {
		c.blockFor(interrupted()) // this may have been the last step
	}
	switch {
	case x.NotMade():
	case x.Operation == rules.OpBook:
		c.run.open.noteReply(x, c)
		c.noteNameless(x)
		if x.Resent {
			c.run.open.addUnsure(x, c) // the first attempt may have created a journey, too
		}
	case x.Operation == rules.OpCancel && rules.SaysCancelled(x):
		c.run.open.remove(x.Reply().At("journeyId").Scalar())
	case x.Operation == rules.OpCancel:
		c.noteCancel(x)
	case x.Operation == rules.OpUser && rules.Served(x) && x.Sent().At("phoneNumber").Text() == c.phone:
		c.userID, c.known = x.Reply().At("userId").Scalar(), true
	}
}

// config calls /config with a body that a correct server serves.
func (c *testUser) config(body object) {
	c.send(client.Call{Op: rules.OpConfig, Body: encode(body), Sound: true})
}

// lookUp calls /user for the user's number and returns the exchange.
func (c *testUser) lookUp() *conformance.Exchange {
	return c.send(client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": c.phone}), Sound: c.known})
}

// booking returns a valid booking of the user, a week ahead.
func (c *testUser) booking() object {
	b := object{
		"name":        c.name,
		"phoneNumber": c.phone,
		"pickup":      c.place(),
		"dropoffs":    []taxi.Address{c.place()},
		"pickupTime":  c.pickup().Format(time.RFC3339),
	}
	if c.userID != "" {
		b["userId"] = c.userID
	}
	return c.withDistinctStops(b)
}

// with returns a copy of an object with some members changed. A nil value removes a
// member.
func with(o, changes object) object {
	o = maps.Clone(o)
	for key, v := range changes {
		if v == nil {
			delete(o, key)
		} else {
			o[key] = v
		}
	}
	return o
}

// tryBook sends a booking that may be refused.
func (c *testUser) tryBook(body object, intent conformance.Intent) *conformance.Exchange {
	return c.send(client.Call{Op: rules.OpBook, Body: encode(body), Intent: intent})
}

// bookAs makes a booking that a correct server serves, and blocks the probe if it is
// refused.
func (c *testUser) bookAs(body object) *bookedJourney {
	x := c.send(client.Call{Op: rules.OpBook, Body: encode(body), Sound: true})
	if c.mayBeTooFarAhead(x) { // the interface shows no lead time, so a server may have one
		body, x = c.bookNearer(body, x)
	}
	if !rules.Served(x) {
		why := conformance.Because(refusalOf(x), "a booking was not served: %s", jsonvalue.Clip(conformance.Answer(x).Show(), 120))
		if open := c.run.open.of(c.phone); open > 0 && x.RefusedCleanly() && x.Code() != http.StatusBadRequest && x.Code() != http.StatusNotFound {
			why = conformance.Because(conformance.Limited, "this server keeps %s of one user (%s)", conformance.Count(open, "booking"), jsonvalue.Clip(conformance.Answer(x).Show(), 80))
		}
		if x.Code() == http.StatusNotFound && x.Reply().IsObject() && len(c.target.Phones) == 0 {
			why.Aid = conformance.AidNumbers // it may serve only its customers
		}
		c.blockFor(why)
	}
	return &bookedJourney{id: x.Reply().At("journeyId").Scalar(), booked: body, user: c}
}

// bookNearer repeats a refused booking with a pickup a day ahead. Once a server has refused that, it repeats no more.
func (c *testUser) bookNearer(body object, refused *conformance.Exchange) (object, *conformance.Exchange) {
	lead := c.target.lead
	if !lead.nearer.Load() {
		lead.mu.Lock()
		defer lead.mu.Unlock()
		if lead.tried && !lead.nearer.Load() {
			return body, refused
		}
		lead.tried = true
	}
	body = with(body, object{"pickupTime": c.target.Now().UTC().Truncate(time.Minute).Add(24 * time.Hour).Format(time.RFC3339)})
	x := c.send(client.Call{Op: rules.OpBook, Body: encode(body), Sound: true})
	if rules.Served(x) {
		lead.nearer.Store(true)
	}
	return body, x
}

// mayBeTooFarAhead reports whether a booking may have been refused since its pickup is too far ahead: none that far ahead
// has been served.
func (c *testUser) mayBeTooFarAhead(x *conformance.Exchange) bool {
	if !x.RefusedCleanly() || slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusTooManyRequests}, x.Code()) {
		return false
	}
	at, err := taxi.ParseTime(x.Sent().At("pickupTime").Text())
	return err == nil && c.run.open.of(c.phone) == 0 && at.After(c.target.Now().Add(48*time.Hour)) && !c.run.servedAsFarAhead(at.Time)
}

// refusalOf returns the kind of reason for a call that was not served.
func refusalOf(x *conformance.Exchange) conformance.ReasonKind {
	if x.Code() == http.StatusTooManyRequests {
		return conformance.RateLimited
	}
	return conformance.NotServed
}

// book makes an ordinary booking.
func (c *testUser) book() *bookedJourney { return c.bookAs(c.booking()) }

// ensureKnown makes sure that the server knows the user and that the userId is known: by
// /user, after a booking if necessary.
func (c *testUser) ensureKnown() {
	if c.userID != "" {
		return
	}
	if c.lookUp(); c.userID == "" {
		j := c.book()
		c.ensureUserID()
		j.cancel() // a server may limit the open bookings of a user
	}
}

// ensureUserID reads the user's userId after a booking.
func (c *testUser) ensureUserID() {
	if c.userID != "" {
		return
	}
	if x := c.lookUp(); c.userID == "" {
		c.block(conformance.FailedBefore, "the server never sent a userId: /user for a number that has booked was answered %d", x.Code())
	}
}

// edit changes a journey and sends the whole booking.
func (j *bookedJourney) edit(changes object) {
	c := j.user
	j.booked = c.withDistinctStops(with(j.booked, changes))
	body := with(j.booked, object{"journeyId": j.id})
	if c.userID != "" {
		body["userId"] = c.userID
	}
	j.rereadIfRefused(c.send(client.Call{Op: rules.OpBook, Body: encode(body), Sound: true}))
}

// rereadIfRefused reads a journey after a refused call, since its status may have changed
// by itself.
func (j *bookedJourney) rereadIfRefused(x *conformance.Exchange) {
	if x.RefusedCleanly() {
		j.status()
	}
}

// ids returns the ids of the journey for /cancel and /status.
func (j *bookedJourney) ids() object {
	return object{"userId": j.user.userID, "journeyId": j.id}
}

// status reads the journey.
func (j *bookedJourney) status() {
	j.user.ensureUserID()
	j.user.send(client.Call{Op: rules.OpStatus, Body: encode(j.ids()), Sound: true})
}

// cancel cancels the journey.
func (j *bookedJourney) cancel() {
	j.user.ensureUserID()
	j.rereadIfRefused(j.user.send(client.Call{Op: rules.OpCancel, Body: encode(j.ids()), Sound: true}))
}

// post makes a call with any body.
func (c *testUser) post(op conformance.Operation, body any, intent conformance.Intent) *conformance.Exchange {
	return c.send(client.Call{Op: op, Body: encode(body), Intent: intent})
}

// sendTogether makes calls at the same time.
func (c *testUser) sendTogether(letters ...client.Call) {
	c.sendTogetherFor([]*testUser{c}, letters...)
}

// sendTogetherFor makes calls at the same time, and records the replies for the users in turn.
func (c *testUser) sendTogetherFor(users []*testUser, letters ...client.Call) []*conformance.Exchange {
	if c.run.OneConnection {
		c.block(conformance.NotApplicable, "the server accepts one connection at a time")
	}
	calls, failed := make([]*conformance.Exchange, len(letters)), make([]*conformance.Exchange, len(letters))
	for i, l := range letters {
		if !c.admit(l) {
			for i := range calls {
				calls[i] = nothing
			}
			return calls
		}
		letters[i].Finish = books(l)
	}
	done := make(chan struct{})
	for i, l := range letters {
		go func() { // the loop below waits for each
			failed[i], calls[i] = c.sendTwice(l)
			done <- struct{}{}
		}()
	}
	for range letters {
		<-done
	}
	for i, x := range calls {
		users[i%len(users)].noteReply(failed[i])
		users[i%len(users)].noteReply(x)
	}
	return calls
}

// encode encodes a body; the bodies of probes can always be encoded.
func encode(body any) []byte {
	if raw, ok := body.(json.RawMessage); ok {
		return raw
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic("conformance: " + err.Error())
	}
	return b
}
