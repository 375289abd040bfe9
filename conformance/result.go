package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Result is the verdict on one check for one operation.
type Result struct {
	ID        string    `json:"id"`
	Level     Level     `json:"level"`
	Harm      Harm      `json:"harm,omitempty"` // whom a failure hurts
	Operation Operation `json:"operation"`      // one of the suite's operations, or a span of several
	Outcome   Outcome   `json:"outcome"`
	Findings  []Finding `json:"findings"`          // the evidence; none for a plain pass
	Evidence  int       `json:"evidence"`          // number of pieces of evidence
	ShownBy   []int     `json:"shownBy,omitempty"` // ids of calls that show the verdict

	Cause    int           `json:"cause,omitempty"`    // number of the report's cause that explains it, from 1; 0: none
	Unscored bool          `json:"unscored,omitempty"` // not in the set of requirements that the run is scored by
	Known    *KnownFailure `json:"known,omitempty"`    // the baseline's entry for this failure
}

// Name writes a verdict as reports name it, such as "CAN-01@cancel".
func (r Result) Name() string { return r.ID + "@" + string(r.Operation) }

// FirstCall returns the id of the first call that shows a verdict, if one does.
func (r Result) FirstCall() (first int, shown bool) {
	for _, f := range r.Findings {
		for _, id := range f.Exchanges {
			if !shown || id < first {
				first, shown = id, true
			}
		}
	}
	return first, shown
}

// Severity ranks the outcomes of findings: the outcome with the highest number becomes that of the verdict.
var Severity = map[Outcome]int{NotVerified: 1, Pass: 2, Seen: 3, Warn: 4, Flaky: 5, Fail: 6}

// mostFindings is how many findings a verdict keeps, the worst first. [Result.Evidence] counts all of them.
const mostFindings = 5

// Verdicts returns the verdict of each check on a history of exchanges, in the order in
// which they ended. It is pure: the same history gives the same findings. Checks that
// the history says nothing about are not verified.
func (s *Suite) Verdicts(history []Exchange, observations ...Observation) []Result {
	calls := make([]*Exchange, len(history))
	for i := range history {
		calls[i] = &history[i]
	}
	return s.Conclude(s.Judge(calls, observations), Unseen)
}

// Conclude combines all findings on a check and operation into one verdict. If there are
// none, absent returns the reason; nil means that nothing explains it, which is an error of
// the suite.
func (s *Suite) Conclude(all []FiledFinding, absent func(Check, Operation) *Reason) []Result {
	heard := map[VerdictKey][]FiledFinding{}
	for _, j := range all {
		heard[j.VerdictKey] = append(heard[j.VerdictKey], j)
	}
	var results []Result
	for _, c := range s.Checks {
		for _, op := range c.Operations {
			r := Result{ID: c.ID, Level: c.Level, Harm: c.Harm, Operation: op, Findings: []Finding{}}
			if said := heard[VerdictKey{c.ID, op}]; len(said) > 0 {
				r.decide(c, said)
			} else {
				f := c.findingWithoutEvidence(op, absent(c, op))
				r.Outcome, r.Findings = f.Outcome, []Finding{f}
			}
			results = append(results, r)
		}
	}
	return results
}

// Unseen returns, as a reason, what a check without findings would have needed.
func Unseen(c Check, _ Operation) *Reason {
	why := Because(NotSeen, "%s", c.needs())
	why.Aid = c.Aid
	return &why
}

// findingWithoutEvidence returns the finding for a check without findings: not verified for the reason why, or an error of
// the suite if why is nil.
func (c Check) findingWithoutEvidence(op Operation, why *Reason) Finding {
	if why == nil {
		return Finding{Outcome: Broken, Clause: c.Clause, Message: Worded(fmt.Sprintf("the suite reached no verdict on %s for %s", c.ID, op))}
	}
	return Finding{Outcome: NotVerified, Clause: c.Clause, Message: why.String(), Reason: why}
}

// decide sets the outcome to that of the worst finding, and stores the findings that say more than a plain
// pass.
func (r *Result) decide(c Check, said []FiledFinding) {
	r.Outcome = NotVerified
	for _, j := range said {
		r.Evidence += max(j.Count, 1)
		if Severity[j.Outcome] > Severity[r.Outcome] {
			r.Outcome, r.ShownBy = j.Outcome, j.Exchanges
		}
	}
	for _, j := range said {
		if j.Outcome == Pass || j.Outcome == NotVerified && r.Outcome != NotVerified {
			continue
		}
		r.addFinding(j.completed(&c))
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return Severity[b.Outcome] - Severity[a.Outcome] })
	if len(r.Findings) > mostFindings {
		r.Findings = r.Findings[:mostFindings]
	}
}

// addFinding adds a finding, or counts it with an equal one about the same field.
func (r *Result) addFinding(f Finding) {
	for i := range r.Findings {
		same := &r.Findings[i]
		if same.Outcome == f.Outcome && WithoutDigits(same.Pointer) == WithoutDigits(f.Pointer) && WithoutDigits(same.Message) == WithoutDigits(f.Message) {
			same.Count = max(same.Count, 1) + 1
			return
		}
	}
	r.Findings = append(r.Findings, f)
}

// WithoutDigits replaces each number in a text with 0, so that /items/0 and /items/12
// count as one place.
func WithoutDigits(s string) string {
	number := false
	return strings.Map(func(r rune) rune {
		was := number
		number = r >= '0' && r <= '9'
		switch {
		case number && was:
			return -1
		case number:
			return '0'
		}
		return r
	}, s)
}

// headline returns the message of a result's first finding, or the check's requirement if there is no
// finding.
func headline(r Result, c Check) string {
	if len(r.Findings) > 0 {
		return r.Findings[0].Message
	}
	return c.Requirement
}

// HeadlineOf returns the message of a result's first finding; "": there is none.
func HeadlineOf(r Result) string { return headline(r, Check{}) }

// ByWeight returns the verdicts sorted by their level: MUST, SHOULD, robustness, observed.
func ByWeight(all []Result) []Result {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Result) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
}
