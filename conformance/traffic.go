package conformance

import "slices"

// Traffic is how a suite judges calls of other clients while they are made. Its functions are
// pure and change no call. The zero value uses [Suite.Judge].
type Traffic struct {
	Checks []Check // checks, besides those of the suite, that only traffic can show

	// OfCall applies the rules that need no other call. It is fast enough to run before the call
	// is answered. Timed are the operations for which it reads the time of the call.
	OfCall func(*Exchange) []FiledFinding
	Timed  []Operation

	// Together applies the rules to calls in the order in which they ended; nil: [Suite.Judge].
	Together func(history []*Exchange, extent Extent) []FiledFinding

	// Unshown lists the MUSTs of the core that the calls cannot show because they were not served; nil: there are none.
	Unshown func(suite *Suite, history []*Exchange, results []Result) []Gap

	Slow string // the id of the check that a slow response breaks; "": none
}

// Extent says which part of the traffic a history holds.
type Extent int

// The extents.
const (
	Beginning Extent = iota // no earlier calls; more may follow
	Part                    // there may be earlier calls
	All                     // the traffic has ended
)

// JudgeCall returns the findings that one call of other clients shows by itself.
func (s *Suite) JudgeCall(x *Exchange) []FiledFinding {
	if s.Traffic.OfCall == nil {
		return nil
	}
	return s.Traffic.OfCall(x)
}

// JudgeTraffic returns the findings that calls of other clients, in the order in which they
// ended, show together.
func (s *Suite) JudgeTraffic(history []*Exchange, extent Extent) []FiledFinding {
	if s.Traffic.Together == nil {
		return s.Judge(history, nil)
	}
	return s.Traffic.Together(history, extent)
}

// TrafficChecks returns the checks that findings on traffic may be filed under.
func (s *Suite) TrafficChecks() []Check { return slices.Concat(s.Checks, s.Traffic.Checks) }

// The levels of a [CallFinding].
const (
	CallMust   = "must"
	CallShould = "should"
	CallNote   = "note" // changes no verdict
)

// The halves of a call.
const (
	AboutRequest = "request"
	AboutAnswer  = "answer"
)

// CallFinding is a finding on one call. It has a level in place of an outcome.
type CallFinding struct {
	Rule  string `json:"rule"`  // the id of its check
	Level string `json:"level"` // [CallMust], [CallShould] or [CallNote]
	About string `json:"about"` // [AboutRequest] or [AboutAnswer]
	Finding
	Calls []int `json:"calls,omitzero"` // ids of the calls that show it together; empty: this call alone
}

// FindingsByCall groups filed findings by the id of the last call that shows each. about is the
// half of the call that they concern.
func FindingsByCall(filed []FiledFinding, checks map[string]*Check, about string) map[int][]CallFinding {
	by := map[int][]CallFinding{}
	for _, f := range filed {
		c := checks[f.Check]
		if c == nil || len(f.Exchanges) == 0 {
			continue
		}
		level := levelOfCall(c, f.Outcome)
		if level == "" {
			continue
		}
		of := f.completed(c)
		own := CallFinding{Rule: f.Check, Level: level, About: about, Finding: Finding{
			Message: of.Message, Pointer: of.Pointer, Expected: of.Expected, Got: of.Got, Clause: of.Clause, Hint: of.Hint,
		}}
		if len(f.Exchanges) > 1 {
			own.Calls = slices.Clone(f.Exchanges)
		}
		id := f.Exchanges[len(f.Exchanges)-1]
		by[id] = append(by[id], own)
	}
	return by
}

// levelOfCall returns the level of a finding under a check. Only a failed MUST of the
// interface is [CallMust]; "" means that a single call does not show it.
func levelOfCall(c *Check, o Outcome) string {
	switch {
	case o == Fail && c.Level == Must:
		return CallMust
	case o == Fail && c.Level != Observed, o == Warn:
		return CallShould
	case o == Fail, o == Seen:
		return CallNote
	}
	return ""
}

// completed fills in the clause and the hint of a finding from its check.
func (f Finding) completed(c *Check) Finding {
	f.Clause = c.Clause
	if f.Hint == "" && (f.Outcome == Fail || f.Outcome == Warn) {
		f.Hint = c.Hint
	}
	return f
}
