package conformance

import (
	"fmt"
	"slices"
)

// Cause is one thing that is wrong, of which much else may come: it is said once,
// before all that follows from it.
type Cause struct {
	Message   string        `json:"message"`        // what is wrong, in a sentence made of what was seen
	Cure      string        `json:"cure,omitempty"` // what to change
	Aid       Aid           `json:"aid,omitempty"`  // what the run may be given against it; "": nothing
	Operation Operation     `json:"operation,omitempty"`
	Call      int           `json:"call"`               // the first that shows it
	Deciding  *DecidingCall `json:"deciding,omitempty"` // the call on which it turns; nil: none does
	Failed    []string      `json:"failed,omitempty"`   // verdicts that hang on it, such as "CAN-01@cancel", what tells most first
	Hidden    []string      `json:"hidden,omitempty"`   // verdicts that were not reached because of it
	Ends      bool          `json:"ends,omitempty"`     // the run could not go on
}

// Reach says how much comes of a cause: "12 checks hang on it, 41 more are hidden
// behind it"; "" when it is one verdict and nothing else.
func (c Cause) Reach() string {
	hang, hidden := len(c.Failed), len(c.Hidden)
	switch {
	case hidden == 0 && hang <= 1:
		return ""
	case hidden == 0:
		return Count(hang, "check") + " hang on it"
	case hang == 0:
		return fmt.Sprintf("%s %s hidden behind it", Count(hidden, "check"), beOf(hidden))
	}
	verb := "hang"
	if hang == 1 {
		verb = "hangs"
	}
	return fmt.Sprintf("%s %s on it, %d more %s hidden behind it", Count(hang, "check"), verb, hidden, beOf(hidden))
}

func beOf(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Explains reports whether a verdict hangs on the cause.
func (c Cause) Explains(r Result) bool { return slices.Contains(c.Failed, r.Name()) }

// FirstNamed returns the verdicts that hang on the first cause.
func (r *Report) FirstNamed() []string {
	for _, c := range r.Causes {
		if len(c.Failed) > 0 {
			return c.Failed
		}
	}
	return nil
}
