package report

import (
	"cmp"
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// causeOf returns the cause of which a verdict comes, if there is one.
func causeOf(f *conformance.RunFile, r conformance.Result) (c conformance.Cause, caused bool) {
	if r.Cause < 1 || r.Cause > len(f.Causes) {
		return c, false
	}
	return f.Causes[r.Cause-1], true
}

// causedLine says in a line what was found for a verdict: what tells most of a cause says
// the cause, and the others of which they come.
func causedLine(f *conformance.RunFile, r conformance.Result, c conformance.Check) string {
	cause, caused := causeOf(f, r)
	switch {
	case !caused && len(r.Findings) > 0:
		return gistOf(r.Findings[0])
	case !caused:
		return summaryLine(r, c)
	case cause.Failed[0] != r.Name():
		return gistOf(r.Findings[0]) + "; comes of " + cause.Failed[0]
	}
	if reach := cause.Reach(); reach != "" {
		return cause.Message + "; " + reach
	}
	return cause.Message
}

// byCause orders the verdicts by their cause, what tells most of each first; those that
// have none come last.
func byCause(f *conformance.RunFile) []conformance.Result {
	place := func(r conformance.Result) int {
		if r.Cause == 0 {
			return len(f.Causes) + 1
		}
		return r.Cause
	}
	return slices.SortedStableFunc(slices.Values(f.Checks), func(a, b conformance.Result) int {
		second := 0
		if c, caused := causeOf(f, a); caused && a.Cause == b.Cause {
			second = slices.Index(c.Failed, a.Name()) - slices.Index(c.Failed, b.Name())
		}
		return cmp.Or(place(a)-place(b), second)
	})
}

// resultsOf returns the verdicts that hang on a cause, what tells most first.
func resultsOf(r *conformance.Report, c conformance.Cause) []conformance.Result {
	var results []conformance.Result
	for _, res := range r.Checks {
		if c.Explains(res) {
			results = append(results, res)
		}
	}
	slices.SortFunc(results, func(a, b conformance.Result) int {
		return slices.Index(c.Failed, a.Name()) - slices.Index(c.Failed, b.Name())
	})
	return results
}

// levelOf returns the level that weighs most among some verdicts.
func levelOf(results []conformance.Result) conformance.Level {
	return slices.MinFunc(results, func(a, b conformance.Result) int { return a.Level.Rank() - b.Level.Rank() }).Level
}

// subject names what a cause is about.
func subject(op conformance.Operation) string {
	if op == "" {
		return "the server"
	}
	return op.Path()
}
