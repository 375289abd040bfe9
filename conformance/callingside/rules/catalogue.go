package rules

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// The tiers of checks, by what a platform that passes them can do.
const (
	TierCore    conformance.Tier = "books, follows and cancels"
	TierMenu    conformance.Tier = "offers what can be done"
	TierPrivacy conformance.Tier = "keeps numbers to itself"
	TierSteady  conformance.Tier = "copes with trouble"
)

// Harms lists the kinds of harm that a failed check can do, and whether they are grave.
func Harms() []conformance.HarmInfo {
	return []conformance.HarmInfo{{Harm: passenger, Grave: true}, {Harm: privacy, Grave: true}, {Harm: operator}}
}

const (
	passenger conformance.Harm = "passenger"
	privacy   conformance.Harm = "privacy"
	operator  conformance.Harm = "operator"
)

// hurts has the checks whose failure harms passengers or privacy. Other failures harm the operator.
var hurts = map[conformance.Harm][]string{
	passenger: strings.Fields(`P-02 P-04 P-05 P-06 P-08 P-09 P-10 P-11 P-12 P-13 P-14 P-15 P-19 P-21 P-22 P-23 P-24 P-34 P-36 P-39 P-40 P-41 P-42 P-43
		P-47 P-48 P-49 P-51 P-54 P-55 P-56 P-57 P-60 P-64 P-66 P-67 P-68 P-71 P-74 P-75 P-76 P-77 P-79 P-80 P-81 P-83 P-84 P-85`),
	privacy: strings.Fields(`P-07 P-17 P-18 P-44 P-45 P-46 P-72 P-86`),
}

// harmOf returns who is harmed if a check fails; "" if it cannot fail.
func harmOf(c conformance.Check) conformance.Harm {
	switch {
	case slices.Contains(hurts[passenger], c.ID):
		return passenger
	case slices.Contains(hurts[privacy], c.ID):
		return privacy
	case c.Level == conformance.Observed:
		return ""
	}
	return operator
}

// rows are all checks with the functions that judge them, in the order of a report.
var rows = assemble()

// catalogue has all checks, in the order of a report.
var catalogue = Catalogue()

// byID has all checks by their ids.
var byID = conformance.IndexChecks(catalogue)

func assemble() []row {
	all := slices.Concat(wireRows, callerRows, bookingRows, settingsRows, menuRows, speechRows, troubleRows, askedRows, lostRows, saidRows)
	slices.SortStableFunc(all, func(a, b row) int {
		return slices.Compare([]byte(a.ID), []byte(b.ID))
	})
	for i := range all {
		all[i].Tier, all[i].Harm = tierOf(all[i].Check), harmOf(all[i].Check)
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

// check returns a check with the given texts and operations.
func check(id string, level conformance.Level, ops []conformance.Operation, clause, requirement, why, hint string) conformance.Check {
	return conformance.Check{ID: id, Level: level, Operations: ops, Clause: clause, Requirement: requirement, Why: why, Hint: hint}
}

// needing returns a check with what must be seen before it can have a verdict.
func needing(needs string, c conformance.Check) conformance.Check {
	c.Needs = needs
	return c
}

// aided returns a check with the aid that it needs, and what that is in words.
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

// The lists of operations that checks are about.
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
