package conformance

import (
	"fmt"
	"slices"
	"time"
)

// Change is a difference between two runs.
type Change struct {
	Kind      string    `json:"kind"` // "broken", "fixed", "lost", "gained", "new", "gone" or "changed"
	ID        string    `json:"id"`
	Operation Operation `json:"operation"`
	Level     Level     `json:"level"`
	Before    Outcome   `json:"before,omitempty"`
	After     Outcome   `json:"after,omitempty"`
	Message   string    `json:"message,omitempty"` // of the later run
}

// Pace is how long an operation took in two runs: the 95th percentile.
type Pace struct {
	Operation Operation     `json:"operation"`
	Before    time.Duration `json:"beforeNanos"`
	After     time.Duration `json:"afterNanos"`
}

// Notable reports a change that is more than the weather on a network: by half,
// and by 50 ms at least.
func (p Pace) Notable() bool {
	const least = 50 * time.Millisecond
	slow, quick := max(p.Before, p.After), min(p.Before, p.After)
	return quick > 0 && slow-quick >= least && slow-quick >= quick/2
}

// Difference is what changed from one run to the next.
type Difference struct {
	Changes []Change `json:"changes"`
	Pace    []Pace   `json:"pace"`
}

// Diff compares two runs, the earlier first.
func Diff(earlier, later *RunFile) Difference {
	d := Difference{Changes: []Change{}}
	before, after := resultsByKey(earlier.Checks), resultsByKey(later.Checks)
	names := later.checks()
	for _, r := range later.Checks {
		was, known := before[filed{r.ID, r.Operation}]
		if known && was.Outcome == r.Outcome {
			continue
		}
		d.Changes = append(d.Changes, Change{
			Kind: kindOf(was.Outcome, r.Outcome), ID: r.ID, Operation: r.Operation, Level: r.Level,
			Before: was.Outcome, After: r.Outcome, Message: headline(r, names[r.ID]),
		})
	}
	for _, r := range earlier.Checks {
		if _, still := after[filed{r.ID, r.Operation}]; !still {
			d.Changes = append(d.Changes, Change{Kind: "gone", ID: r.ID, Operation: r.Operation, Level: r.Level, Before: r.Outcome})
		}
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int { return changeRank[a.Kind] - changeRank[b.Kind] })
	for _, op := range Operations() {
		d.Pace = append(d.Pace, Pace{op, earlier.pace(op), later.pace(op)})
	}
	return d
}

// changeRank orders changes: what is worse comes first.
var changeRank = map[string]int{"broken": 0, "lost": 1, "fixed": 2, "gained": 3, "changed": 4, "new": 5, "gone": 6}

// Worse reports whether something failed that did not, or is no longer verified.
func (d Difference) Worse() bool {
	return slices.ContainsFunc(d.Changes, func(c Change) bool { return c.Kind == "broken" || c.Kind == "lost" })
}

func kindOf(before, after Outcome) string {
	switch {
	case after == Fail || after == Broken:
		return "broken"
	case before == "":
		return "new"
	case before == Fail || before == Broken:
		return "fixed"
	case after == NotVerified:
		return "lost"
	case before == NotVerified:
		return "gained"
	}
	return "changed"
}

func resultsByKey(results []Result) map[filed]Result {
	m := map[filed]Result{}
	for _, r := range results {
		m[filed{r.ID, r.Operation}] = r
	}
	return m
}

// pace returns the 95th percentile of an operation's answers.
func (f *RunFile) pace(op Operation) time.Duration {
	var took []time.Duration
	for _, x := range f.Calls {
		if x.Operation == op && x.Response != nil && x.Intent == intentPlain {
			took = append(took, x.Took)
		}
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[(len(took)-1)*95/100]
}

// String tells a change in a line.
func (c Change) String() string {
	arrow := fmt.Sprintf("%s → %s", c.Before, c.After)
	switch {
	case c.Before == "":
		arrow = string(c.After)
	case c.After == "":
		arrow = string(c.Before) + " → not checked"
	}
	return fmt.Sprintf("%-7s %-7s %-10s %-8s %s  %s", c.Kind, c.ID, c.Level, c.Operation, arrow, c.Message)
}
