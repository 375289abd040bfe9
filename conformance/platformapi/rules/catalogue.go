package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// TierCore has the checks that every platform must pass.
const TierCore conformance.Tier = "calls and is called"

// rows are all checks with their rules, in the order of a report.
var rows = assemble()

// byID finds a check by its id.
var byID = conformance.IndexChecks(Catalogue())

func assemble() []row {
	all := slices.Concat(tokenRows, wireRows, accountRows)
	for _, k := range Kinds() {
		all = append(all, rowsOf(k)...)
	}
	all = slices.Concat(all, deviceRows, voiceRows)
	for i := range all {
		all[i].Tier = TierCore
	}
	return all
}

// Catalogue returns every check that a run executes, in the order of the report.
func Catalogue() []conformance.Check {
	var all []conformance.Check
	for _, r := range assemble() {
		all = append(all, r.Check)
	}
	return all
}
