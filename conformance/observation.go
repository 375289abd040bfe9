package conformance

import (
	"fmt"
	"strings"
	"time"
)

// Observation is evidence other than a call, such as what a caller heard on the
// telephone.
type Observation struct {
	ID    int             `json:"id"`              // from 1
	Probe ProbeName       `json:"probe,omitempty"` // the probe during which it was made
	At    time.Time       `json:"at"`
	Kind  ObservationKind `json:"kind,omitempty"` // "" in run files of older versions, which have the text only
	Text  string          `json:"text"`           // what was observed
	Call  int             `json:"call,omitempty"` // the call that caused it; 0: not known
}

// ObservationKind is the kind of an observation. Each suite defines its own.
type ObservationKind string

// String returns the text, with the id by which findings refer to it.
func (o Observation) String() string {
	return fmt.Sprintf("%d: %s", o.ID, strings.TrimSpace(string(o.Kind)+" "+o.Text))
}
