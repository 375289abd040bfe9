package conformance

import (
	"fmt"
	"strings"
	"time"
)

// Observation is something that a judge perceived and that is no call, such as what
// a caller was told on the telephone.
type Observation struct {
	ID    int             `json:"id"`              // from 1
	Probe ProbeName       `json:"probe,omitempty"` // during which it was made
	At    time.Time       `json:"at"`
	Kind  ObservationKind `json:"kind,omitempty"` // what it is; "": the text alone says it, as in runs of older judges
	Text  string          `json:"text"`           // what was perceived
	Call  int             `json:"call,omitempty"` // the call that it follows from; 0: none is known
}

// ObservationKind is what an observation is. Each suite has its own.
type ObservationKind string

// String says what was perceived, and by which number findings name it.
func (o Observation) String() string {
	return fmt.Sprintf("%d: %s", o.ID, strings.TrimSpace(string(o.Kind)+" "+o.Text))
}
