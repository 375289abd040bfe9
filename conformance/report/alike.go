package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// alikeAcross merges groups of verdicts whose first verdicts are alike, as sayAlike has it, also across
// checks.
func alikeAcross(groups [][]conformance.Result) [][]conformance.Result {
	var all [][]conformance.Result
	for _, g := range groups {
		at := slices.IndexFunc(all, func(other []conformance.Result) bool { return sayAlike(g[0], other[0]) })
		if at < 0 {
			all = append(all, g)
		} else {
			all[at] = append(all[at], g...)
		}
	}
	return all
}

// sayAlike reports whether two verdicts have the same family of checks, level and outcome, and messages
// that differ only in numbers.
func sayAlike(a, b conformance.Result) bool {
	kind := func(r conformance.Result) string {
		name, _, _ := strings.Cut(r.ID, "-")
		return fmt.Sprint(name, r.Level, r.Outcome, r.Known == nil, r.Unscored, conformance.WithoutDigits(conformance.HeadlineOf(r)))
	}
	return kind(a) == kind(b)
}

// idsOf lists the first four ids of the checks of verdicts, and counts the others.
func idsOf(alike []conformance.Result) string {
	const most = 4
	var ids []string
	for _, r := range alike {
		if !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	if more := len(ids) - most; more > 0 {
		ids = append(ids[:most:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(ids, ", ")
}
