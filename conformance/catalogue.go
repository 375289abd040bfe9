package conformance

import (
	"slices"
	"strings"
)

// catalogue holds every check in the order it is reported.
var catalogue = assemble(
	onAnyReply(idle(wireChecks)), configChecks, userChecks, byNumber(bookChecks, editChecks), cancelChecks, statusChecks,
	enrichmentChecks, journeyChecks, idle(badChecks), raceChecks, idle(timingChecks), idle(securityChecks),
)

// byID finds a check by its id.
var byID = indexChecks(catalogue)

// Catalogue returns every check that a run executes, in the order of the report.
func Catalogue() []Check { return slices.Clone(catalogue) }

// idle marks checks of the wire, of bad input, and of a server's clock and walls:
// a server that does nothing may well meet them.
func idle(family []Check) []Check {
	for i := range family {
		family[i].Idle = true
	}
	return family
}

// onAnyReply marks checks that every reply of an operation shows.
func onAnyReply(family []Check) []Check {
	for i := range family {
		family[i].AnyReply = true
	}
	return family
}

// byNumber joins parts of a family.
func byNumber(parts ...[]Check) []Check {
	return slices.SortedFunc(slices.Values(slices.Concat(parts...)), func(a, b Check) int { return strings.Compare(a.ID, b.ID) })
}

// assemble joins the families and fills in what follows from an id.
func assemble(families ...[]Check) []Check {
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

// operationsOf reads the operations off an id's family.
func operationsOf(id string) []Operation {
	family, _, _ := strings.Cut(id, "-")
	switch family {
	case "W", "BAD":
		return Operations()
	case "CFG":
		return []Operation{OpConfig}
	case "USR":
		return []Operation{OpUser}
	case "BOK":
		return []Operation{OpBook}
	case "CAN":
		return []Operation{OpCancel}
	case "STA":
		return []Operation{OpStatus}
	default:
		return []Operation{OpJourney}
	}
}
