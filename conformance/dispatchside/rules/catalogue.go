package rules

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// catalogue holds every check in the order it is reported.
var catalogue = assemble(
	onAnyReply(idle(wireChecks)), configChecks, userChecks, byNumber(bookChecks, editChecks), cancelChecks, statusChecks,
	enrichmentChecks, moneyChecks, etaChecks, peopleChecks, journeyChecks, idle(badChecks), raceChecks, idle(timingChecks), idle(securityChecks),
)

// Catalogue returns every check that a run executes, in the order of the report.
func Catalogue() []conformance.Check { return slices.Clone(catalogue) }

// idle marks checks that a server that does nothing may meet: those of the wire, bad
// input, the clock and security.
func idle(family []conformance.Check) []conformance.Check {
	for i := range family {
		family[i].Idle = true
	}
	return family
}

// onAnyReply marks checks for which every reply of an operation is evidence.
func onAnyReply(family []conformance.Check) []conformance.Check {
	for i := range family {
		family[i].AnyReply = true
	}
	return family
}

// byNumber joins the parts of a family, sorted by number.
func byNumber(parts ...[]conformance.Check) []conformance.Check {
	return slices.SortedFunc(slices.Values(slices.Concat(parts...)), func(a, b conformance.Check) int { return strings.Compare(a.ID, b.ID) })
}

// assemble joins the families and fills in the fields derived from the id.
func assemble(families ...[]conformance.Check) []conformance.Check {
	all := slices.Concat(families...)
	for i := range all {
		c := &all[i]
		if c.Operations == nil {
			c.Operations = operationsOf(c.ID)
		}
		if c.Tier == "" {
			c.Tier = TierCore
		}
		if c.Clause == "" {
			c.Clause = clauseOurs
		}
	}
	return all
}

// operationsOf returns the operations of an id's family.
func operationsOf(id string) []conformance.Operation {
	family, _, _ := strings.Cut(id, "-")
	switch family {
	case "W", "BAD":
		return Operations()
	case "CFG":
		return []conformance.Operation{OpConfig}
	case "USR":
		return []conformance.Operation{OpUser}
	case "BOK":
		return []conformance.Operation{OpBook}
	case "CAN":
		return []conformance.Operation{OpCancel}
	case "STA":
		return []conformance.Operation{OpStatus}
	default:
		return []conformance.Operation{OpJourney}
	}
}
