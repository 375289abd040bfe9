package rules

import (
	_ "embed" // the checks
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/conformance"
)

// checks is a list of all checks in the order in which they are reported.
//
//go:embed checks.json
var checks []byte

// row is a check as checks.json has it. The file omits the operations that follow from the id, the
// tier of the minimum, and the clause of requirements that only this suite has.
type row struct {
	conformance.Check

	Aid      conformance.Aid `json:"aid"`
	AnyReply bool            `json:"anyReply"`
	Idle     bool            `json:"idle"`
}

// catalogue holds every check in the order it is reported.
var catalogue = read(checks)

// Catalogue returns every check that a run executes, in the order of the report.
func Catalogue() []conformance.Check { return slices.Clone(catalogue) }

func read(text []byte) []conformance.Check {
	var rows []row
	if err := json.Unmarshal(text, &rows, json.RejectUnknownMembers(true)); err != nil {
		panic(err) // any test reads them
	}
	all := make([]conformance.Check, len(rows))
	for i, r := range rows {
		c := r.Check
		c.Aid, c.AnyReply, c.Idle = r.Aid, r.AnyReply, r.Idle
		if c.Operations == nil {
			c.Operations = operationsOf(c.ID)
		}
		if c.Tier == "" {
			c.Tier = TierCore
		}
		if c.Clause == "" {
			c.Clause = clauseOurs
		}
		all[i] = c
	}
	return all
}

// operationsOf returns the operations of a check by the prefix of its id.
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
