package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// ByWalk reports whether a probe is a random walk.
func ByWalk(probe conformance.ProbeName) bool { return probe.In(ProbeWalk) || probe.In(ProbeShortest) }

// WalksFind returns the ids of the checks that fail only in the walks that in selects, and of those
// that fail there and in other probes.
func WalksFind(all []conformance.FiledFinding, history []*conformance.Exchange, in func(conformance.ProbeName) bool) (only, both []string) {
	probes := map[int]conformance.ProbeName{}
	for _, x := range history {
		probes[x.ID] = x.Probe
	}
	here, elsewhere := map[string]bool{}, map[string]bool{}
	for _, j := range all {
		if j.Outcome != conformance.Fail {
			continue
		}
		switch told := probes[j.Exchanges[len(j.Exchanges)-1]]; {
		case in(told):
			here[j.Check] = true
		case !ByWalk(told):
			elsewhere[j.Check] = true
		}
	}
	for id := range here {
		if elsewhere[id] {
			both = append(both, id)
		} else {
			only = append(only, id)
		}
	}
	slices.Sort(only)
	slices.Sort(both)
	return only, both
}

// StepsPerWalker is how many steps each walker of a walk takes.
const StepsPerWalker = 67
