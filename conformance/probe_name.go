package conformance

import "strings"

// ProbeName names a probe. Exchanges carry it, so that rules know which calls belong
// together. The meaning of a published name never changes.
type ProbeName string

// The names of calls that no probe makes.
const (
	ProbePreflight ProbeName = "preflight" // the first calls, before any other
	ProbeCleanUp   ProbeName = "clean-up"  // calls that cancel what the probes booked
)

// With returns the name of one probe of a family.
func (p ProbeName) With(which string) ProbeName { return p + ProbeName(which) }

// In reports whether a probe belongs to a family.
func (p ProbeName) In(family ProbeName) bool { return strings.HasPrefix(string(p), string(family)) }
