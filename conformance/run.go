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
	stuck  atomic.Bool  // the advance hook has failed
	slots  atomic.Int64 // journeys booked for the advance hook
	probes []*probe
	steps  []Step // of the preflight
	news   news
	single bool // the server takes one connection at a time
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
	r := &run{target: target, ledger: newLedger(), probes: chosen(target.Only)}
	r.recorder = newRecorder(&r.target)
	started := target.Now()
	if err := r.preflight(ctx); err != nil {
		return nil, err
	}
	r.fitWidth(ctx)
	r.tell(ctx, first)
	r.tell(ctx, aside)
	r.tell(ctx, last)
	r.cleanUp(ctx) // hooks may move the server's clock: no journey should be there to move with it
	r.tell(ctx, finale)
	left := r.cleanUp(ctx)
	found := read(r.history)
	if r.explore(ctx, found) {
		left = append(left, r.cleanUp(ctx)...)
		found = read(r.history)
	}
	results := r.weigh(r.history, found)
	r.announce(results, true)
	return r.report(results, left, started), nil
}

// nextPhone numbers the end users of a run.
func (r *run) nextPhone() int { return int(r.phones.Add(1)) }

// tell runs the stories of a turn: side by side, or one by one.
func (r *run) tell(ctx context.Context, when turn) {
	var g errgroup.Group
	g.SetLimit(r.target.Width)
	if when != aside {
		g.SetLimit(1)
	}
	for _, p := range r.probes {
		if p.turn == when {
			teller := r.newCaller(ctx, p, 0)
			g.Go(func() error {
				p.tell(teller)
				r.over(p)
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
	return r.weigh(history, read(history))
}

// weigh makes verdicts of judgements and hides telephone numbers in them.
func (r *run) weigh(history []*Exchange, found []judgement) []Result {
	results := weighAll(found, r.absent)
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
	if len(r.target.Only) > 0 && !slices.Contains(r.target.Only, c.ID) {
		return Finding{Outcome: NotVerified, Message: "left out: only " + strings.Join(r.target.Only, ", ") + " was asked for", Clause: c.Clause}
	}
	for _, p := range r.probes {
		if why := p.obstacle(); p.covering(c.ID) && why != "" {
			return Finding{Outcome: NotVerified, Message: fmt.Sprintf("%q could not be told to its end: %s", p.name, why), Clause: c.Clause}
		}
	}
	if c.Needs != "" {
		return Finding{Outcome: NotVerified, Message: "not seen: " + c.Needs, Clause: c.Clause}
	}
	for _, p := range r.probes {
		if why := p.obstacle(); why != "" && strings.HasPrefix(c.ID, "W-") {
			return Finding{Outcome: NotVerified, Message: "too little was answered: " + why, Clause: c.Clause}
		}
	}
	return Finding{Outcome: Broken, Message: fmt.Sprintf("the suite came to no verdict on %s for %s", c.ID, op)}
}
