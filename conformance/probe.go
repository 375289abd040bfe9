package conformance

import (
	"slices"
	"strings"
	"sync"
)

// probe is a story that makes traffic for rules to judge. It judges nothing
// itself: what it covers is there to tell a check that could not be tested from
// one that the suite forgot.
type probe struct {
	name   string
	covers string // ids of the checks that depend on it, separated by spaces
	tell   func(*caller)
	turn   turn
	users  int // how many end users it needs; 0: one

	phones  []string // the numbers of its end users
	callers int      // how many of them it has beside the first

	mu      sync.Mutex
	blocked string
}

// block ends the story; the first reason stays.
func (p *probe) block(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blocked == "" {
		p.blocked = reason
	}
}

// lacking begins the reason of a story that ended for want of something that only
// whoever started the run can give.
const lacking = "needs "

// obstacle says why the story could not be told to its end; "": it could.
func (p *probe) obstacle() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.blocked
}

// turn says when a story is told.
type turn int

const (
	aside    turn = iota // side by side with the others
	prologue             // alone, before all others
	epilogue             // alone, after all others
	finale               // alone, at the very end, when all journeys of the others are cancelled
)

// covering reports whether a check depends on the probe.
func (p *probe) covering(id string) bool {
	return slices.Contains(strings.Fields(p.covers), id)
}

// wholeRun are the checks that depend on all that went before.
var wholeRun = []string{"TIM-03"}

// chosen returns the stories that some checks depend on: all of them when a check
// depends on none in particular.
func chosen(only []string) []*probe {
	all := probes()
	for _, id := range only {
		if slices.Contains(wholeRun, id) || !slices.ContainsFunc(all, func(p *probe) bool { return p.covering(id) }) {
			return all
		}
	}
	if len(only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(p *probe) bool { return !slices.ContainsFunc(only, p.covering) })
}

// probes returns the stories of a run, new for each.
func probes() []*probe {
	return slices.Concat(
		journeyProbes(), configProbes(), userProbes(), bookProbes(), editProbes(), cancelProbes(), statusProbes(),
		wireProbes(), badProbes(), raceProbes(), securityProbes(), walkProbes(), timingProbes(), hookProbes(),
	)
}
