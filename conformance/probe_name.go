package conformance

import "strings"

// ProbeName names a probe. An exchange carries it, so that rules can tell which
// calls belong together; a recorded name keeps its meaning.
type ProbeName string

// The calls of a run that no probe makes.
const (
	probePreflight ProbeName = "preflight" // the first calls, before any other
	probeCleanUp   ProbeName = "clean-up"  // calls that cancel what the probes booked
)

// with returns the name of one probe of a family.
func (p ProbeName) with(which string) ProbeName { return p + ProbeName(which) }

// in reports whether a probe belongs to a family.
func (p ProbeName) in(family ProbeName) bool { return strings.HasPrefix(string(p), string(family)) }
