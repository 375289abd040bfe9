package conformance

import "slices"

// Level is the severity of a requirement.
type Level string

// The levels. A failed [Must] fails every run; [Report.FailOn] says what else does.
const (
	Must       Level = "must"       // stated by the interface
	Should     Level = "should"     // implied by its purpose
	Robustness Level = "robustness" // required by this suite only, scored separately
	Observed   Level = "observed"   // the interface leaves it open: reported, never failed
)

// Harmful is a value of [Report.FailOn] and not a level of checks. With it, a run also fails if a check
// nonFatalSummary [Must] fails whose [Harm] is grave.
const Harmful Level = "harm"

// Harm names whom the failure of a check hurts; "": nobody. Each suite defines its own harms.
type Harm string

// HarmInfo describes a harm that a suite defines.
type HarmInfo struct {
	Harm  Harm
	Grave bool // a failure with this harm fails a run on [Harmful]
}

// Rank returns the position of a level among all levels, 0 for [Must], the most severe; -1: the level is
// unknown.
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

// Tier is a group of checks, named after what users gain from a server that passes them.
type Tier string

// Check is one requirement. The meaning of a published id never changes.
type Check struct {
	ID          string      `json:"id"`
	Level       Level       `json:"level"`
	Harm        Harm        `json:"harm,omitempty"`
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

// needs returns [Check.Needs], or a general text if that is empty.
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

// Clause is one requirement or statement of the interface, and how the suite
// treats it: it is tested, excluded for a reason, or ambiguous.
type Clause struct {
	Section   string   `json:"section"`
	Text      string   `json:"text"`
	Checks    []string `json:"checks,omitempty"`    // ids of the checks that test it
	Excluded  string   `json:"excluded,omitempty"`  // why no check tests it
	Ambiguity string   `json:"ambiguity,omitempty"` // the [Ambiguity] that it leaves
}

// Ambiguity is a question that the interface leaves open. Every reading is
// accepted: what a server does is recorded, and never failed.
type Ambiguity struct {
	ID       string   `json:"id"`       // "A1"; keeps its meaning
	Question string   `json:"question"` // what the interface does not say, or says in two ways
	Accepted string   `json:"accepted"` // how this suite reads it
	Checks   []string `json:"checks"`   // ids of the checks that record it
}

// Aid is something that only the operator of the judged server can give to a run, such as a way to restart
// it.
type Aid string

// The aids.
const (
	AidAdvance  Aid = "advance"  // advances the things that a run made, so that each status is seen
	AidRestart  Aid = "restart"  // stops and starts the server
	AidClock    Aid = "clock"    // moves the server's clock
	AidFixtures Aid = "fixtures" // barred users, and a route with a fixed price
	AidAgreed   Aid = "agreed"   // the route with a fixed price, when only the users were given
	AidBarred   Aid = "barred"   // the barred users, when only the route was given
	AidAuth     Aid = "auth"     // credentials, so that calls without them can be tested
	AidNumbers  Aid = "numbers"  // users whom the server knows
	AidHTTPS    Aid = "https"    // an https address
	AidZone     Aid = "zone"     // a place where the clocks change

	AidAuthority   Aid = "authority"   // the authority that signed the server's certificate
	AidCertificate Aid = "certificate" // a client certificate
	AidTime        Aid = "time"        // more time for a call
)
