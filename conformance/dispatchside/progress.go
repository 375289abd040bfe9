package dispatchside

import (
	"context"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// teller reports the progress of a run to Target.Progress, one call at a time.
type teller struct {
	tell func(conformance.Progress)
	now  func() time.Time
	left func() time.Duration // estimated time until the run ends

	mu   sync.Mutex
	last conformance.Progress
	told time.Time
}

// newTeller returns a teller of a run, or nil if the target has no Progress.
func (r *run) newTeller() *teller {
	if r.target.Progress == nil {
		return nil
	}
	begins := conformance.Progress{Stage: conformance.StageProbes, All: len(r.probes)}
	return &teller{tell: r.target.Progress, now: r.target.Now, left: r.left, last: begins, told: r.target.Now()}
}

// say reports progress.
func (t *teller) say(p conformance.Progress) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last, t.told = p, t.now()
	t.tell(p)
}

// unheard is the time after which remind repeats the last report.
const unheard = 5 * time.Second

// remind repeats the last report if it is older than unheard: one probe may take
// minutes.
func (t *teller) remind() {
	if t == nil {
		return
	}
	left := t.left()
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.now(); now.Sub(t.told) >= unheard {
		t.last.Left, t.told = left, now
		t.tell(t.last)
	}
}

// sayWhenStopped reports, as soon as a run is stopped and before the clean-up, how many
// journeys are to be cancelled. It reports nothing after end has returned.
func (r *run) sayWhenStopped(ctx context.Context) (end func()) {
	r.stopTold = make(chan struct{})
	never := context.AfterFunc(ctx, func() {
		defer close(r.stopTold)
		journeys, _ := r.open.count()
		r.teller.say(conformance.Progress{Stage: conformance.StageCancelling, All: journeys, Left: r.cancelling()})
	})
	return func() {
		if !never() {
			<-r.stopTold
		}
	}
}

// progress counts the steps of a stage of a run, and reports each.
type progress struct {
	*teller
	stage conformance.Stage
	all   int
	left  func() time.Duration // estimated time for the rest

	mu   sync.Mutex
	done int
}

// count adds a finished step and reports the progress.
func (p *progress) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.teller != nil {
		p.say(conformance.Progress{Stage: p.stage, Done: p.done, All: p.all, Left: p.left()})
	}
}
