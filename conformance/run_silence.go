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
	mu         sync.Mutex
	unanswered []*Exchange // calls without an answer since the last one that had one
	asking     bool        // somebody is making sure
	found      atomic.Pointer[Cause]

	waited map[Operation][]*Exchange // calls of each operation that were waited for in vain since its last answer
}

// mostWaits is how many calls of an operation in a row are waited for in vain
// before no more of it are made: each takes as long as a caller may wait.
const mostWaits = 5

// firstUnanswered returns the first of an operation's calls that were waited for in vain,
// when no more are made; nil: it is called.
func (s *silence) firstUnanswered(op Operation) *Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waited[op]) < mostWaits {
		return nil
	}
	return s.waited[op][0]
}

// noteWait takes down whether a call was answered in the time that it had.
func (s *silence) noteWait(x *Exchange, had time.Duration) {
	switch {
	case len(s.waited[x.Operation]) >= mostWaits: // once is enough
	case x.Response != nil:
		delete(s.waited, x.Operation)
	case x.Took >= had && x.Intent != intentSlow && x.Intent != intentHangUp && x.Intent != intentBeside && !isBad(x.Intent):
		s.waited[x.Operation] = append(s.waited[x.Operation], x)
	}
}

// mostUnanswered is how many calls in a row go unanswered before a run asks itself
// whether anybody is there.
const mostUnanswered = 8

// note takes down how a call came off and reports whether it is time to make sure
// that somebody is there. Calls that are broken off on purpose say nothing.
func (s *silence) note(x *Exchange, had time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteWait(x, had)
	if x.Response != nil {
		s.unanswered = nil
		return false
	}
	if x.Intent == intentHangUp || x.Intent == intentSlow {
		return false
	}
	s.unanswered = append(s.unanswered, x)
	if len(s.unanswered) < mostUnanswered || s.asking || s.found.Load() != nil {
		return false
	}
	s.asking = true
	return true
}

// endAsking ends the asking.
func (s *silence) endAsking(answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking = false
	if answered {
		s.unanswered = nil
		return
	}
	first := s.unanswered[0]
	for _, x := range s.unanswered {
		if x.ID < first.ID {
			first = x
		}
	}
	s.found.Store(&Cause{
		Message: wording(fmt.Sprintf("the server stopped answering at call %d, %s %s", first.ID, first.Request.Method, first.Operation.Path())),
		Cure:    "see the server's log for what that call did; " + first.Err, Operation: first.Operation, Call: first.ID, Ends: true,
	})
}

// cause returns what was found; nil: the server answers.
func (s *silence) cause() *Cause { return s.found.Load() }

// noteAnswer has an eye on whether the server still answers.
func (r *client) noteAnswer(ctx context.Context, x *Exchange) {
	if r.silent.note(x, r.target.Timeout) {
		r.silent.endAsking(r.answers(ctx))
	}
}

// answers makes plain calls, off the record, until one is answered.
func (r *client) answers(ctx context.Context) bool {
	const tries, breather, enough = 2, 300 * time.Millisecond, 3 * time.Second
	for range tries {
		x := r.once(ctx, "", call{op: OpConfig, body: encode(object{}), ownConnection: true, within: enough})
		if x.Response != nil {
			return true
		}
		if !pause(ctx, breather) {
			return true // stopped: nothing was found out
		}
	}
	return false
}

// skipReason says why a call is not made: the server, or the operation, has stopped
// answering; nil: it is made, as those are that clean up.
func (r *client) skipReason(l call) *Reason {
	if l.intent == intentCleanUp {
		return nil
	}
	if c := r.silent.cause(); c != nil {
		return new(because(ServerGone, "%s", c.Message))
	}
	if x := r.silent.firstUnanswered(l.op); x != nil {
		return new(because(Unanswered, "%s", unansweredText(x)))
	}
	return nil
}

// unansweredText says why no more calls are made of the operation of x.
func unansweredText(x *Exchange) string {
	return fmt.Sprintf("%s has let %d calls in a row wait for nothing (from call %d): no more are made", x.Operation.Path(), mostWaits, x.ID)
}

// unsent is what comes of a call that is not made.
func (r *client) unsent(l call, why *Reason) *Exchange {
	l.gate.pass()
	return &Exchange{Operation: l.op, Err: why.String(), Unsent: why}
}

// beforeSilence leaves out of a history what a server that has stopped answering left
// without an answer.
func (r *client) beforeSilence(history []*Exchange) []*Exchange {
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

// answersAgain looks whether a server that had stopped answering is there again, so that
// its journeys can be cancelled.
func (r *run) answersAgain(ctx context.Context) bool {
	if r.silent.cause() == nil && !r.notBack.Load() {
		return true
	}
	there := r.answers(ctx)
	r.notBack.Store(!there)
	return there
}
