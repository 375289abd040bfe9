package callingside

import (
	_ "embed" // requirements/1.txt
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// frozen1 lists the ids of requirements/1, one per line.
//
//go:embed requirements/1.txt
var frozen1 string

// Suite judges the calling side of the bookable-taxi interface: the platform that calls a
// third party.
var Suite = conformance.Suite{
	Name: "caller", Label: "calling platform", User: "caller", Thing: "journey",
	Operations: rules.Operations(), Spanning: []conformance.Operation{rules.OpRequest},
	Checks: rules.Catalogue(), Clauses: clauses(), Ambiguities: rules.Ambiguities(),
	Requirements: []conformance.RequirementSet{{Name: "1", IDs: strings.Fields(frozen1)}},
	Tiers: []conformance.TierInfo{
		{Name: "core", Tier: rules.TierCore, Cannot: "book, follow and cancel a taxi", Core: true},
		{Name: "menu", Tier: rules.TierMenu, Cannot: "do what the third party offers"},
		{Name: "privacy", Tier: rules.TierPrivacy, Cannot: "keep their number to themselves"},
		{Name: "steady", Tier: rules.TierSteady, Cannot: "rely on it when something goes wrong"},
	},
	Harms: rules.Harms(),
	Faults: []conformance.Fault{
		{Checks: strings.Fields("P-72"), Follows: strings.Fields("P-42 P-43 P-75 P-77 P-85")},
		{Checks: strings.Fields("P-83"), Follows: strings.Fields("P-75")},
	},
	Aids: []conformance.AidInfo{{Aid: conformance.AidAuth, Checks: []string{"P-16", "P-18"}}},
	// Edits are optional.
	MayOmit:  map[string]bool{"P-12": true, "P-74": true},
	Bodiless: []conformance.Operation{rules.OpConfig},
	Least:    30,
	Shown:    []conformance.ProbeName{rules.SceneBooking, rules.SceneCancellation, rules.SceneStatus},
	IDs:      []string{"journeyId", "userId"},
	Words:    []string{"voice", "messaging", "completed", "rejected", "person", "driver", "offered"},
	Judge:    rules.Judge,
	Traffic:  rules.Traffic(),
	States:   states(),
}

// clauses returns, for each check, the clause of the interface that it comes from.
func clauses() []conformance.Clause {
	var all []conformance.Clause
	for _, c := range rules.Catalogue() {
		all = append(all, conformance.Clause{Section: c.Clause, Text: c.Requirement, Checks: []string{c.ID}})
	}
	return all
}

// states lists the statuses of a journey.
func states() []string {
	var all []string
	for _, s := range taxi.Statuses() {
		all = append(all, string(s))
	}
	return all
}
