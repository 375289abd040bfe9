package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// run is one execution of the suite.
type run struct {
	*recorder
	target Target
	ledger ledger
	phones atomic.Int64
	probes []*probe
}

// Run tests a server and returns the verdicts. The error is [*Unreachable] when
// there was nothing to test, [ErrHost] when the target must not be tested, and
// says what is missing when the target is not usable. A run that was stopped
// through ctx cancels the journeys it made and returns what it has.
func Run(ctx context.Context, target Target) (*Report, error) {
	target, err := target.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &run{target: target, ledger: ledger{open: map[string]*caller{}}, probes: probes()}
	r.recorder = newRecorder(&r.target)
	started := target.Now()
	if err := r.preflight(ctx); err != nil {
		return nil, err
	}
	r.tell(ctx, false)
	if target.Progress != nil {
		r.announce(r.results(), false)
	}
	r.cleanUp(ctx) // hooks may move the server's clock: no journey should be there to move with it
	r.tell(ctx, true)
	left := r.cleanUp(ctx)
	results := r.results()
	if target.Progress != nil {
		r.announce(results, true)
	}
	return r.report(results, left, started), nil
}

// nextPhone numbers the end users of a run.
func (r *run) nextPhone() int { return int(r.phones.Add(1)) }

// tell runs the loud stories side by side, or the quiet ones one by one.
func (r *run) tell(ctx context.Context, quiet bool) {
	var g errgroup.Group
	g.SetLimit(r.target.Width)
	if quiet {
		g.SetLimit(1)
	}
	for _, p := range r.probes {
		if p.quiet == quiet {
			first := r.newCaller(ctx, p, 0)
			g.Go(func() error {
				p.tell(first)
				return nil
			})
		}
	}
	_ = g.Wait() // no story returns an error
}

// lastOf returns the last exchange of a story with an operation.
func (r *run) lastOf(probe string, op Operation) *Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range slices.Backward(r.history) {
		if x.Probe == probe && x.Operation == op {
			return x
		}
	}
	return nothing
}

// results judges what has been recorded so far.
func (r *run) results() []Result {
	r.mu.Lock()
	history := slices.Clone(r.history)
	r.mu.Unlock()
	results := weighAll(read(history), r.absent)
	mask := newMask(history)
	for i := range results {
		for k := range results[i].Findings {
			mask.finding(&results[i].Findings[k])
		}
	}
	return results
}

// absent says why no rule spoke of a check. Silence that nothing explains is the
// suite's own mistake.
func (r *run) absent(c Check, op Operation) Finding {
	for _, p := range r.probes {
		if p.covering(c.ID) && p.blocked != "" {
			return Finding{Outcome: NotVerified, Message: fmt.Sprintf("%q could not be told to its end: %s", p.name, p.blocked), Clause: c.Clause}
		}
	}
	if c.Needs != "" {
		return Finding{Outcome: NotVerified, Message: "not seen: " + c.Needs, Clause: c.Clause}
	}
	for _, p := range r.probes {
		if p.blocked != "" && strings.HasPrefix(c.ID, "W-") {
			return Finding{Outcome: NotVerified, Message: "too little was answered: " + p.blocked, Clause: c.Clause}
		}
	}
	return Finding{Outcome: Broken, Message: fmt.Sprintf("the suite came to no verdict on %s for %s", c.ID, op)}
}

// announce hands on the verdicts that stand: those that no quiet story can
// change, and then the others.
func (r *run) announce(results []Result, quiet bool) {
	for _, res := range results {
		waits := slices.ContainsFunc(r.probes, func(p *probe) bool { return p.quiet && p.covering(res.ID) })
		if waits == quiet {
			r.target.Progress(res)
		}
	}
}
