package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// The tiers: what callers gain.
const (
	TierCore    conformance.Tier = "books, follows and cancels"
	TierMenu    conformance.Tier = "offers what can be done"
	TierPrivacy conformance.Tier = "keeps numbers to itself"
	TierSteady  conformance.Tier = "copes with trouble"
)

// rows are all checks with their rules, in the order of a report.
var rows = assemble()

// catalogue holds their checks.
var catalogue = Catalogue()

// byID finds a check by its id.
var byID = conformance.IndexChecks(catalogue)

func assemble() []row {
	all := slices.Concat(wireRows, callerRows, bookingRows, settingsRows, menuRows, speechRows, troubleRows, askedRows, lostRows)
	slices.SortStableFunc(all, func(a, b row) int {
		return slices.Compare([]byte(a.ID), []byte(b.ID))
	})
	for i := range all {
		all[i].Tier = tierOf(all[i].Check)
	}
	return all
}

// tierOf returns the tier of a check.
func tierOf(c conformance.Check) conformance.Tier {
	switch {
	case c.ID == "P-44" || c.ID == "P-45":
		return TierPrivacy
	case c.ID >= "P-24" && c.ID <= "P-34" || c.ID >= "P-46" && c.ID <= "P-53" || c.ID == "P-40" || c.ID == "P-57" || c.ID == "P-79":
		return TierMenu
	case c.Level == conformance.Robustness || c.Level == conformance.Observed:
		return TierSteady
	}
	return TierCore
}

// Catalogue returns every check that a run executes, in the order of the report.
func Catalogue() []conformance.Check {
	var all []conformance.Check
	for _, r := range assemble() {
		all = append(all, r.Check)
	}
	return all
}

// check is one line of the catalogue.
func check(id string, level conformance.Level, ops []conformance.Operation, clause, requirement, why, hint string) conformance.Check {
	return conformance.Check{ID: id, Level: level, Operations: ops, Clause: clause, Requirement: requirement, Why: why, Hint: hint}
}

// needing sets what must be seen before there can be a verdict.
func needing(needs string, c conformance.Check) conformance.Check {
	c.Needs = needs
	return c
}

// aided sets the aid that a check needs.
func aided(aid conformance.Aid, needs string, c conformance.Check) conformance.Check {
	c.Aid, c.Needs = aid, needs
	return c
}

const (
	must   = conformance.Must
	should = conformance.Should
	robust = conformance.Robustness
	open   = conformance.Observed
)

// The operations of checks, and their clauses.
var (
	onUser    = []conformance.Operation{OpUser}
	onConfig  = []conformance.Operation{OpConfig}
	onBook    = []conformance.Operation{OpBook}
	onCancel  = []conformance.Operation{OpCancel}
	onStatus  = []conformance.Operation{OpStatus}
	onRef     = []conformance.Operation{OpCancel, OpStatus}
	onRequest = []conformance.Operation{OpRequest}
)

const (
	operations  = "Endpoints, Taxi integration operations"
	bookFields  = "Endpoints, /book request"
	objects     = "Resources and their fields, Taxi integration objects"
	userObject  = "Resources and their fields, End user"
	service     = "What the service does"
	statuses    = "States and transitions, Journey statuses"
	partial     = "Endpoints: partial responses are accepted"
	ours        = "required by this suite"
	needsCaller = "what the caller hears, from the platform's answer to the drive request or from a person"
)
