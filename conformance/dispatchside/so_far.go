package dispatchside

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// soFar is when verdicts were last told while a run goes on.
type soFar struct {
	mu    sync.Mutex
	next  time.Time // not before
	calls int       // that they were made of
}

// Judging takes longer the more calls there are: it is done so seldom that a run takes
// little longer for it.
const (
	leastBetween  = 200 * time.Millisecond
	timesToWait   = 8 // as long as judging took
	fewestNewOnes = 5 // calls since the last time
)

// tellSoFar tells what the calls so far show, unless that was done a moment ago.
func (r *run) tellSoFar() {
	s := &r.soFar
	if r.target.SoFar == nil || !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	began := r.target.Now()
	r.Mu.Lock()
	history := r.History[:len(r.History):len(r.History)]
	r.Mu.Unlock()
	if began.Before(s.next) || len(history)-s.calls < fewestNewOnes {
		return
	}
	results := conformance.AskedFor(r.suite.Conclude(r.suite.Judge(history, nil), conformance.Unseen), r.target.Only)
	r.target.SoFar(r.Redactor().Results(results))
	s.calls, s.next = len(history), r.target.Now().Add(max(leastBetween, timesToWait*r.target.since(began)))
}
