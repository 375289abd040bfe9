package report

import (
	"cmp"
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// row is a line of the formats that have one line for each cause, and for each group of other verdicts with
// the same message.
type row struct {
	Name    string // ids with operations: "CAN-01 must cancel"; for a cause its operation
	Text    string // the finding, in one line
	Cure    string
	Outcome conformance.Outcome
	Call    int    // the first call that shows it; 0: none
	Reach   string // further consequences; "": none
	Red     bool   // it fails the run
}

// rowsOf lists the main findings: the causes, then errors of the suite, flaky verdicts,
// warnings and failures without a cause; the most severe first.
func rowsOf(r *conformance.Report) []row {
	red := map[conformance.VerdictKey]bool{}
	for _, why := range r.Reasons() {
		red[why.Verdict] = true
	}
	isRed := func(res conformance.Result) bool {
		return red[conformance.VerdictKey{Check: res.ID, Op: res.Operation}]
	}
	var rows []row
	for _, c := range r.Causes {
		results := resultsOf(r, c)
		one := row{Name: subject(c.Operation), Text: c.Message, Cure: cureOf(c), Outcome: conformance.Fail, Call: c.Call, Reach: c.Reach()}
		one.Red = len(results) == 0 || slices.ContainsFunc(results, isRed)
		if len(results) > 0 {
			one.Name = results[0].ID + " " + string(levelOf(results)) + " " + onWhich(groupByMessage(results)[0])
		}
		if note := excuseOf(results); note != "" {
			one.Text += " (" + note + ")"
		}
		rows = append(rows, one)
	}
	for _, alike := range faultsOf(r) {
		rows = append(rows, rowOf(alike, slices.ContainsFunc(alike, isRed)))
	}
	return rows
}

// rowOf returns the row of verdicts with the same message; red says that they fail the run.
func rowOf(alike []conformance.Result, red bool) row {
	first := alike[0]
	one := row{
		Name: idsOf(alike) + " " + string(first.Level) + " " + onWhich(alike), Text: summaryLine(first, conformance.Check{}), Outcome: first.Outcome, Red: red,
	}
	if len(first.Findings) > 0 {
		one.Text, one.Cure = gistOf(first.Findings[0]), first.Findings[0].Hint
	}
	if call, shown := first.FirstCall(); shown {
		one.Call = call
	}
	if note := excuseOf(alike); note != "" {
		one.Text += " (" + note + ")"
	}
	return one
}

// excuseOf returns why none of the verdicts counts: the first is known or not scored; "": some of them
// count.
func excuseOf(results []conformance.Result) string {
	if len(results) == 0 || slices.ContainsFunc(results, func(r conformance.Result) bool { return r.Known == nil && !r.Unscored }) {
		return ""
	}
	if known := results[0].Known; known != nil {
		return "known: " + known.Owner + ", until " + known.Until.Format("2006-01-02")
	}
	return "not scored"
}

// faultsOf groups the failures, errors of the suite, flaky verdicts and warnings without a cause,
// in that order, the most severe first.
func faultsOf(r *conformance.Report) [][]conformance.Result {
	order := []conformance.Outcome{conformance.Fail, conformance.Broken, conformance.Flaky, conformance.Warn}
	var faults []conformance.Result
	for _, res := range r.Checks {
		if slices.Contains(order, res.Outcome) && !explained(r, res) {
			faults = append(faults, res)
		}
	}
	groups := alikeAcross(groupByMessage(faults))
	slices.SortStableFunc(groups, func(a, b []conformance.Result) int {
		return cmp.Or(slices.Index(order, a[0].Outcome)-slices.Index(order, b[0].Outcome), a[0].Level.Rank()-b[0].Level.Rank())
	})
	return groups
}
