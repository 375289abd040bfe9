package rules

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// TierCore has the checks that every platform must pass.
const TierCore conformance.Tier = "calls and is called"

// Harms lists who is harmed by failed checks.
func Harms() []conformance.HarmInfo {
	return []conformance.HarmInfo{{Harm: "privacy", Grave: true}, {Harm: "customer", Grave: true}, {Harm: "operator"}}
}

// private are the checks whose failure shows or gives somebody what is another's.
var private = strings.Fields(`TOK-10 TOK-11 TOK-12 TOK-13 TOK-14 TOK-15 TOK-17 API-03 API-04 API-06 ACC-08 TRK-10 HOK-10 DEV-10 VOI-06 VOI-07 VOI-08 VOI-14`)

// harmOf returns who is harmed if a check fails.
func harmOf(c conformance.Check) conformance.Harm {
	switch {
	case slices.Contains(private, c.ID):
		return "privacy"
	case c.Level == conformance.Observed:
		return ""
	case c.Level == conformance.Robustness:
		return "operator"
	}
	return "customer"
}

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
		all[i].Tier, all[i].Harm = TierCore, harmOf(all[i].Check)
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
