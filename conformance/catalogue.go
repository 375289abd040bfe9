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
var byID = index(catalogue)

// Catalogue returns every check that a run executes, in the order of the report.
func Catalogue() []Check { return slices.Clone(catalogue) }

// Lookup returns the check with the given id, in any case.
func Lookup(id string) (Check, bool) {
	c, ok := byID[strings.ToUpper(id)]
	if !ok {
		return Check{}, false
	}
	return *c, true
}

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

func index(all []Check) map[string]*Check {
	m := make(map[string]*Check, len(all))
	for i := range all {
		m[all[i].ID] = &all[i]
	}
	return m
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

// operationFor returns the operation that a verdict on check id is filed under
// when the evidence is a call of op.
func operationFor(id string, op Operation) Operation {
	ops := byID[id].Operations
	if len(ops) > 1 {
		return op
	}
	return ops[0]
}
