package dispatchside

import (
	"context"
	_ "embed" // costs.txt
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
)

// Run tests a server and returns the verdicts. The error is [*conformance.Unreachable] if
// the server cannot be tested, [ErrHost] if the target is not allowed, and otherwise
// says what is wrong with the target. A run interrupted through ctx cancels the journeys
// that it made and returns the results so far.
func Run(ctx context.Context, target Target) (*conformance.Report, error) {
	target, err := target.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := reach(ctx, target)
	if err != nil {
		return nil, err
	}
	started := r.started
	defer r.sayWhenStopped(ctx)()
	if r.ProbeConcurrency(ctx); r.OneConnection {
		r.target.Width = 1
	}
	r.planProbes(ctx)
	r.runProbes(ctx, first)
	r.measure(ctx, second, parallel, last, afterCleanUp)
	r.runProbes(ctx, parallel)
	r.measure(ctx, last, afterCleanUp)
	left := r.cleanUp(ctx) // before aids move the server's clock, so that no open journey is affected
	if ctx.Err() == nil {
		r.runProbes(ctx, afterCleanUp)
		left = r.cleanUp(ctx)
	}
	history := r.BeforeSilence(r.History)
	found := r.suite.Judge(history, nil)
	if r.exploreWalk(ctx, found) {
		left = r.cleanUp(ctx)
		history = r.BeforeSilence(r.History)
		found = r.suite.Judge(history, nil)
	}
	if ctx.Err() == nil {
		left = r.recheck(ctx, r.completeOpen(ctx, left))
	}
	results := r.verdicts(found)
	report := r.report(results, left, started)
	r.addCauses(ctx, report, history)
	return report, nil
}

// newRun returns a run of a target that has not started.
func newRun(target Target) *run {
	r := &run{suite: SuiteWith(target.Own), target: target, open: newOpenBookings(), bookings: newBookingLimit(target.MaxBookings)}
	config := target.config()
	config.TimeLeft = r.timeLeft
	r.Client, r.phones = client.NewClient(config), newNumbers(&r.target)
	return r
}

// addCauses adds the causes of the failures to a report.
func (r *run) addCauses(ctx context.Context, report *conformance.Report, history []*conformance.Exchange) {
	if ctx.Err() != nil {
		report.Explain()
		report.Interrupt()
		return
	}
	report.Explain(r.Redactor().Causes(r.causes(history, report.Checks))...)
	if r.Silent.Cause() == nil {
		report.Unshown = excuseStrangers(r.unshown(report.Checks), report.Checks)
	}
	report.Score(conformance.Scoring{}, report.Started)
}

// runProbes runs the probes of a phase: concurrently or one by one.
func (r *run) runProbes(ctx context.Context, when phase) {
	var g errgroup.Group
	g.SetLimit(r.target.Width)
	if when != parallel {
		g.SetLimit(1)
	}
	for _, p := range r.probes {
		if p.phase == when {
			user := r.newUser(ctx, p)
			r.bookings.reserve(p, r.target.costOf([]*probeRun{p}).Sent)
			g.Go(func() error {
				p.run(user)
				r.bookings.end(p)
				r.phones.release(p.phones)
				r.done.count()
				r.tellSoFar()
				return nil
			})
		}
	}
	_ = g.Wait() // no probe returns an error
}

// measure runs the probes of a phase that measure sequential calls, unless the rest of the run
// would then, at the pace so far, exceed its time limit.
func (r *run) measure(ctx context.Context, when phase, rest ...phase) {
	r.latency = r.meanTook()
	left := slices.DeleteFunc(slices.Clone(r.probes), func(p *probeRun) bool { return p.phase != when && !slices.Contains(rest, p.phase) })
	if r.timeLeft() < r.estimate(left) {
		for _, p := range left {
			if p.phase == when {
				p.block(conformance.Because(conformance.OutOfTime, "at %s per answer there is no time to measure sequential calls", rounded(r.latency)))
			}
		}
	}
	r.runProbes(ctx, when)
}

// CostOf estimates the load of a run on a target's server. A server that knows a user only
// after a booking gets slightly more calls.
func CostOf(t Target) Cost { return t.costOf(chosen(t.Only)) }
