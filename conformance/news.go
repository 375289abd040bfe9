package conformance

import (
	"context"
	"sync"
	"time"
)

// news tells of verdicts while a run is under way.
type news struct {
	mu   sync.Mutex
	at   time.Time         // when verdicts were last told
	told map[filed]Outcome // what was told
}

// between is how long verdicts are held back after the last were told: to judge
// takes as long as a few calls.
const between = 500 * time.Millisecond

// over takes down that a story was told to its end, and tells the verdicts that
// stand by now.
func (r *run) over(ctx context.Context, p *probe) {
	r.news.mu.Lock()
	p.told = true
	now := r.target.Now()
	due := r.target.Progress != nil && now.Sub(r.news.at) >= between
	if due {
		if r.news.at.IsZero() {
			due = false // the first story is over at once
		}
		r.news.at = now
	}
	ended := r.ended()
	r.story(ended)
	r.news.mu.Unlock()
	if due {
		r.announce(ctx, r.results(), ended)
	}
}

// story tells how far the run is. It is called with the news locked.
func (r *run) story(ended map[*probe]bool) {
	if r.target.Story == nil {
		return
	}
	n := 0
	for _, told := range ended {
		if told {
			n++
		}
	}
	r.target.Story(n, len(r.probes))
}

// ended returns the stories that have been told. It is called with the news
// locked, and before the verdicts are made that go with it: a story that ends
// meanwhile is not in them.
func (r *run) ended() map[*probe]bool {
	told := map[*probe]bool{}
	for _, p := range r.probes {
		told[p] = p.told
	}
	return told
}

// announce hands on the verdicts that stand, each once: those of checks whose
// stories have ended, or all of them when ended is nil. One that later evidence
// made worse is told again. After an interruption nobody wants to hear of all that
// was not verified.
func (r *run) announce(ctx context.Context, results []Result, ended map[*probe]bool) {
	if r.target.Progress == nil {
		return
	}
	r.news.mu.Lock()
	defer r.news.mu.Unlock()
	if r.news.told == nil {
		r.news.told = map[filed]Outcome{}
	}
	for _, res := range results {
		key := filed{res.ID, res.Operation}
		if was, heard := r.news.told[key]; heard && was == res.Outcome || ended != nil && !r.stands(res, ended) || ctx.Err() != nil && res.Outcome == NotVerified {
			continue
		}
		r.news.told[key] = res.Outcome
		r.target.Progress(res)
	}
}

// stands reports a verdict to which no story that is yet to come is meant to
// contribute.
func (r *run) stands(res Result, ended map[*probe]bool) bool {
	covered, all := false, true
	for _, p := range r.probes {
		if p.covering(res.ID) && !ended[p] {
			return false
		}
		covered = covered || p.covering(res.ID)
		all = all && ended[p]
	}
	return covered || all
}
