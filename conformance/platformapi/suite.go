package platformapi

import (
	_ "embed" // requirements/1.txt
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// frozen1 lists the ids of requirements/1, one per line.
//
//go:embed requirements/1.txt
var frozen1 string

// Suite judges the REST and Voice APIs of a voice platform.
var Suite = conformance.Suite{
	Name: "platform", Label: "voice platform", User: "customer", Thing: "setting",
	Operations: rules.Operations(), Spanning: []conformance.Operation{rules.SpanREST},
	Checks: rules.Catalogue(), Clauses: clauses(), Ambiguities: ambiguities(),
	Requirements: []conformance.RequirementSet{{Name: "1", IDs: strings.Fields(frozen1)}},
	Tiers:        []conformance.TierInfo{{Name: "core", Tier: rules.TierCore, Cannot: "call and be called", Core: true}},
	Harms:        rules.Harms(),
	Bodiless:     []conformance.Operation{},
	Least:        100,
	Shown:        []conformance.ProbeName{rules.ProbeLogin, rules.ProbeOf(rules.Trunk), rules.ProbeCalls},
	IDs:          []string{"id"},
	Numbers:      []string{"number", "callerId", "mbn", "name", "from", "to", "overrideTo"}, // name: of an inbound number
	Words:        []string{"trunk", "hook", "device", "gateway", "admin", "recorder", "voice"},
	Judge:        rules.Judge,
}

// clauses returns, for each check, the sentence of the interface that the check comes from.
func clauses() []conformance.Clause {
	var all []conformance.Clause
	for _, c := range rules.Catalogue() {
		all = append(all, conformance.Clause{Section: c.Clause, Text: c.Requirement, Checks: []string{c.ID}})
	}
	return all
}

// ambiguities returns the points that the interface leaves open and that a run can observe.
func ambiguities() []conformance.Ambiguity {
	var all []conformance.Ambiguity
	for _, c := range rules.Catalogue() {
		if c.Level == conformance.Observed {
			all = append(all, conformance.Ambiguity{ID: "A-" + c.ID, Question: c.Requirement, Accepted: "Anything.", Checks: []string{c.ID}})
		}
	}
	return all
}
