package conformance

import "slices"

// Traffic is how a suite judges calls that others make, while they make them. Its functions are
// pure and change no call. The zero value leaves it to [Suite.Judge].
type Traffic struct {
	Checks []Check // that only traffic shows, beside those of the suite

	// OfCall applies the rules that need no other call. It is quick enough to be asked before
	// the call is answered. Timed are the operations for which it looks at when the call was made.
	OfCall func(*Exchange) []FiledFinding
	Timed  []Operation

	// Together applies the rules to calls in the order in which they ended. nil: as [Suite.Judge] does.
	Together func(history []*Exchange, extent Extent) []FiledFinding

	Slow string // the id of the check that a slow response breaks; "": none
}

// Extent says how much of the traffic a history is.
type Extent int

// The extents.
const (
	Beginning Extent = iota // nothing came before, and more may follow
	Part                    // other calls may have come before
	All                     // it is over
)

// JudgeCall finds what one call of others' traffic shows by itself.
func (s *Suite) JudgeCall(x *Exchange) []FiledFinding {
	if s.Traffic.OfCall == nil {
		return nil
	}
	return s.Traffic.OfCall(x)
}

// JudgeTraffic finds what calls of others show together, in the order in which they ended.
func (s *Suite) JudgeTraffic(history []*Exchange, extent Extent) []FiledFinding {
	if s.Traffic.Together == nil {
		return s.Judge(history, nil)
	}
	return s.Traffic.Together(history, extent)
}

// TrafficChecks are the checks that findings on traffic may be filed under.
func (s *Suite) TrafficChecks() []Check { return slices.Concat(s.Checks, s.Traffic.Checks) }

// The levels of what is found of a call.
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

// CallFinding is a finding on one call. Its level stands for the outcome.
type CallFinding struct {
	Rule  string `json:"rule"`  // the id of its check
	Level string `json:"level"` // [CallMust], [CallShould] or [CallNote]
	About string `json:"about"` // [AboutRequest] or [AboutAnswer]
	Finding
	Calls []int `json:"calls,omitzero"` // ids of the calls that show it together; none: this one does
}

// FindingsByCall sorts filed findings by the id of the last call that shows each. about is the half
// of the call that they are about.
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

// levelOfCall weighs what was found under a check. Only a MUST of the interface that was
// failed is one; "" means that it is nothing to tell of one call.
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

// completed adds to a finding what its check says of everything that can be wrong.
func (f Finding) completed(c *Check) Finding {
	f.Clause = c.Clause
	if f.Hint == "" && (f.Outcome == Fail || f.Outcome == Warn) {
		f.Hint = c.Hint
	}
	return f
}
