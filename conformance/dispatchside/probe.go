package dispatchside

import (
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/conformance"
)

// probe is a series of calls for rules to judge. It judges nothing itself. The list of
// dependent checks distinguishes a check that could not be tested from one that the suite
// forgot.
type probe struct {
	name   conformance.ProbeName
	checks []string        // ids of the checks that depend on it
	run    func(*testUser) // makes the calls
	phase  phase
	long   bool               // it needs many or large calls for its evidence
	users  int                // how many end users it needs; 0: one
	aid    conformance.Aid    // the aid that it, or a part of it, needs; "": none
	intent conformance.Intent // the intent of its calls, if several probes share a function
}

// ids returns the ids in a text, which are separated by spaces.
func ids(list string) []string { return strings.Fields(list) }

// probeRun is the state of a probe in one run.
type probeRun struct {
	probe
	phones []string // the numbers of its end users
	others int      // number of end users besides the first

	mu      sync.Mutex
	blocked *conformance.Reason
}

// block ends the probe; only the first reason is stored.
func (p *probeRun) block(why conformance.Reason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blocked == nil {
		why = why.Of(p.name)
		p.blocked = &why
	}
}

// blockedBy returns the reason why the probe was blocked, or nil if it was not.
func (p *probeRun) blockedBy() *conformance.Reason {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.blocked
}

// phase says when a probe is run.
type phase int

const (
	parallel     phase = iota // concurrently with others
	first                     // alone, before all others
	second                    // alone, after the first phase
	last                      // alone, after all others
	afterCleanUp              // alone, after all other journeys have been cancelled
)

// depends reports whether a check depends on the probe.
func (p *probe) depends(id string) bool { return slices.Contains(p.checks, id) }
