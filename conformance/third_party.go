package conformance

import (
	_ "embed" // requirements/1.txt
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// frozen1 lists the ids of requirements/1, one a line.
//
//go:embed requirements/1.txt
var frozen1 string

// ThirdParty judges the dispatch system of a third party by the five operations of
// the bookable-taxi interface.
var ThirdParty = Suite{
	Name: "third-party", Label: "bookable taxi",
	Operations: Operations(), Spanning: []Operation{OpJourney},
	Checks: Catalogue(), Clauses: Specification(), Ambiguities: Ambiguities(),
	Requirements: []RequirementSet{{"1", strings.Fields(frozen1)}},
	Tiers: []TierInfo{
		{"core", TierCore, true},
		{"eta", TierETA, false},
		{"price", TierPrice, false},
		{"vehicle", TierVehicle, false},
		{"driver", TierDriver, false},
		{"map", TierMap, false},
		{"coming-now", TierComingNow, false},
	},
	Aids: aidsInfo(),
	// Partial replies are accepted.
	MayOmit: idSet(`CFG-04 CFG-05 USR-06 USR-07 USR-08 USR-09 BOK-07 BOK-08 BOK-09 BOK-16 BOK-17 BOK-18
		STA-04 STA-05 STA-06 STA-14`),
	Least:    120,
	Bodiless: []Operation{OpConfig},
	Stories:  []ProbeName{probeGoldenCall, probeFullLife, probeEditedTwice, probeFirstCaller, probeListed},
	IDs:      []string{"journeyId", "userId"},
	Words: []string{
		string(taxi.SystemOK), string(taxi.SystemBusy), string(taxi.SystemClosed), string(taxi.SystemMaintenance),
	},
	Judge: func(history []*Exchange, _ []Observation) []filedFinding { return FindingsOf(history) }, Describe: describeCall, Tell: transcript,
}

// idSet reads ids, separated by spaces.
func idSet(ids string) map[string]bool {
	set := map[string]bool{}
	for id := range strings.FieldsSeq(ids) {
		set[id] = true
	}
	return set
}

// aidsInfo lists the aids with the checks of each.
func aidsInfo() []AidInfo {
	var all []AidInfo
	for _, a := range Aids() {
		all = append(all, AidInfo{a, ChecksNeeding(a)})
	}
	return all
}

// describeCall says for drawings what a call was about.
func describeCall(x *Exchange) Description {
	d := Description{Thing: journeyOf(x), Verb: string(x.Operation)}
	if isEdit(x) {
		d.Verb = "edit"
	}
	if x.succeeded() && x.Operation != OpUser {
		d.State = x.Reply().at("status").text()
	}
	d.Known = taxi.Status(d.State).Known()
	return d
}
