package conformance

import "time"

// StepPlan names the step that says, before anything is made, what a run is going to
// ask of the server.
const StepPlan = "plan"

// Step is one thing that has to work before a run makes sense.
type Step struct {
	Name   string        `json:"name"` // "DNS", "TCP", "TLS", "HTTP", "auth", "path", "JSON", "clock", "plan"
	OK     bool          `json:"ok"`
	Check  string        `json:"check,omitempty"` // id of the check that the server fails thereby; "": none
	Detail string        `json:"detail,omitempty"`
	Cure   string        `json:"cure,omitempty"` // what to do about it; also of something that works and should be seen to
	Aid    Aid           `json:"aid,omitempty"`  // what the run may be given against it; "": nothing
	Took   time.Duration `json:"tookNanos"`
}

// Unreachable says that there was nothing to test, and what to do about it.
type Unreachable struct {
	URL   string
	Steps []Step // the last one failed
}

// Error names the step that failed, what happened and the cure.
func (u *Unreachable) Error() string {
	return u.URL + " cannot be tested: " + u.Steps[len(u.Steps)-1].Trouble()
}

// Report makes a report of a run that ended before it began, so that every format
// can be written of it: each is red and says why. A report left over from an
// earlier run would tell of another server, or of another day.
func (u *Unreachable) Report(suite *Suite, started time.Time) *Report {
	rep := &Report{
		Suite:  suite,
		Checks: []Result{}, Leftovers: []Leftover{}, Target: u.URL, Started: started, Preflight: u.Steps,
	}
	rep.Score(Scoring{}, started)
	return rep
}

// Trouble says what a step that failed came upon, and what to do about it.
func (s Step) Trouble() string {
	name := s.Name
	if s.Check != "" {
		name += " (" + s.Check + ")"
	}
	text := name + ": " + s.Detail
	if s.Cure != "" {
		text += "; " + s.Cure
	}
	return text
}
