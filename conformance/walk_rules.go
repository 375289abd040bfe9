package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// byWalk reports a probe that is a random walk.
func byWalk(probe ProbeName) bool { return probe.in(probeWalk) || probe.in(probeShortest) }

// walksFind lists the checks that fail in certain walks and in no other probe, and
// those that fail in both.
func walksFind(all []filedFinding, history []*Exchange, in func(ProbeName) bool) (only, both []string) {
	probes := map[int]ProbeName{}
	for _, x := range history {
		probes[x.ID] = x.Probe
	}
	here, elsewhere := map[string]bool{}, map[string]bool{}
	for _, j := range all {
		if j.Outcome != Fail {
			continue
		}
		switch told := probes[j.Exchanges[len(j.Exchanges)-1]]; {
		case in(told):
			here[j.check] = true
		case !byWalk(told):
			elsewhere[j.check] = true
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

// judgeWalks fails what only a walk found. What another probe finds has a check of
// its own.
func (r *tracker) judgeWalks(history []*Exchange) {
	steps := slices.DeleteFunc(slices.Clone(history), func(x *Exchange) bool { return !byWalk(x.Probe) })
	if len(steps) == 0 {
		return
	}
	only, both := walksFind(r.filed, history, byWalk)
	last := steps[len(steps)-1]
	switch served := slices.DeleteFunc(slices.Clone(steps), func(x *Exchange) bool { return !served(x) }); {
	case len(only) > 0:
		r.judgeFound(only, steps)
	case len(both) > 0:
		r.unverified("JRN-15", FailedBefore, "the walk stumbles over what fails anyway: "+strings.Join(both, ", "), last)
	case len(served) < stepsPerWalker:
		r.unverified("JRN-15", NotServed, fmt.Sprintf("only %d calls of the walk were served", len(served)), last)
	default:
		r.pass("JRN-15", last)
	}
}

// judgeFound names the shortest walk that shows what was found, or the whole walk
// when it did not fail a second time.
func (r *tracker) judgeFound(ids []string, steps []*Exchange) {
	told := slices.DeleteFunc(slices.Clone(steps), func(x *Exchange) bool { return !x.Probe.in(probeShortest) })
	if len(told) == 0 {
		at := r.firstFailure(ids, steps)
		r.fail("JRN-15", ids[0]+" fails in "+string(at.Probe)+", and did not when it was repeated alone", byID[ids[0]].Requirement, answer(at), at)
		return
	}
	var words []string
	for _, x := range told {
		word := string(x.Operation)
		if isEdit(x) {
			word = "edit"
		}
		words = append(words, word)
	}
	at := r.firstFailure(ids, told)
	message := fmt.Sprintf("%s fails in the %s: %s", ids[0], at.Probe, strings.Join(words, ", "))
	r.fail("JRN-15", message, byID[ids[0]].Requirement, answer(at), append(told, at)...)
}

// firstFailure finds the call that shows a failure of one of the checks.
func (r *tracker) firstFailure(ids []string, among []*Exchange) *Exchange {
	for _, j := range r.filed {
		if j.Outcome != Fail || !slices.Contains(ids, j.check) {
			continue
		}
		shows := j.Exchanges[len(j.Exchanges)-1]
		if i := slices.IndexFunc(among, func(x *Exchange) bool { return x.ID == shows }); i >= 0 {
			return among[i]
		}
	}
	return among[len(among)-1]
}

// stepsPerWalker is how many steps each walker of a walk takes.
const stepsPerWalker = 67
