package conformance

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Leftover is a journey that a run made and could not cancel.
type Leftover struct {
	JourneyID string `json:"journeyId"`
	UserID    string `json:"userId,omitempty"`
	Reason    string `json:"reason"`
}

// ledger lists the journeys that a run has made and not yet cancelled.
type ledger struct {
	mu     sync.Mutex
	open   map[string]*caller
	known  map[string]bool // every journey that the run heard of
	unsure []unsure
}

// unsure is a booking whose answer never came: it may have been made.
type unsure struct {
	call   *Exchange
	caller *caller
}

func newLedger() ledger { return ledger{open: map[string]*caller{}, known: map[string]bool{}} }

func (l *ledger) made(id string, c *caller) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[id], l.known[id] = c, true
}

func (l *ledger) gone(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, id)
}

func (l *ledger) cut(x *Exchange, c *caller) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsure = append(l.unsure, unsure{x, c})
}

// rides returns what is open, in a stable order.
func (l *ledger) rides() []*ride {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rides []*ride
	for id, c := range l.open {
		rides = append(rides, &ride{id: id, caller: c})
	}
	slices.SortFunc(rides, func(a, b *ride) int { return strings.Compare(a.id, b.id) })
	return rides
}

// How long the cancelling at the end of a run may take, and how many calls it
// makes at a time. Whoever interrupts a run does not want to wait, and does want
// no taxi to come.
const (
	cleanUpTime = 30 * time.Second
	hurry       = 1600 * time.Millisecond
	hurryWidth  = 64
)

// cleanUp cancels every journey of the run and returns those that it could not.
func (r *run) cleanUp(ctx context.Context) []Leftover {
	width, interrupted := r.target.Width, ctx.Err() != nil
	if interrupted {
		width = hurryWidth
	}
	limited, stop := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
	defer stop()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(hurry, stop) })() // also of an interruption to come
	ctx = limited
	if !r.revive(ctx) {
		return r.ledger.abandoned()
	}
	if interrupted {
		// A booking under way when the run was stopped may be made after the first
		// look.
		beside(2, []func(){func() { r.findStrays(ctx, width, true) }, func() { r.cancelAll(ctx, width) }})
		var left []Leftover
		beside(2, []func(){func() { left = r.findStrays(ctx, width, false) }, func() { r.cancelAll(ctx, width) }})
		return append(left, r.cancelAll(ctx, width)...)
	}
	left := r.findStrays(ctx, width, false)
	return append(left, r.cancelAll(ctx, width)...)
}

// abandoned lists all that is open, for want of a server to cancel it.
func (l *ledger) abandoned() []Leftover {
	const reason = "the server stopped answering"
	var left []Leftover
	for _, j := range l.rides() {
		left = append(left, Leftover{JourneyID: j.id, UserID: j.caller.userID, Reason: reason})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	cut := 0
	for _, u := range l.unsure {
		if !strings.Contains(u.call.Err, "refused") { // without a connection nothing was booked
			cut++
		}
	}
	if cut > 0 {
		left = append(left, Leftover{JourneyID: "unknown", Reason: reason + " during " + count(cut, "booking") + " under names that begin " + passengerName})
	}
	return left
}

// beside does things side by side, so many at a time.
func beside(width int, things []func()) {
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

// cancelAll cancels what is open and returns what could not be cancelled.
func (r *run) cancelAll(ctx context.Context, width int) []Leftover {
	var mu sync.Mutex
	var left []Leftover
	var things []func()
	for _, j := range r.ledger.rides() {
		things = append(things, func() {
			if reason := r.cancelOpen(ctx, j); reason != "" {
				mu.Lock()
				defer mu.Unlock()
				left = append(left, Leftover{JourneyID: j.id, UserID: j.caller.userID, Reason: reason})
			}
		})
	}
	beside(width, things)
	slices.SortFunc(left, func(a, b Leftover) int { return strings.Compare(a.JourneyID, b.JourneyID) })
	return left
}

// findStrays looks for journeys of bookings that were cut off: they are among
// their caller's active bookings, at the very address and time that were sent.
// With again, those not found are looked for another time. It returns those that
// nobody could be asked about.
func (r *run) findStrays(ctx context.Context, width int, again bool) []Leftover {
	r.ledger.mu.Lock()
	all := r.ledger.unsure
	r.ledger.unsure = nil
	r.ledger.mu.Unlock()
	var left []Leftover
	var things []func()
	for _, u := range all {
		things = append(things, func() {
			found, asked := r.findStray(ctx, u)
			r.ledger.mu.Lock()
			defer r.ledger.mu.Unlock()
			switch {
			case !found && again:
				r.ledger.unsure = append(r.ledger.unsure, u)
			case !asked:
				left = append(left, Leftover{JourneyID: "unknown", UserID: u.caller.userID, Reason: "a booking under the name " +
					u.caller.name + " got no answer, and /user could not be asked about it"})
			}
		})
	}
	beside(width, things)
	return left
}

// findStray looks for the journey of one booking that was cut off, and takes it
// down. It reports whether it was found, and whether the server could be asked.
func (r *run) findStray(ctx context.Context, u unsure) (found, asked bool) {
	c := *u.caller
	c.ctx, c.probe = ctx, &probe{name: "clean-up"}
	x := c.send(letter{op: OpUser, body: encode(object{"phoneNumber": c.phone}), intent: intentCleanUp})
	for _, j := range x.journeys() {
		id := j.at("journeyId").scalar()
		r.ledger.mu.Lock()
		known := r.ledger.known[id]
		r.ledger.mu.Unlock()
		sent := u.call.sent
		if !known && id != "" && likenessOf(j.at("pickup"), sent.at("pickup")).same() &&
			(!j.at("date").given() || sameInstant(j.at("date"), sent.at("pickupTime"))) {
			r.ledger.made(id, &c)
			found = true
		}
	}
	return found, x.Response != nil
}

// cancelOpen cancels one journey and says why it could not.
func (r *run) cancelOpen(ctx context.Context, j *ride) string {
	p := &probe{name: "clean-up"}
	c := *j.caller
	c.ctx, c.probe, j.caller = ctx, p, &c
	if c.userID == "" {
		c.send(letter{op: OpUser, body: encode(object{"phoneNumber": c.phone}), intent: intentCleanUp})
	}
	x := c.send(letter{op: OpCancel, body: encode(j.ref()), intent: intentCleanUp})
	if saysCancelled(x) {
		return ""
	}
	s := c.send(letter{op: OpStatus, body: encode(j.ref()), intent: intentCleanUp})
	if over(s) {
		return ""
	}
	if ctx.Err() != nil {
		return "there was no time left to cancel it"
	}
	return fmt.Sprintf("/cancel was answered %s, /status %s %s", answered(x), answered(s), s.reply.at("status").text())
}

// over reports a reply that tells of a journey which has ended or is not known.
func over(x *Exchange) bool {
	if x.succeeded() {
		return taxi.Status(x.reply.at("status").text()).Terminal()
	}
	return x.code() == http.StatusNotFound || x.code() == http.StatusGone
}
