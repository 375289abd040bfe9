package conformance

import "slices"

// Level says how much a requirement weighs.
type Level string

// The levels. Only a failed [Must] fails a run.
const (
	Must       Level = "must"       // stated by the interface
	Should     Level = "should"     // implied by its purpose
	Robustness Level = "robustness" // this suite's own bar, scored apart
	Observed   Level = "observed"   // the interface leaves it open: reported, never failed
)

// Rank orders levels, what weighs most first: [Must] is 0.
func (l Level) Rank() int { return slices.Index(levels, l) }

// Outcome is what became of a check.
type Outcome string

// The outcomes. Only [Pass] is green.
const (
	Pass        Outcome = "pass"
	Fail        Outcome = "fail"
	Warn        Outcome = "warn"         // legal, and likely to surprise somebody
	Flaky       Outcome = "flaky"        // a call failed, and did not when it was made again
	Seen        Outcome = "observed"     // recorded where the interface leaves room
	NotVerified Outcome = "not-verified" // a prerequisite was missing; the finding says which
	Broken      Outcome = "error"        // the suite itself failed to come to a verdict
)

// Tier names what users gain from a group of checks.
type Tier string

// Check is one requirement. Its id, once published, keeps its meaning.
type Check struct {
	ID          string      `json:"id"`
	Level       Level       `json:"level"`
	Tier        Tier        `json:"tier"`
	Operations  []Operation `json:"operations"`      // one verdict for each
	Clause      string      `json:"clause"`          // where in the interface it comes from
	Requirement string      `json:"requirement"`     // what is asked, in the interface's words where it has any
	Needs       string      `json:"needs,omitempty"` // what must be seen before there can be a verdict; "": nothing special
	Why         string      `json:"why"`             // what users lose when it fails
	Hint        string      `json:"hint"`            // what to change

	Own bool `json:"own,omitempty"` // of the firm that is judged, beside those of the suite

	Aid      Aid  `json:"-"` // what the operator can give so that it is seen; "": nothing
	AnyReply bool `json:"-"` // any reply of the operation shows it
	Idle     bool `json:"-"` // a server that does nothing may well meet it
}

// Needs says what has to be seen before there can be a verdict.
func (c Check) needs() string {
	if c.Needs == "" {
		return "calls of its own, which nobody made"
	}
	return c.Needs
}

// The levels, what weighs most first, and the outcomes.
var (
	levels   = []Level{Must, Should, Robustness, Observed}
	outcomes = []Outcome{Pass, Fail, Warn, Flaky, Seen, NotVerified, Broken}
)
