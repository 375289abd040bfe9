package conformance

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// object is a JSON object to be sent.
type object = map[string]any

// caller is one end user in one story. Its methods are the steps of the story.
// Once a step on which the others depend has failed, the caller is blocked and
// further steps do nothing, so that stories read straight through.
type caller struct {
	inventor
	ctx    context.Context
	run    *run
	probe  *probeRun
	phone  string
	name   string
	userID string // as the server told it; "": not told yet
	known  bool   // the server has served /user for this number
}

// ride is a journey that a story made.
type ride struct {
	id     string
	booked object // the booking as sent
	caller *caller
}

// newCaller returns the first end user of a story, whom no other story has
// meanwhile.
func (r *run) newCaller(ctx context.Context, p *probeRun) *caller {
	p.phones = r.phones.take(max(p.users, 1))
	return r.callerOf(ctx, p, 0)
}

// callerOf returns the nth end user of a story, from 0.
func (r *run) callerOf(ctx context.Context, p *probeRun, n int) *caller {
	in := newInventor(&r.target, fmt.Sprintf("%s/%d", p.name, n))
	return &caller{inventor: in, ctx: ctx, run: r, probe: p, phone: p.phones[n], name: in.name(), known: len(r.target.Phones) > 0}
}

// another returns one more end user of the same story. Without a number for them
// the story ends.
func (c *caller) another() *caller {
	if c.probe.callers+1 >= len(c.probe.phones) {
		c.blockFor(needs(AidNumbers, "%s: the target names %d", count(c.probe.users, "end user"), len(c.probe.phones)))
		return c
	}
	c.probe.callers++
	return c.run.callerOf(c.ctx, c.probe, c.probe.callers)
}

// block ends the probe for want of something on which it depends.
func (c *caller) block(kind ReasonKind, form string, args ...any) {
	c.blockFor(because(kind, form, args...))
}

// blockFor ends the probe for a reason.
func (c *caller) blockFor(why Reason) { c.probe.block(why) }

// nothing is what a blocked caller's calls return.
var nothing = &Exchange{Err: "not sent"}

// going reports whether the story goes on: not when it is blocked or the run was
// stopped.
func (c *caller) going() bool {
	switch {
	case c.ctx.Err() != nil:
		c.blockFor(interrupted())
	case c.run.gone.Load():
		c.block(ServerGone, "the server did not come back after it was restarted")
	}
	return c.probe.blockedBy() == nil
}

// send makes a call, unless the story is blocked or the run was stopped.
func (c *caller) send(l letter) *Exchange {
	if !c.going() {
		return nothing
	}
	x := c.run.send(c.ctx, c.probe.name, l)
	if x.Unsent != nil {
		c.blockFor(*x.Unsent)
	}
	c.learn(x)
	return x
}

// interrupted is the reason of a probe whose run was stopped.
func interrupted() Reason { return because(Interrupted, "the run was interrupted") }

// learn takes down what a reply says of the caller, and every journey made.
func (c *caller) learn(x *Exchange) {
	if x.Response == nil && c.ctx.Err() != nil {
		c.blockFor(interrupted()) // this may have been the last step
	}
	switch {
	case x.unmade():
	case x.Operation == OpBook:
		c.run.ledger.learn(x, c)
		if x.Resent {
			c.run.ledger.cut(x, c) // the first attempt may have made a journey, too
		}
	case x.Operation == OpCancel && saysCancelled(x):
		c.run.ledger.gone(x.Reply().at("journeyId").scalar())
	case x.Operation == OpUser && served(x) && x.Sent().at("phoneNumber").text() == c.phone:
		c.userID, c.known = x.Reply().at("userId").scalar(), true
	}
}

// config makes a plain call of /config.
func (c *caller) config(body object) {
	c.send(letter{op: OpConfig, body: encode(body), sound: true})
}

// look makes a plain call of /user for the caller.
func (c *caller) look() *Exchange {
	return c.send(letter{op: OpUser, body: encode(object{"phoneNumber": c.phone}), sound: c.known})
}

// booking returns a sound booking of the caller's, a week ahead.
func (c *caller) booking() object {
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
	return c.apart(b)
}

// with returns a copy of an object with some members changed; nil takes one out.
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
func (c *caller) tryBook(body object, intent Intent) *Exchange {
	return c.send(letter{op: OpBook, body: encode(body), intent: intent})
}

// bookAs makes a booking that a right server serves, and blocks without it.
func (c *caller) bookAs(body object) *ride {
	x := c.send(letter{op: OpBook, body: encode(body), sound: true})
	if !served(x) {
		c.block(NotServed, "a booking was not served: %s", clip(answer(x).show(), 120))
	}
	return &ride{id: x.Reply().at("journeyId").scalar(), booked: body, caller: c}
}

// book makes an ordinary booking.
func (c *caller) book() *ride { return c.bookAs(c.booking()) }

// settle makes sure that the server knows the caller and that their userId is
// known: by looking, and if need be by booking first.
func (c *caller) settle() {
	if c.userID != "" {
		return
	}
	if c.look(); c.userID == "" {
		c.book()
		c.identify()
	}
}

// identify asks for the caller's userId after a booking.
func (c *caller) identify() {
	if c.userID != "" {
		return
	}
	if x := c.look(); c.userID == "" {
		c.block(FailedBefore, "the server never told a userId: /user for a number that has booked was answered %d", x.code())
	}
}

// edit changes a journey and sends the whole booking.
func (j *ride) edit(changes object) {
	c := j.caller
	j.booked = c.apart(with(j.booked, changes))
	body := with(j.booked, object{"journeyId": j.id})
	if c.userID != "" {
		body["userId"] = c.userID
	}
	j.inDoubt(c.send(letter{op: OpBook, body: encode(body), sound: true}))
}

// inDoubt looks at a journey after a call that was refused: it may have gone on by
// itself meanwhile.
func (j *ride) inDoubt(x *Exchange) {
	if x.refusedCleanly() {
		j.status()
	}
}

// ref names the journey as /cancel and /status take it.
func (j *ride) ref() object {
	return object{"userId": j.caller.userID, "journeyId": j.id}
}

// status reads the journey.
func (j *ride) status() {
	j.caller.identify()
	j.caller.send(letter{op: OpStatus, body: encode(j.ref()), sound: true})
}

// cancel cancels the journey.
func (j *ride) cancel() {
	j.caller.identify()
	j.inDoubt(j.caller.send(letter{op: OpCancel, body: encode(j.ref()), sound: true}))
}

// post makes a call with a body of the story's choice.
func (c *caller) post(op Operation, body any, intent Intent) *Exchange {
	return c.send(letter{op: op, body: encode(body), intent: intent})
}

// together makes calls at the same time, each for the caller that it is from, and
// returns them in the order given.
func (c *caller) together(letters ...letter) []*Exchange {
	if c.run.single {
		c.block(NotApplicable, "the server takes one connection at a time")
	}
	calls := make([]*Exchange, len(letters))
	if !c.going() {
		for i := range calls {
			calls[i] = nothing
		}
		return calls
	}
	done := make(chan struct{})
	for i, l := range letters {
		go func() {
			calls[i] = c.run.send(c.ctx, c.probe.name, l)
			done <- struct{}{}
		}()
	}
	for range letters {
		<-done
	}
	for i, x := range calls {
		if by := letters[i].from; by != nil {
			by.learn(x)
		} else {
			c.learn(x)
		}
	}
	return calls
}
