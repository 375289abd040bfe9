package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ReplayOutcome says what became of the verdict, or the call, for which calls were
// repeated.
type ReplayOutcome struct {
	What string  `json:"what"`          // "BOK-16", "W-07@user" or the number of a call
	Was  Outcome `json:"was,omitempty"` // "" for a call
	Is   Outcome `json:"is"`            // for a call the worst that the story shows

	Operation Operation `json:"operation,omitempty"` // that the verdict is about; "": any
}

// Follow makes the report one on a repeated probe, and holds it against the run
// that the probe is from. what names the verdict or the call that they
// were repeated for.
func (r *Report) Follow(earlier *RunFile, what string) {
	r.Repeated = &ReplayOutcome{What: what, Is: NotVerified}
	id, op := r.Repeated.check(r.Suite)
	if id != "" {
		was := WorstOf(earlier.Checks, id, op)
		op = was.Operation
		r.Repeated.Was, r.Repeated.Operation = was.Outcome, op
	}
	if is := WorstOf(r.Checks, id, op); is.Outcome != "" {
		r.Repeated.Is = is.Outcome
	}
	r.Summary.ExitCode = r.ExitCode()
}

// Check returns the check and the operation that are meant, "" for any.
func (a *ReplayOutcome) check(suite *Suite) (id string, op Operation) {
	id, named, _ := strings.Cut(a.What, "@")
	id = strings.ToUpper(id)
	if _, known := suite.Lookup(id); !known {
		return "", ""
	}
	return id, cmp.Or(a.Operation, suite.subject(named))
}

// isAbout reports a verdict on a check and an operation; "" stands for any.
func (r Result) isAbout(id string, op Operation) bool {
	return (id == "" || r.ID == id) && (op == "" || r.Operation == op)
}

// RepeatedFor reports a verdict that calls were repeated for: for a call, any that
// fails or warns.
func (r *Report) RepeatedFor(res Result) bool {
	if r.Repeated == nil {
		return false
	}
	id, op := r.Repeated.check(r.Suite)
	if id == "" {
		return res.Outcome == Fail || res.Outcome == Warn
	}
	return res.isAbout(id, op)
}

// WorstOf returns the worst verdict on a check and an operation; "" stands for
// any. It is the zero Result when there is none.
func WorstOf(results []Result, id string, op Operation) Result {
	var worst Result
	for _, res := range results {
		if res.isAbout(id, op) && (worst.ID == "" || Severity[res.Outcome] > Severity[worst.Outcome]) {
			worst = res
		}
	}
	return worst
}

// replayReasons lists what fails a run of repeated calls: the failures that it was
// made for, or that these cannot be judged.
func (r *Report) replayReasons() []ExitReason {
	a := r.Repeated
	whole := ExitReason{Name: "the calls of " + a.What + ", repeated", Message: a.String(), Code: ExitFail}
	switch {
	case a.Is == NotVerified && a.Was != "" && a.Was != NotVerified:
		whole.Code = ExitBroken
		return []ExitReason{whole}
	case a.Is != Fail:
		return nil
	}
	id, op := a.check(r.Suite)
	all := r.verdicts(ExitFail, func(res Result) bool { return res.Outcome == Fail && res.isAbout(id, op) })
	if len(all) == 0 {
		return []ExitReason{whole}
	}
	return all
}

// String says it in a sentence.
func (a *ReplayOutcome) String() string {
	gone := slices.Contains([]Outcome{Pass, Warn, Seen}, a.Is)
	switch {
	case a.Was == "":
		return fmt.Sprintf("the calls up to %s were made again; the worst that they show is: %s", a.What, a.Is)
	case a.Was == Fail && a.Is == Fail:
		return a.What + ": the fault was reproduced"
	case a.Was == Fail && gone:
		return a.What + ": the fault is gone"
	case a.Was == Fail:
		return a.What + ": the fault was neither reproduced nor shown to be gone, as too little was answered"
	}
	return fmt.Sprintf("%s was %s and is %s now", a.What, a.Was, a.Is)
}
