package tracking

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// judgeWalks records the checks that failed only in a random walk as a failure of JRN-15. Other
// failures are recorded under their own checks alone.
func judgeWalks(history []*conformance.Exchange, s *conformance.Findings) {
	steps := slices.DeleteFunc(slices.Clone(history), func(x *conformance.Exchange) bool { return !rules.ByWalk(x.Probe) })
	if len(steps) == 0 {
		return
	}
	only, both := rules.WalksFind(s.Filed, history, rules.ByWalk)
	last := steps[len(steps)-1]
	switch served := slices.DeleteFunc(slices.Clone(steps), func(x *conformance.Exchange) bool { return !rules.Served(x) }); {
	case len(only) > 0:
		judgeFound(only, steps, s)
	case len(both) > 0:
		s.Unverified("JRN-15", conformance.FailedBefore, "the walk meets failures that other probes show as well: "+strings.Join(both, ", "), last)
	case len(served) < rules.StepsPerWalker:
		s.Unverified("JRN-15", conformance.NotServed, fmt.Sprintf("only %d calls of the walk were served", len(served)), last)
	default:
		s.Pass("JRN-15", last)
	}
}

// judgeFound fails JRN-15 with the shortest walk that shows a failure, or with one call of the walk
// if the failure did not occur again.
func judgeFound(ids []string, steps []*conformance.Exchange, s *conformance.Findings) {
	told := slices.DeleteFunc(slices.Clone(steps), func(x *conformance.Exchange) bool { return !x.Probe.In(rules.ProbeShortest) })
	if len(told) == 0 {
		at := firstFailure(ids, steps, s)
		s.Fail("JRN-15", ids[0]+" fails in "+string(at.Probe)+", but not when repeated alone", s.Requirement(ids[0]), conformance.Answer(at), at)
		s.SignOf(ids[0])
		return
	}
	var words []string
	for _, x := range told {
		word := string(x.Operation)
		if rules.IsEdit(x) {
			word = "edit"
		}
		words = append(words, word)
	}
	at := firstFailure(ids, told, s)
	message := fmt.Sprintf("%s fails in the %s: %s", ids[0], at.Probe, strings.Join(words, ", "))
	s.Fail("JRN-15", message, s.Requirement(ids[0]), conformance.Answer(at), append(told, at)...)
	s.SignOf(ids[0])
}

// firstFailure returns the first of the given calls that shows a failure of one of the checks, or else the last of them.
func firstFailure(ids []string, among []*conformance.Exchange, s *conformance.Findings) *conformance.Exchange {
	for _, j := range s.Filed {
		if j.Outcome != conformance.Fail || !slices.Contains(ids, j.Check) {
			continue
		}
		shows := j.Exchanges[len(j.Exchanges)-1]
		if i := slices.IndexFunc(among, func(x *conformance.Exchange) bool { return x.ID == shows }); i >= 0 {
			return among[i]
		}
	}
	return among[len(among)-1]
}
