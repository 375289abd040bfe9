package report

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// causeOf returns the cause that explains a verdict; caused is false if there is none.
func causeOf(f *conformance.RunFile, r conformance.Result) (c conformance.Cause, caused bool) {
	if r.Cause < 1 || r.Cause > len(f.Causes) {
		return c, false
	}
	return f.Causes[r.Cause-1], true
}

// causedLine describes a verdict in one line. The most informative verdict of a cause has the cause's
// message; the others refer to that verdict.
func causedLine(f *conformance.RunFile, r conformance.Result, c conformance.Check) string {
	cause, caused := causeOf(f, r)
	switch {
	case !caused && len(r.Findings) > 0:
		return gistOf(r.Findings[0])
	case !caused:
		return summaryLine(r, c)
	case cause.Failed[0] != r.Name():
		return gistOf(r.Findings[0]) + "; caused by " + cause.Failed[0]
	}
	if reach := cause.Reach(); reach != "" {
		return cause.Message + "; " + reach
	}
	return cause.Message
}

// resultsOf returns the verdicts that a cause explains, the most informative first.
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

// levelOf returns the most severe level among verdicts.
func levelOf(results []conformance.Result) conformance.Level {
	return slices.MinFunc(results, func(a, b conformance.Result) int { return a.Level.Rank() - b.Level.Rank() }).Level
}

// harmsOf lists whom verdicts hurt, the gravest first.
func harmsOf(s *conformance.Suite, results []conformance.Result) string {
	var all []string
	for _, h := range s.Harms {
		if slices.ContainsFunc(results, func(r conformance.Result) bool { return r.Harm == h.Harm }) {
			all = append(all, string(h.Harm))
		}
	}
	return strings.Join(all, ", ")
}

// subject returns the path of the operation of a cause, or "the server" if the cause has none.
func subject(op conformance.Operation) string {
	if op == "" {
		return "the server"
	}
	return op.Path()
}
