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

// cleanUpTime bounds the cancelling at the end of a run, also of one that was
// stopped.
const cleanUpTime = 30 * time.Second

// cleanUp cancels every journey of the run and returns those that it could not.
func (r *run) cleanUp(ctx context.Context) []Leftover {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
	defer stop()
	r.findStrays(ctx)
	var mu sync.Mutex
	var left []Leftover
	var g errgroup.Group
	g.SetLimit(r.target.Width)
	for _, j := range r.ledger.rides() {
		g.Go(func() error {
			if reason := r.cancelOpen(ctx, j); reason != "" {
				mu.Lock()
				defer mu.Unlock()
				left = append(left, Leftover{JourneyID: j.id, UserID: j.caller.userID, Reason: reason})
			}
			return nil
		})
	}
	_ = g.Wait() // no function returns an error
	slices.SortFunc(left, func(a, b Leftover) int { return strings.Compare(a.JourneyID, b.JourneyID) })
	return left
}

// findStrays looks for journeys of bookings that were cut off: they are among
// their caller's active bookings, at the very address and time that were sent.
func (r *run) findStrays(ctx context.Context) {
	r.ledger.mu.Lock()
	all := r.ledger.unsure
	r.ledger.unsure = nil
	r.ledger.mu.Unlock()
	for _, u := range all {
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
			}
		}
	}
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
	return fmt.Sprintf("/cancel was answered %d, /status %d %s", x.code(), s.code(), s.reply.at("status").text())
}

// over reports a reply that tells of a journey which has ended or is not known.
func over(x *Exchange) bool {
	if x.succeeded() {
		return taxi.Status(x.reply.at("status").text()).Terminal()
	}
	return x.code() == http.StatusNotFound || x.code() == http.StatusGone
}
