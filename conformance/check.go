package conformance

import "slices"

// Level is the severity of a requirement.
type Level string

// The levels. Only a failed [Must] fails a run.
const (
	Must       Level = "must"       // stated by the interface
	Should     Level = "should"     // implied by its purpose
	Robustness Level = "robustness" // required by this suite only, scored separately
	Observed   Level = "observed"   // the interface leaves it open: reported, never failed
)

// Rank orders levels, the most severe first: [Must] is 0.
func (l Level) Rank() int { return slices.Index(levels, l) }

// Outcome is the result of a check.
type Outcome string

// The outcomes. Only [Pass] is green.
const (
	Pass        Outcome = "pass"
	Fail        Outcome = "fail"
	Warn        Outcome = "warn"         // allowed, but likely to surprise somebody
	Flaky       Outcome = "flaky"        // a call failed, and succeeded when it was repeated
	Seen        Outcome = "observed"     // recorded where the interface leaves a choice
	NotVerified Outcome = "not-verified" // a prerequisite was missing; the finding says which
	Broken      Outcome = "error"        // the suite itself failed to reach a verdict
)

// Tier names what users gain from a group of checks.
type Tier string

// Check is one requirement. The meaning of a published id never changes.
type Check struct {
	ID          string      `json:"id"`
	Level       Level       `json:"level"`
	Tier        Tier        `json:"tier"`
	Operations  []Operation `json:"operations"`      // one verdict for each
	Clause      string      `json:"clause"`          // where in the interface it comes from
	Requirement string      `json:"requirement"`     // the requirement, in the interface's words where it has any
	Needs       string      `json:"needs,omitempty"` // what must be seen before there can be a verdict; "": nothing special
	Why         string      `json:"why"`             // what users lose when it fails
	Hint        string      `json:"hint"`            // what to change

	Own bool `json:"own,omitempty"` // defined by the vendor that is judged, in addition to the suite's checks

	Aid      Aid  `json:"-"` // the aid that the check needs; "": none
	AnyReply bool `json:"-"` // any reply of the operation is evidence for it
	Idle     bool `json:"-"` // a server that does nothing may meet it
}

// needs says what must be seen before there can be a verdict.
func (c Check) needs() string {
	if c.Needs == "" {
		return "calls of its own, which nobody made"
	}
	return c.Needs
}

// The levels, the most severe first, and the outcomes.
var (
	levels   = []Level{Must, Should, Robustness, Observed}
	outcomes = []Outcome{Pass, Fail, Warn, Flaky, Seen, NotVerified, Broken}
)
