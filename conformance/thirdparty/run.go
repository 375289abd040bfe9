package thirdparty

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
)

// run is one execution of the suite.
type run struct {
	*client.Client
	suite         *conformance.Suite
	target        Target
	open          openBookings
	bookings      *bookingLimit
	phones        *numbers
	advanceFailed atomic.Pointer[conformance.Reason] // why the advance aid has failed
	notBack       atomic.Bool                        // the server did not come back after it was restarted
	inVain        inVain
	slots         atomic.Int64       // journeys booked for the advance aid
	silentBefore  *conformance.Cause // what was known of a server's silence when the cancelling began
	latency       time.Duration      // of an answer, before the first booking
	started       time.Time          // when the run began, after the server was there
	probes        []*probeRun
	done          progress
	earlyJourney  *bookedJourney // a journey that was cancelled at the beginning
}

// Run tests a server and returns the verdicts. The error is [*conformance.Unreachable] when
// there was nothing to test, [ErrHost] when the target must not be tested, and
// says what is missing when the target is not usable. A run that was interrupted
// through ctx cancels the journeys it made, as far as that can be done in a
// moment, and returns what it has.
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
	if r.ProbeConcurrency(ctx); r.OneConnection {
		r.target.Width = 1
	}
	r.planProbes(ctx)
	r.runProbes(ctx, first)
	r.runProbes(ctx, second)
	r.runProbes(ctx, parallel)
	r.runProbes(ctx, last)
	left := r.cleanUp(ctx) // aids may move the server's clock: no journey should be there to move with it
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

// newRun makes an execution that has not begun.
func newRun(target Target) *run {
	r := &run{suite: &Suite, target: target, open: newOpenBookings(), bookings: &bookingLimit{most: target.MaxBookings}}
	r.Client, r.phones = client.NewClient(target.config()), newNumbers(&r.target)
	return r
}

// addCauses adds to a report what caused its verdicts.
func (r *run) addCauses(ctx context.Context, report *conformance.Report, history []*conformance.Exchange) {
	if ctx.Err() != nil {
		report.Interrupt()
		return
	}
	report.Causes = r.Redactor().Causes(r.causes(history, report.Checks))
	if r.Silent.Cause() == nil {
		report.Unshown = r.unshown(report.Checks)
	}
	report.Score(conformance.Scoring{}, report.Started)
}

// runProbes runs the probes of a phase: side by side, or one by one.
func (r *run) runProbes(ctx context.Context, when phase) {
	var g errgroup.Group
	g.SetLimit(r.target.Width)
	if when != parallel {
		g.SetLimit(1)
	}
	for _, p := range r.probes {
		if p.phase == when {
			user := r.newUser(ctx, p)
			g.Go(func() error {
				p.run(user)
				r.phones.giveBack(p.phones)
				r.done.count()
				return nil
			})
		}
	}
	_ = g.Wait() // no probe returns an error
}

// lastOf returns the last call that a probe made of an operation.
func (r *run) lastOf(probe conformance.ProbeName, op conformance.Operation) *conformance.Exchange {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	for _, x := range slices.Backward(r.History) {
		if x.Probe == probe && x.Operation == op {
			return x
		}
	}
	return nothing
}

// verdicts makes verdicts of the findings, adds why probes did not finish, and hides
// telephone numbers and credentials.
func (r *run) verdicts(found []conformance.FiledFinding) []conformance.Result {
	results := r.suite.Conclude(found, r.absent)
	for i := range results {
		r.addReason(&results[i])
	}
	return r.Redactor().Results(results)
}

// addReason adds to a check that a rule could not verify the reason why a probe did
// not finish.
func (r *run) addReason(res *conformance.Result) {
	why := r.blockedBy(res.ID)
	if res.Outcome != conformance.NotVerified || why == nil || !why.ServerOwn() || r.Silent.Cause() != nil {
		return
	}
	f := &res.Findings[0]
	if f.Reason != nil && f.Reason.Probe != "" {
		return // it says so itself
	}
	f.Reason = why
	f.Message += ": " + why.Brief()
}

// blockedBy returns the reason why a probe on which a check depends did not finish, or
// nil if all finished.
func (r *run) blockedBy(id string) *conformance.Reason {
	for _, p := range r.probes {
		if why := p.blockedBy(); why != nil && p.depends(id) {
			return why
		}
	}
	return nil
}

// speaksJSON reports whether an operation has been answered with a JSON object.
func (r *run) speaksJSON(op conformance.Operation) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return slices.ContainsFunc(r.History, func(x *conformance.Exchange) bool { return x.Operation == op && x.Succeeded() && x.Reply().IsObject() })
}

// absent says why no rule judged a check. If nothing explains it, the suite itself is
// wrong.
func (r *run) absent(c conformance.Check, op conformance.Operation) conformance.Finding {
	if why := r.whyAbsent(c, op); why != nil {
		return conformance.Finding{Outcome: conformance.NotVerified, Clause: c.Clause, Message: why.String(), Reason: why}
	}
	return conformance.Finding{Outcome: conformance.Broken, Clause: c.Clause, Message: conformance.Worded(fmt.Sprintf("the suite came to no verdict on %s for %s", c.ID, op))}
}

// whyAbsent returns that reason, or nil if there is none.
func (r *run) whyAbsent(c conformance.Check, op conformance.Operation) *conformance.Reason {
	blocked := r.blockedBy(c.ID)
	switch {
	case len(r.target.Only) > 0 && !slices.Contains(r.target.Only, c.ID):
		return new(conformance.Because(conformance.NotAsked, "only %s was asked for", strings.Join(r.target.Only, ", ")))
	case r.Silent.Cause() != nil:
		return new(conformance.Because(conformance.ServerGone, "%s", r.Silent.Cause().Message))
	case blocked != nil && (c.Needs == "" || blocked.ServerOwn() || blocked.Aid == c.Aid):
		return blocked
	case c.Needs != "":
		why := conformance.Because(conformance.NotSeen, "%s", c.Needs)
		why.Aid = r.missingAid(c)
		return &why
	}
	return r.tooLittle(c, op)
}

// tooLittle says why a check that needs nothing special has no verdict: the server
// answered too few calls. It returns nil if it answered enough.
func (r *run) tooLittle(c conformance.Check, op conformance.Operation) *conformance.Reason {
	const little = "too little was answered: "
	if c.AnyReply {
		for _, p := range r.probes {
			if why := p.blockedBy(); why != nil && why.ServerOwn() {
				return new(conformance.Because(why.Kind, little+"%s", why.Text))
			}
		}
		if !r.speaksJSON(op) {
			return new(conformance.Because(conformance.NotServed, little+"no reply of %s is one JSON object (see W-01)", op.Path()))
		}
	}
	if op := r.neverServed(); op != "" {
		return new(conformance.Because(conformance.NotServed, little+"%s was refused every time", op.Path()))
	}
	if r.RateLimited.Load() {
		return new(conformance.Because(conformance.RateLimited, little+"the server asked to be called less often (429), and went on asking"))
	}
	return nil
}
