package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// run is one execution of the suite.
type run struct {
	*recorder
	target Target
	ledger ledger
	phones *numbers
	stuck  atomic.Pointer[string] // why the advance hook has failed
	gone   atomic.Bool            // the server did not come back after the restart hook
	slots  atomic.Int64           // journeys booked for the advance hook
	probes []*probe
	steps  []Step // of the preflight
	done   progress
	single bool        // the server takes one connection at a time
	second bool        // the server offers HTTP/2
	wanted atomic.Bool // the server asks for a client certificate
	early  *ride       // a journey that was cancelled at the beginning
}

// Run tests a server and returns the verdicts. The error is [*Unreachable] when
// there was nothing to test, [ErrHost] when the target must not be tested, and
// says what is missing when the target is not usable. A run that was interrupted
// through ctx cancels the journeys it made, as far as that can be done in a
// moment, and returns what it has.
func Run(ctx context.Context, target Target) (*Report, error) {
	target, err := target.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &run{target: target, ledger: newLedger(), probes: chosen(target.Only)}
	r.recorder, r.phones = newRecorder(&r.target), newNumbers(&r.target)
	started := target.Now()
	if err := r.preflight(ctx); err != nil {
		return nil, err
	}
	r.fitWidth(ctx)
	r.tell(ctx, prologue)
	r.tell(ctx, aside)
	r.tell(ctx, epilogue)
	left := r.cleanUp(ctx) // hooks may move the server's clock: no journey should be there to move with it
	if ctx.Err() == nil {
		r.tell(ctx, finale)
		left = r.cleanUp(ctx)
	}
	history := r.spoken(r.history)
	found := read(history)
	if r.explore(ctx, found) {
		left = r.cleanUp(ctx)
		history = r.spoken(r.history)
		found = read(history)
	}
	if ctx.Err() == nil {
		left = r.recount(ctx, r.finish(ctx, left))
	}
	results := r.weigh(found)
	report := r.report(results, left, started)
	r.explain(ctx, report, history)
	return report, nil
}

// progress counts the probes of a run that have finished.
type progress struct {
	mu   sync.Mutex
	done int
}

// count adds a probe and reports how many of all have finished.
func (p *progress) count(report func(done, all int), all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if report != nil {
		report(p.done, all)
	}
}

// explain adds to a report what its verdicts come of.
func (r *run) explain(ctx context.Context, report *Report, history []*Exchange) {
	if ctx.Err() != nil {
		report.interrupt()
		return
	}
	report.Causes = r.mask().causes(r.causes(history, report.Checks))
	if r.silent.cause() == nil {
		report.Unshown = r.unshown(report.Checks)
	}
	report.Score(Scoring{}, report.Started)
}

// tell runs the stories of a turn: side by side, or one by one.
func (r *run) tell(ctx context.Context, when turn) {
	var g errgroup.Group
	g.SetLimit(r.target.Width)
	if when != aside {
		g.SetLimit(1)
	}
	for _, p := range r.probes {
		if p.turn == when {
			teller := r.newCaller(ctx, p)
			g.Go(func() error {
				p.tell(teller)
				r.phones.giveBack(p.phones)
				r.done.count(r.target.Progress, len(r.probes))
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

// weigh makes verdicts of judgements, adds what stood in their way, and hides
// telephone numbers and credentials in them.
func (r *run) weigh(found []judgement) []Result {
	results := weighAll(found, r.absent)
	for i := range results {
		r.addObstacle(&results[i])
	}
	return r.mask().results(results)
}

// addObstacle completes what is not verified with the reason why a story was not
// told to its end.
func (r *run) addObstacle(res *Result) {
	if res.Outcome != NotVerified || r.silent.cause() != nil {
		return
	}
	f := &res.Findings[0]
	if _, why := r.obstacle(res.ID); why != "" && !strings.HasPrefix(why, lacking) && !strings.Contains(f.Message, why) {
		f.Message += ": " + why
	}
}

// obstacle says which story of those that a check depends on could not be told
// to its end, and why; "": all could.
func (r *run) obstacle(id string) (story, why string) {
	for _, p := range r.probes {
		if why := p.obstacle(); p.covering(id) && why != "" {
			return p.name, why
		}
	}
	return "", ""
}

// speaksJSON reports an operation that has been answered with an object.
func (r *run) speaksJSON(op Operation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.history, func(x *Exchange) bool { return x.Operation == op && x.succeeded() && x.Reply().isObject() })
}

// leftOut begins the reason of a check that was not asked for.
const leftOut = "left out"

// absent says why no rule spoke of a check. Silence that nothing explains is the
// suite's own mistake.
func (r *run) absent(c Check, op Operation) Finding {
	f := Finding{Outcome: NotVerified, Clause: c.Clause}
	if len(r.target.Only) > 0 && !slices.Contains(r.target.Only, c.ID) {
		f.Message = leftOut + ": only " + strings.Join(r.target.Only, ", ") + " was asked for"
		return f
	}
	if silence := r.silent.cause(); silence != nil {
		f.Message = silence.Message
		return f
	}
	story, why := r.obstacle(c.ID)
	if why != "" && (c.Needs == "" || !strings.HasPrefix(why, lacking)) {
		f.Message = fmt.Sprintf("%q could not be told to its end: %s", story, why)
		return f
	}
	if c.Needs != "" {
		f.Message = "not seen: " + c.Needs
		if flags := r.target.unlocking(c.ID); flags != "" {
			f.Message += "; " + flags + " may show it"
		}
		return f
	}
	for _, p := range r.probes {
		why := p.obstacle()
		if strings.HasPrefix(c.ID, "W-") && why != "" && !strings.HasPrefix(why, lacking) {
			f.Message = "too little was answered: " + why
			return f
		}
	}
	if strings.HasPrefix(c.ID, "W-") && !r.speaksJSON(op) {
		f.Message = "too little was answered: no reply of " + op.Path() + " is one JSON object (see W-01)"
		return f
	}
	if op := r.neverServed(); op != "" {
		f.Message = "too little was answered: " + op.Path() + " was refused every time"
		return f
	}
	if r.weary.Load() {
		f.Message = "too little was answered: the server asked to be called less often (429), and went on asking"
		return f
	}
	f.Outcome, f.Message = Broken, fmt.Sprintf("the suite came to no verdict on %s for %s", c.ID, op)
	return f
}
