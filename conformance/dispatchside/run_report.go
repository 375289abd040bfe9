package dispatchside

import (
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

// deadAids returns why given aids never worked.
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
