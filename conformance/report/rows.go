package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// row is one thing to look at, in formats that have a line for each: a cause, or
// verdicts that say the same.
type row struct {
	Name    string // ids with operations: "CAN-01 must cancel"; of a cause what it is about
	Text    string // what was found, in a line
	Cure    string
	Outcome conformance.Outcome
	Call    int  // the first that shows it; 0: none
	Red     bool // the run fails for it
}

// rowsOf lists what to look at: the causes, then what fails, is an error of the suite
// is flaky or warns and is explained by no cause; what weighs most first.
func rowsOf(r *conformance.Report) []row {
	var rows []row
	for _, c := range r.Causes {
		rows = append(rows, row{Name: subject(c.Operation), Text: c.Message, Cure: cureOf(c), Outcome: conformance.Fail, Call: c.Call, Red: true})
	}
	red := map[conformance.VerdictKey]bool{}
	for _, why := range r.Reasons() {
		red[why.Verdict] = true
	}
	for _, alike := range faultsOf(r) {
		first := alike[0]
		one := row{Name: first.ID + " " + string(first.Level) + " " + onWhich(alike), Text: summaryLine(first, conformance.Check{}), Outcome: first.Outcome}
		if len(first.Findings) > 0 {
			one.Text, one.Cure = gistOf(first.Findings[0]), first.Findings[0].Hint
		}
		if call := firstCall(first); call < math.MaxInt {
			one.Call = call
		}
		switch {
		case first.Known != nil:
			one.Text += " (known: " + first.Known.Owner + ")"
		case first.Unscored:
			one.Text += " (unscored)"
		}
		for _, res := range alike {
			one.Red = one.Red || red[conformance.VerdictKey{Check: res.ID, Op: res.Operation}]
		}
		rows = append(rows, one)
	}
	return rows
}

// faultsOf groups what fails, is an error of the suite, is flaky or warns, and is explained by no
// cause, in that order; within a level what was seen first comes first.
func faultsOf(r *conformance.Report) [][]conformance.Result {
	order := []conformance.Outcome{conformance.Fail, conformance.Broken, conformance.Flaky, conformance.Warn}
	weight := []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness, conformance.Observed}
	var faults []conformance.Result
	for _, res := range r.Checks {
		if slices.Contains(order, res.Outcome) && !explained(r, res) {
			faults = append(faults, res)
		}
	}
	groups := folded(faults)
	slices.SortStableFunc(groups, func(a, b []conformance.Result) int {
		return cmp.Or(
			slices.Index(order, a[0].Outcome)-slices.Index(order, b[0].Outcome),
			slices.Index(weight, a[0].Level)-slices.Index(weight, b[0].Level),
			cmp.Compare(firstCall(a[0]), firstCall(b[0])),
		)
	})
	return groups
}

// firstCall returns the number of the first call that shows a verdict: what goes wrong
// first is more likely to be what the rest comes of.
func firstCall(r conformance.Result) int {
	first := math.MaxInt
	for _, f := range r.Findings {
		for _, id := range f.Exchanges {
			first = min(first, id)
		}
	}
	return first
}

// subject names what a cause is about.
func subject(op conformance.Operation) string {
	if op == "" {
		return "the server"
	}
	return op.Path()
}
