package conformance

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// silence finds out that a server has stopped answering: what comes then says
// nothing of the interface.
type silence struct {
	mu     sync.Mutex
	since  []*Exchange // calls without an answer since the last one that had one
	asking bool        // somebody is making sure
	found  atomic.Pointer[Cause]
}

// mostUnanswered is how many calls in a row go unanswered before a run asks itself
// whether anybody is there.
const mostUnanswered = 8

// heed takes down how a call came off and reports whether it is time to make sure
// that somebody is there. Calls that are broken off on purpose say nothing.
func (s *silence) heed(x *Exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.Response != nil {
		s.since = nil
		return false
	}
	if x.Intent == intentHangUp || x.Intent == intentSlow {
		return false
	}
	s.since = append(s.since, x)
	if len(s.since) < mostUnanswered || s.asking || s.found.Load() != nil {
		return false
	}
	s.asking = true
	return true
}

// settle ends the asking.
func (s *silence) settle(answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking = false
	if answered {
		s.since = nil
		return
	}
	first := s.since[0]
	for _, x := range s.since {
		if x.ID < first.ID {
			first = x
		}
	}
	s.found.Store(&Cause{
		Message: fmt.Sprintf("the server stopped answering at call %d, %s %s", first.ID, first.Request.Method, first.Operation.Path()),
		Cure:    "see the server's log for what that call did; " + first.Err, Operation: first.Operation, Call: first.ID, Ends: true,
	})
}

// cause returns what was found; nil: the server answers.
func (s *silence) cause() *Cause { return s.found.Load() }

// heed has an eye on whether the server still answers.
func (r *recorder) heed(ctx context.Context, x *Exchange) {
	if r.silent.heed(x) {
		r.silent.settle(r.answers(ctx))
	}
}

// answers makes plain calls, off the record, until one is answered.
func (r *recorder) answers(ctx context.Context) bool {
	const tries, breather, enough = 2, 300 * time.Millisecond, 3 * time.Second
	for range tries {
		x := r.once(ctx, "", letter{op: OpConfig, body: encode(object{}), alone: true, within: enough})
		if x.Response != nil {
			return true
		}
		if !pause(ctx, breather) {
			return true // stopped: nothing was found out
		}
	}
	return false
}

// unsent is what comes of a call to a server that has stopped answering: none is
// made.
func (r *recorder) unsent(l letter) *Exchange {
	l.gate.pass()
	return &Exchange{Err: r.silent.cause().Message}
}

// spoken leaves out of a history what a server that has stopped answering left
// without an answer.
func (r *recorder) spoken(history []*Exchange) []*Exchange {
	if r.silent.cause() == nil {
		return history
	}
	var last time.Time
	for _, x := range history {
		if x.Response != nil && x.Intent != intentCleanUp && x.Started.After(last) {
			last = x.Started
		}
	}
	var heard []*Exchange
	for _, x := range history {
		if x.Response != nil || x.ended().Before(last) {
			heard = append(heard, x)
		}
	}
	return heard
}

// revive looks whether a server that had stopped answering is there again, so that
// its journeys can be cancelled.
func (r *recorder) revive(ctx context.Context) bool {
	return r.silent.cause() == nil || r.answers(ctx)
}
