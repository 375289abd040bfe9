package conformance

import "time"

// StepPlan names the step that announces, before anything is made, what the run will do.
const StepPlan = "plan"

// Step is one precondition of a run.
type Step struct {
	Name   string        `json:"name"` // "DNS", "TCP", "TLS", "HTTP", "auth", "path", "JSON", "clock", "plan"
	OK     bool          `json:"ok"`
	Check  string        `json:"check,omitempty"` // id of the check that fails with the step; "": none
	Detail string        `json:"detail,omitempty"`
	Cure   string        `json:"cure,omitempty"` // what to do; may be set for a step that works but needs attention
	Aid    Aid           `json:"aid,omitempty"`  // the aid that helps; "": none
	Took   time.Duration `json:"tookNanos"`
}

// Unreachable is the error of a run that could not start, and its cure.
type Unreachable struct {
	URL   string
	Steps []Step // the last one failed
}

// Error names the step that failed, what happened and the cure.
func (u *Unreachable) Error() string {
	return u.URL + " cannot be tested: " + u.Steps[len(u.Steps)-1].Trouble()
}

// Report makes a report of a run that could not start, so that every format can be
// written: each is red and gives the reason. Otherwise the reports of an earlier run
// would stay in place.
func (u *Unreachable) Report(suite *Suite, started time.Time) *Report {
	rep := &Report{
		Suite:  suite,
		Checks: []Result{}, Leftovers: []Leftover{}, Target: u.URL, Started: started, Preflight: u.Steps,
	}
	rep.Score(Scoring{}, started)
	return rep
}

// Trouble describes why a step failed, and the cure.
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

// Progress is the progress of a run.
type Progress struct {
	Stage Stage
	Done  int           // steps of the stage that are done
	All   int           // all steps of the stage
	Left  time.Duration // estimated time until the run ends; 0: not known
}

// Stage is a part of a run, named as it is shown.
type Stage string

// The stages.
const (
	StageProbes     Stage = "probe"      // probes are run
	StageCancelling Stage = "cancelling" // what was made is cancelled, at the end
)
