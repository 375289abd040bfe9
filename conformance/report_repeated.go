package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ReplayOutcome compares the result of repeated calls with that of the earlier run from which they are.
type ReplayOutcome struct {
	What string  `json:"what"`          // "BOK-16", "W-07@user" or the number of a call
	Was  Outcome `json:"was,omitempty"` // "" for a call
	Is   Outcome `json:"is"`            // for a call, the worst outcome of the probe

	Operation Operation `json:"operation,omitempty"` // the operation of the verdict; "": any
}

// Follow marks the report as one of a repeated probe and compares it with the earlier
// run. what names the verdict or the call for which the probe was repeated.
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

// check returns the check and the operation that What names, "" for any.
func (a *ReplayOutcome) check(suite *Suite) (id string, op Operation) {
	id, named, _ := strings.Cut(a.What, "@")
	id = strings.ToUpper(id)
	if _, known := suite.Lookup(id); !known {
		return "", ""
	}
	return id, cmp.Or(a.Operation, suite.subject(named))
}

// isAbout reports whether a verdict is on a check and an operation; "" matches any.
func (r Result) isAbout(id string, op Operation) bool {
	return (id == "" || r.ID == id) && (op == "" || r.Operation == op)
}

// RepeatedFor reports whether the calls were repeated for a verdict. If they were repeated
// for a call, this holds for every failure and warning.
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

// WorstOf returns the worst verdict on a check and an operation; "" matches any.
// It returns the zero Result if there is none.
func WorstOf(results []Result, id string, op Operation) Result {
	var worst Result
	for _, res := range results {
		if res.isAbout(id, op) && (worst.ID == "" || Severity[res.Outcome] > Severity[worst.Outcome]) {
			worst = res
		}
	}
	return worst
}

// replayReasons returns why a run of repeated calls fails: the failures that were reproduced, or that the
// result cannot be judged again; nil: it does not fail.
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

// String returns the result as a sentence.
func (a *ReplayOutcome) String() string {
	gone := slices.Contains([]Outcome{Pass, Warn, Seen}, a.Is)
	switch {
	case a.Was == "":
		return fmt.Sprintf("the calls up to %s were repeated; their worst result is: %s", a.What, a.Is)
	case a.Was == Fail && a.Is == Fail:
		return a.What + ": the fault was reproduced"
	case a.Was == Fail && gone:
		return a.What + ": the fault is gone"
	case a.Was == Fail:
		return a.What + ": the fault was neither reproduced nor shown to be gone, as too few calls were answered: is the server's clock still where the run left it?"
	}
	return fmt.Sprintf("%s was %s and is now %s", a.What, a.Was, a.Is)
}
