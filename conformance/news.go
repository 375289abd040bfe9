package conformance

import (
	"slices"
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
func (r *run) over(p *probe) {
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
	r.news.mu.Unlock()
	if due {
		r.announce(r.results(), false)
	}
}

// announce hands on the verdicts that stand, each once: those of checks whose
// stories are all told, or all of them at the end. One that later evidence made
// worse is told again.
func (r *run) announce(results []Result, all bool) {
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
		if was, heard := r.news.told[key]; heard && was == res.Outcome || !all && !r.stands(res) {
			continue
		}
		r.news.told[key] = res.Outcome
		r.target.Progress(res)
	}
}

// stands reports a verdict to which no story that is yet to come is meant to
// contribute.
func (r *run) stands(res Result) bool {
	covered := false
	for _, p := range r.probes {
		if p.covering(res.ID) {
			if !p.told {
				return false
			}
			covered = true
		}
	}
	return covered || !slices.ContainsFunc(r.probes, func(p *probe) bool { return !p.told })
}
