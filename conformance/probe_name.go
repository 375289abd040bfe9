package conformance

import "strings"

// ProbeName names a probe. It is stored in each exchange, so that rules know which calls belong together.
// The meaning of a published name never changes.
type ProbeName string

// The names of calls that no probe makes.
const (
	ProbePreflight ProbeName = "preflight" // the first calls, before any other
	ProbeCleanUp   ProbeName = "clean-up"  // calls that cancel what the probes booked
)

// With returns the name of one probe of the family p: p with which appended.
func (p ProbeName) With(which string) ProbeName { return p + ProbeName(which) }

// In reports whether a probe belongs to a family: its name begins with that of the family.
func (p ProbeName) In(family ProbeName) bool { return strings.HasPrefix(string(p), string(family)) }
