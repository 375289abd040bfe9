package conformance

import "time"

// Report makes a report of a run that ended before it began, so that every format
// can be written of it: each is red and says why. A report left over from an
// earlier run would tell of another server, or of another day.
func (u *Unreachable) Report(started time.Time) *Report {
	rep := &Report{
		Checks: []Result{}, Leftovers: []Leftover{}, Target: u.URL, Started: started, Preflight: u.Steps,
	}
	rep.Score(Scoring{}, started)
	return rep
}

// trouble says what a step that failed came upon, and what to do about it.
func (s Step) trouble() string {
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
