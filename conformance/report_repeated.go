package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Again says what became of the verdict, or the call, for which a story was
// repeated. It says nothing of the server as a whole.
type Again struct {
	What string  `json:"what"`          // "BOK-16", "W-07@user" or the number of a call
	Was  Outcome `json:"was,omitempty"` // "" for a call
	Is   Outcome `json:"is"`            // for a call the worst that the story shows
}

// Follow makes the report one on a repeated story, and holds it against the run
// that the story is from. what is what [Repeat] was asked for.
func (r *Report) Follow(earlier *RunFile, what string) {
	id, op, _ := strings.Cut(strings.ToUpper(what), "@")
	_, isCheck := Lookup(id)
	r.Repeated = &Again{What: what, Is: NotVerified}
	if isCheck {
		was := worstOf(earlier.Checks, id, op)
		r.Repeated.Was = was.Outcome
		op = string(was.Operation)
	}
	if is := worstOf(r.Checks, map[bool]string{true: id}[isCheck], op); is.Outcome != "" {
		r.Repeated.Is = is.Outcome
	}
	r.Summary.ExitCode = r.ExitCode()
}

// worstOf returns the worst verdict on a check and an operation; "" stands for
// any.
func worstOf(results []Result, id, op string) Result {
	var worst Result
	for _, res := range results {
		fits := (id == "" || res.ID == id) && (op == "" || strings.EqualFold(op, string(res.Operation)))
		if fits && severity[res.Outcome] > severity[worst.Outcome] {
			worst = res
		}
	}
	return worst
}

func (a *Again) exitCode() int {
	switch {
	case a.Is == Fail:
		return ExitFail
	case a.Is == NotVerified && a.Was == Fail:
		return ExitBroken
	}
	return ExitPass
}

// String says it in a sentence.
func (a *Again) String() string {
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
