package dispatchside

import (
	_ "embed" // requirements/1.txt
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/own"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules/tracking"
	"github.com/cabrank/cabrank/conformance/dispatchside/transcript"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// frozen1 lists the ids of requirements/1, one per line.
//
//go:embed requirements/1.txt
var frozen1 string

// Suite judges the dispatch system of a third party through the five operations of the
// bookable-taxi interface.
var Suite = conformance.Suite{
	Name: "third-party", Label: "bookable taxi", User: "caller", Thing: "journey",
	Operations: rules.Operations(), Spanning: []conformance.Operation{rules.OpJourney},
	Checks: rules.Catalogue(), Clauses: rules.Specification(), Ambiguities: rules.Ambiguities(),
	Requirements: []conformance.RequirementSet{{Name: "1", IDs: strings.Fields(frozen1)}},
	Tiers: []conformance.TierInfo{
		{Name: "core", Tier: rules.TierCore, Cannot: "book, follow and cancel a taxi", Core: true},
		{Name: "eta", Tier: rules.TierETA, Cannot: "hear how long it will be"},
		{Name: "price", Tier: rules.TierPrice, Cannot: "hear what it costs"},
		{Name: "vehicle", Tier: rules.TierVehicle, Cannot: "know which car to look for"},
		{Name: "driver", Tier: rules.TierDriver, Cannot: "know who drives"},
		{Name: "map", Tier: rules.TierMap, Cannot: "see the car on a map"},
		{Name: "coming-now", Tier: rules.TierComingNow, Cannot: "say Coming Now"},
	},
	Harms: rules.Harms(),
	Aids:  aidsInfo(),
	// Partial replies are accepted.
	MayOmit: idSet(`CFG-04 CFG-05 USR-06 USR-07 USR-08 USR-09 USR-21 BOK-07 BOK-08 BOK-09 BOK-11 BOK-16 BOK-17 BOK-18
		STA-04 STA-05 STA-06 STA-14`),
	Later:    []string{"JRN-18", "ENR-32", "TIM-05"},
	Least:    120,
	Bodiless: []conformance.Operation{rules.OpConfig},
	Shown:    []conformance.ProbeName{rules.ProbeGoldenCall, rules.ProbeFullLife, rules.ProbeEditedTwice, rules.ProbeFirstCaller, rules.ProbeListed},
	IDs:      []string{"journeyId", "userId"},
	Faults:   faults,
	Words:    []string{string(taxi.SystemOK), string(taxi.SystemBusy), string(taxi.SystemClosed), string(taxi.SystemMaintenance)},
	Judge:    tracking.Judge,
	Traffic:  conformance.Traffic{OfCall: tracking.JudgeCall, Slow: "TIM-01", Unshown: unserved},
	States:   states(),
	Describe: describeCall,
	Transcript: &conformance.Transcript{
		Title: "What the passenger hears",
		Note:  "Made from these replies. The wording is this project's, the facts are the server's; no telephone number is ever spoken.",
		Lines: transcript.Of,
	},
}

// SuiteWith returns the suite with a vendor's own checks.
func SuiteWith(firm []own.Rule) *conformance.Suite {
	if len(firm) == 0 {
		return &Suite
	}
	var checks []conformance.Check
	for _, o := range firm {
		checks = append(checks, o.Check())
	}
	s := Suite.With(checks...)
	s.Judge = func(history []*conformance.Exchange, seen []conformance.Observation) []conformance.FiledFinding {
		return slices.Concat(tracking.Judge(history, seen), own.Judge(firm, history))
	}
	return s
}

// idSet returns a set of the ids in a text, which are separated by spaces.
func idSet(ids string) map[string]bool {
	set := map[string]bool{}
	for id := range strings.FieldsSeq(ids) {
		set[id] = true
	}
	return set
}

// aidsInfo returns the aids with the checks that need each of them.
func aidsInfo() []conformance.AidInfo {
	var all []conformance.AidInfo
	for _, a := range Aids() {
		all = append(all, conformance.AidInfo{Aid: a, Checks: ChecksNeeding(a)})
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

// describeCall returns what the drawings of a report say about a call: the journey, the action and the status.
func describeCall(x *conformance.Exchange) conformance.Description {
	d := conformance.Description{Thing: rules.JourneyOf(x), Verb: string(x.Operation)}
	if rules.IsEdit(x) {
		d.Verb = "edit"
		if made := x.Reply().At("journeyId").Scalar(); made != d.Thing {
			d.Made = made
		}
	}
	if x.Succeeded() && x.Operation != rules.OpUser {
		d.State = x.Reply().At("status").Text()
	}
	return d
}
