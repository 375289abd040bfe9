package dispatchside

import (
	"slices"
)

// checksOfWholeRun are the ids of the checks that depend on all earlier calls of a run.
var checksOfWholeRun = []string{"TIM-03"}

// chosen returns the probes that the chosen checks depend on: all probes if one of the
// checks depends on the whole run.
func chosen(only []string) []*probeRun {
	all := probes()
	needed := func(p probe) bool { return slices.ContainsFunc(only, p.depends) }
	for _, id := range only {
		if slices.Contains(checksOfWholeRun, id) || !slices.ContainsFunc(all, func(p probe) bool { return p.depends(id) }) {
			needed = func(probe) bool { return true }
		}
	}
	var runs []*probeRun
	for _, p := range all {
		if len(only) == 0 || needed(p) {
			runs = append(runs, &probeRun{probe: p})
		}
	}
	slices.SortStableFunc(runs, func(a, b *probeRun) int { return a.rank() - b.rank() })
	return runs
}

// rank orders probes by the level of their first check: a run without time for all of them
// omits the last ones. Long probes always come last. Probes after the clean-up keep the
// order of their list, since some move the server's clock and no booking may follow
// them.
func (p *probe) rank() int {
	const long = 10
	if p.phase == afterCleanUp {
		return 0
	}
	if p.long {
		return long
	}
	c, _ := Suite.Lookup(p.checks[0])
	return c.Level.Rank()
}

// probes lists the probes of a run, in the order in which they start.
func probes() []probe {
	return slices.Concat(
		journeyProbes(), configProbes(), userProbes(), bookProbes(), moneyProbes(), editProbes(), cancelProbes(), statusProbes(),
		wireProbes(), badProbes(), raceProbes(), securityProbes(), walkProbes(), timingProbes(), aidProbes(),
	)
}
