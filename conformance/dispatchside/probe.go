package dispatchside

import (
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/conformance"
)

// probe is a series of calls that is made for rules to judge. It judges nothing
// itself. The checks that depend on it are listed to tell a check that could not be
// tested from one that the suite forgot.
type probe struct {
	name   conformance.ProbeName
	checks []string        // ids of the checks that depend on it
	run    func(*testUser) // makes the calls
	phase  phase
	long   bool               // it takes many calls, or large ones, for what it shows
	users  int                // how many end users it needs; 0: one
	aid    conformance.Aid    // what it needs from the operator, in whole or in part; "": nothing
	intent conformance.Intent // of the calls that it is about, when several probes share a function
}

// ids splits a list of ids.
func ids(list string) []string { return strings.Fields(list) }

// probeRun is what has become of a probe in one run.
type probeRun struct {
	probe
	phones []string // the numbers of its end users
	others int      // how many end users it has beside the first

	mu      sync.Mutex
	blocked *conformance.Reason
}

// block ends the probe; the first reason stays.
func (p *probeRun) block(why conformance.Reason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blocked == nil {
		why = why.Of(p.name)
		p.blocked = &why
	}
}

// blockedBy says why the probe did not finish; nil: it did, or has not ended.
func (p *probeRun) blockedBy() *conformance.Reason {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.blocked
}

// phase says when a probe is run.
type phase int

const (
	parallel     phase = iota // side by side with others
	first                     // alone, before all others
	second                    // alone, after those
	last                      // alone, after all others
	afterCleanUp              // alone, when all journeys of the others have been cancelled
)

// depends reports whether a check depends on the probe.
func (p *probe) depends(id string) bool { return slices.Contains(p.checks, id) }
