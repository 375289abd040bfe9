package client

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Silence detects that a server has stopped answering. Later failures are then no evidence
// about the interface.
type Silence struct {
	mu         sync.Mutex
	unanswered []*conformance.Exchange // calls without an answer since the last answered one
	asking     bool                    // a check of the server is running
	found      atomic.Pointer[conformance.Cause]

	refused map[conformance.Operation]int                     // by operation: consecutive calls given up because of 429
	waited  map[conformance.Operation][]*conformance.Exchange // by operation: calls that timed out since its last answer
}

// mostWaits is how many consecutive calls of an operation may time out before no more of its calls are
// made, since each takes the whole timeout.
const mostWaits = 5

// FirstUnanswered returns the first of an operation's calls that timed out, if so many did that no more are
// made; otherwise nil.
func (s *Silence) FirstUnanswered(op conformance.Operation) *conformance.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waited[op]) < mostWaits {
		return nil
	}
	return s.waited[op][0]
}

// mostRefusals is how many consecutive calls of an operation may be given up because of 429 before no more
// of its calls are made.
const mostRefusals = 2

// noteRefusal records a call that was given up for 429.
func (s *Silence) noteRefusal(op conformance.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[op]++
}

// Overrun reports whether an operation is no longer called because the server keeps answering 429.
func (s *Silence) Overrun(op conformance.Operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[op] >= mostRefusals
}

// Forgive resets the counts of refused calls, so that operations given up because of 429 are called again.
func (s *Silence) Forgive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.refused)
}

// noteWait counts consecutive timeouts of an operation; an answer resets the count. Calls that may hang on
// purpose do not count.
func (s *Silence) noteWait(x *conformance.Exchange, l Call, had time.Duration) {
	switch {
	case len(s.waited[x.Operation]) >= mostWaits: // already given up
	case x.Response != nil:
		delete(s.waited, x.Operation)
	case x.Took >= had && !l.delayedOrAborted() && !l.ExtraConnection && !l.MayHang:
		s.waited[x.Operation] = append(s.waited[x.Operation], x)
	}
}

// mostUnanswered is how many calls in a row may go unanswered before the run checks
// whether the server is still there.
const mostUnanswered = 8

// note records whether a call was answered. It reports whether it is time to check that the
// server is still there. Calls that the client aborts do not count.
func (s *Silence) note(x *conformance.Exchange, l Call, had time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteWait(x, l, had)
	if x.Response != nil {
		s.unanswered, s.refused[x.Operation] = nil, 0
		return false
	}
	if l.delayedOrAborted() {
		return false
	}
	s.unanswered = append(s.unanswered, x)
	if len(s.unanswered) < mostUnanswered || s.asking || s.found.Load() != nil {
		return false
	}
	s.asking = true
	return true
}

// endAsking records whether the server answered the check that note called for. If it did not, the run has
// its cause: the server stopped answering.
func (s *Silence) endAsking(answered bool) {
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
	s.found.Store(&conformance.Cause{
		Message: conformance.Worded(fmt.Sprintf("the server stopped answering at call %d, %s %s", first.ID, first.Request.Method, first.Operation.Path())),
		Cure:    "see the server's log for what that call did; " + first.Err, Operation: first.Operation, Call: first.ID, Ends: true,
	})
}

// Cause returns the cause that was found, or nil if the server answers.
func (s *Silence) Cause() *conformance.Cause { return s.found.Load() }

// noteAnswer records whether a call was answered. After many calls without an answer it checks that the
// server is still there.
func (r *Client) noteAnswer(ctx context.Context, x *conformance.Exchange, l Call) {
	if x.Response != nil {
		r.pace.serve(x.Ended())
	}
	if r.Silent.note(x, l, r.Config.Timeout) {
		r.Silent.endAsking(r.Answers(ctx))
	}
}

// Answers makes plain calls, which are not recorded, and reports whether one of them was answered. If the run
// is stopped, it returns true.
func (r *Client) Answers(ctx context.Context) bool {
	const tries, breather, enough = 2, 300 * time.Millisecond, 3 * time.Second
	hello := r.Config.Hello
	hello.OwnConnection, hello.Within = true, enough
	for range tries {
		x := r.Once(ctx, "", hello)
		if x.Response != nil {
			return true
		}
		if !Pause(ctx, breather) {
			return true // stopped: unknown
		}
	}
	return false
}

// skipReason returns why a call is not made: the server or the operation has stopped
// answering, or keeps answering 429. It returns nil if the call is made. Clean-up calls are
// skipped only because of 429.
func (r *Client) skipReason(l Call) *conformance.Reason {
	if r.abandoned() {
		return new(conformance.Because(conformance.Interrupted, "the run was aborted"))
	}
	if r.Config.Barred != nil {
		if why := r.Config.Barred(l); why != nil {
			return why
		}
	}
	if r.Silent.Overrun(l.Op) {
		return new(conformance.Because(conformance.RateLimited, "%s was answered 429 repeatedly, so no more calls are made", l.Op.Path()))
	}
	if l.Intent == conformance.IntentCleanUp {
		return nil
	}
	if c := r.Silent.Cause(); c != nil {
		return new(conformance.Because(conformance.ServerGone, "%s", c.Message))
	}
	if x := r.Silent.FirstUnanswered(l.Op); x != nil {
		return new(conformance.Because(conformance.Unanswered, "%s", UnansweredText(x)))
	}
	return nil
}

// UnansweredText returns why no more calls of the operation of x are made.
func UnansweredText(x *conformance.Exchange) string {
	return fmt.Sprintf("%s did not answer %d calls in a row (from call %d), so no more are made", x.Operation.Path(), mostWaits, x.ID)
}

// unsent returns the exchange of a call that is not made.
func (r *Client) unsent(l Call, why *conformance.Reason) *conformance.Exchange {
	l.Gate.signalReached()
	return &conformance.Exchange{Operation: l.Op, Err: why.String(), Unsent: why}
}

// BeforeSilence returns the calls without those that got no answer because the server had
// stopped answering.
func (r *Client) BeforeSilence(history []*conformance.Exchange) []*conformance.Exchange {
	if r.Silent.Cause() == nil {
		return history
	}
	var last time.Time
	for _, x := range history {
		if x.Response != nil && x.Intent != conformance.IntentCleanUp && x.Started.After(last) {
			last = x.Started
		}
	}
	var heard []*conformance.Exchange
	for _, x := range history {
		if x.Response != nil || x.Ended().Before(last) {
			heard = append(heard, x)
		}
	}
	return heard
}
