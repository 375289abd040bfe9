package dispatchside

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

func (r *run) report(results []conformance.Result, left []conformance.Leftover, started time.Time) *conformance.Report {
	rep := &conformance.Report{
		Checks:     results,
		Target:     r.Redactor().URL(r.target.URL),
		Started:    started,
		Duration:   r.target.since(started),
		Seed:       conformance.Seed(r.target.Seed),
		Only:       r.target.Only,
		LookedOnly: r.target.ReadOnly,
		Leftovers:  r.Redactor().Leftovers(left),
		Preflight:  r.Steps,
		Exchanges:  r.History,
		Hide:       r.Redactor().Exchange,
		Suite:      r.suite,
	}
	rep.DeadAids = r.deadAids()
	rep.Score(conformance.Scoring{}, started)
	return rep
}

// deadAids returns the reasons why given aids failed; an advance aid that has worked before does not count.
func (r *run) deadAids() (all []conformance.Reason) {
	if why := r.advanceFailed.Load(); why != nil && !r.advanceWorked.Load() {
		all = append(all, *why)
	}
	if why := r.restartFailed.Load(); why != nil {
		all = append(all, *why)
	}
	if why := r.clockFailed.Load(); why != nil {
		all = append(all, *why)
	}
	return all
}

// soFar is the state that tellSoFar keeps between its reports.
type soFar struct {
	mu    sync.Mutex
	next  time.Time // the earliest time of the next report
	calls int       // calls judged in the last report
}

// Limits on how often the verdicts so far are reported, so that judging slows a run only slightly.
const (
	leastBetween  = 200 * time.Millisecond
	timesToWait   = 8 // multiple of the time that judging took
	fewestNewOnes = 5 // new calls since the last report
)

// tellSoFar reports the verdicts so far, unless it did so a moment ago.
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
