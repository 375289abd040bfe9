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

// ObservationsByID finds observations by their number.
func (r *Report) ObservationsByID() map[int]Observation {
	m := make(map[int]Observation, len(r.Observations))
	for _, o := range r.Observations {
		m[o.ID] = o
	}
	return m
}

// Observed returns the observations that show a finding.
func (r *Report) Observed(f Finding) []Observation {
	all := r.ObservationsByID()
	var shown []Observation
	for _, id := range f.Observations {
		shown = append(shown, all[id])
	}
	return shown
}
