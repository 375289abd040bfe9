package conformance

import (
	"slices"
	"strings"
)

// probe is a story that makes traffic for rules to judge. It judges nothing
// itself: what it covers is there to tell a check that could not be tested from
// one that the suite forgot.
type probe struct {
	name   string
	covers string // ids of the checks that depend on it, separated by spaces
	tell   func(*caller)
	quiet  bool // told last and alone

	callers int    // how many end users it has beside the first
	blocked string // why it could not be told to its end
}

// covering reports whether a check depends on the probe.
func (p *probe) covering(id string) bool {
	return slices.Contains(strings.Fields(p.covers), id)
}

// probes returns the stories of a run, new for each.
func probes() []*probe {
	return slices.Concat(
		journeyProbes(), configProbes(), userProbes(), bookProbes(), editProbes(), cancelProbes(), statusProbes(),
		wireProbes(), hookProbes(),
	)
}
