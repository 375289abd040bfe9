package conformance

import (
	"fmt"
	"time"
)

// Observation is something that a judge perceived and that is no call, such as what
// a caller was told on the telephone.
type Observation struct {
	ID    int       `json:"id"`              // from 1
	Probe ProbeName `json:"probe,omitempty"` // during which it was made
	At    time.Time `json:"at"`
	Text  string    `json:"text"`           // what was perceived
	Call  int       `json:"call,omitempty"` // the call that it follows from; 0: none is known
}

// String says what was perceived, and by which number findings name it.
func (o Observation) String() string { return fmt.Sprintf("%d: %s", o.ID, o.Text) }
