package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Cause is one fault that may explain many failures. Reports show it once, before
// the failures that follow from it.
type Cause struct {
	Message   string        `json:"message"`        // what is wrong, in a sentence that quotes the evidence
	Cure      string        `json:"cure,omitempty"` // what to change
	Aid       Aid           `json:"aid,omitempty"`  // the aid that helps; "": none
	Operation Operation     `json:"operation,omitempty"`
	Call      int           `json:"call"`               // the first call that shows it
	Deciding  *DecidingCall `json:"deciding,omitempty"` // the call that shows what triggers it; nil: none
	Failed    []string      `json:"failed,omitempty"`   // verdicts that fail because of it, such as "CAN-01@cancel", the most informative first
	Hidden    []string      `json:"hidden,omitempty"`   // verdicts that were not reached because of it
	Ends      bool          `json:"ends,omitempty"`     // the run could not go on
}

// Reach lists what follows from a cause: "also fails CAN-01, STA-01 and 10 more; hides BOK-17". It is ""
// if the cause explains a single verdict.
func (c Cause) Reach() string {
	var parts []string
	if failed := idsIn(c.Failed); len(failed) > 1 {
		parts = append(parts, "also fails "+few(failed[1:]))
	}
	if len(c.Hidden) > 0 {
		parts = append(parts, "hides "+few(idsIn(c.Hidden)))
	}
	return strings.Join(parts, "; ")
}

// idsIn returns the ids of the checks in names of verdicts such as "CAN-01@cancel", each once.
func idsIn(verdicts []string) (ids []string) {
	for _, name := range verdicts {
		if id, _, _ := strings.Cut(name, "@"); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// few lists at most eight ids as text and counts the others: "A, B, … and 3 more".
func few(ids []string) string {
	const most = 8
	if more := len(ids) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), more)
	}
	return WordList(ids)
}

// Explains reports whether a verdict fails because of the cause.
func (c Cause) Explains(r Result) bool { return slices.Contains(c.Failed, r.Name()) }

// FirstNamed returns the failed verdicts of the first cause that explains any; nil: no cause does.
func (r *Report) FirstNamed() []string {
	for _, c := range r.Causes {
		if len(c.Failed) > 0 {
			return c.Failed
		}
	}
	return nil
}
