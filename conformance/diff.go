package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Change is a difference between two runs.
type Change struct {
	Kind      string    `json:"kind"` // "broken", "lost", "gone", "exposed", "fixed", "gained", "changed" or "new"
	ID        string    `json:"id"`
	Operation Operation `json:"operation"`
	Level     Level     `json:"level"`
	Before    Outcome   `json:"before,omitempty"`
	After     Outcome   `json:"after,omitempty"`
	Message   string    `json:"message,omitempty"` // of the later run
}

// LatencyChange holds the 95th percentile of the time that an operation took in each of two runs.
type LatencyChange struct {
	Operation Operation     `json:"operation"`
	Before    time.Duration `json:"beforeNanos"`
	After     time.Duration `json:"afterNanos"`
}

// Notable reports whether the two times differ by more than normal variation: by at least half of the
// shorter one, and by at least 50 ms.
func (p LatencyChange) Notable() bool {
	const least = 50 * time.Millisecond
	slow, quick := max(p.Before, p.After), min(p.Before, p.After)
	return quick > 0 && slow-quick >= least && slow-quick >= quick/2
}

// Difference lists the changes from one run to the next.
type Difference struct {
	Changes []Change        `json:"changes"`
	Of      []string        `json:"of,omitempty"` // the checks compared, if one of the runs was limited to some checks
	Pace    []LatencyChange `json:"pace"`
}

// Diff compares two runs, the earlier first.
func Diff(earlier, later *RunFile) Difference {
	d := Difference{Changes: []Change{}, Of: scopeOf(earlier, later)}
	before, after := resultsByKey(earlier.Checks), resultsByKey(later.Checks)
	names := later.ChecksByID()
	for _, r := range later.Checks {
		was, known := before[VerdictKey{r.ID, r.Operation}]
		if !d.about(r.ID) {
			continue
		}
		if known && was.Outcome == r.Outcome {
			continue
		}
		d.Changes = append(d.Changes, Change{
			Kind: kindOf(was.Outcome, r.Outcome), ID: r.ID, Operation: r.Operation, Level: r.Level,
			Before: was.Outcome, After: r.Outcome, Message: headline(r, names[r.ID]),
		})
	}
	for _, r := range earlier.Checks {
		if _, still := after[VerdictKey{r.ID, r.Operation}]; !still && d.about(r.ID) {
			d.Changes = append(d.Changes, Change{Kind: "gone", ID: r.ID, Operation: r.Operation, Level: r.Level, Before: r.Outcome})
		}
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int { return changeRank[a.Kind] - changeRank[b.Kind] })
	for _, op := range later.Suite.Operations {
		d.Pace = append(d.Pace, LatencyChange{op, earlier.latency(op), later.latency(op)})
	}
	return d
}

// scopeOf returns the checks that both runs include; nil: all.
func scopeOf(earlier, later *RunFile) []string {
	switch {
	case len(earlier.Only) == 0:
		return later.Only
	case len(later.Only) == 0:
		return earlier.Only
	}
	both := []string{} // empty, not nil: nil means all
	for _, id := range later.Only {
		if slices.Contains(earlier.Only, id) {
			both = append(both, id)
		}
	}
	return both
}

func (d Difference) about(id string) bool { return d.Of == nil || slices.Contains(d.Of, id) }

// Comparable returns an error if one of the runs was stopped or repeated only one probe, since such a run
// covers fewer checks than it lists.
func Comparable(earlier, later *RunFile) error {
	for _, f := range []*RunFile{earlier, later} {
		if f.Interrupted || f.Repeated != nil {
			return fmt.Errorf("the run of %s is %s, which does not cover all checks: compare whole runs", f.Started.Format(time.DateTime), f.Scope())
		}
	}
	return nil
}

// changeRank orders the kinds of changes, the worst first.
var changeRank = map[string]int{"broken": 0, "lost": 1, "gone": 2, exposed: 3, "fixed": 4, "gained": 5, "changed": 6, "new": 7}

// exposed is the kind of change of a check that was not verified in the earlier run and fails in the later
// one. It is not a regression.
const exposed = "exposed"

// Worse reports whether any verdict of the later run is a new failure or error, is no longer verified, or
// is missing.
func (d Difference) Worse() bool {
	return slices.ContainsFunc(d.Changes, func(c Change) bool { return changeRank[c.Kind] <= changeRank["gone"] })
}

func kindOf(before, after Outcome) string {
	switch {
	case before == NotVerified && after == Fail:
		return exposed
	case after == Fail || after == Broken:
		return "broken"
	case before == "":
		return "new"
	case after == NotVerified:
		return "lost"
	case before == Fail || before == Broken:
		return "fixed"
	case before == NotVerified:
		return "gained"
	}
	return "changed"
}

func resultsByKey(results []Result) map[VerdictKey]Result {
	m := map[VerdictKey]Result{}
	for _, r := range results {
		m[VerdictKey{r.ID, r.Operation}] = r
	}
	return m
}

// latency returns the 95th percentile of the time that ordinary calls of an operation took until they were
// answered; 0: there are none.
func (f *RunFile) latency(op Operation) time.Duration {
	var took []time.Duration
	for _, x := range f.Calls {
		if x.Operation == op && x.Response != nil && x.Intent == IntentPlain {
			took = append(took, x.Took)
		}
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[(len(took)-1)*95/100]
}

// Total counts the changes by kind, as a text such as "broken 1, fixed 52".
func (d Difference) Total() string {
	counts := map[string]int{"broken": 0, "fixed": 0} // always shown
	for _, c := range d.Changes {
		counts[c.Kind]++
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return changeRank[a] - changeRank[b] })
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%s %d", kind, counts[kind])
	}
	text := strings.Join(kinds, ", ")
	if n := counts[exposed]; n > 0 {
		text += fmt.Sprintf(" (%s hidden in the earlier run: not a regression)", Count(n, "failure"))
	}
	return text
}

// String describes a change in one line.
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
