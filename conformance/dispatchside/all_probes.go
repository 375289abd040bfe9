package dispatchside

import (
	"slices"
)

// checksOfWholeRun are the checks that depend on all calls before.
var checksOfWholeRun = []string{"TIM-03"}

// chosen returns the probes on which some checks depend: all of them when a check
// depends on none in particular.
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

// rank orders probes by what their verdict is worth, the first check of each deciding:
// a run that has no time for all of them leaves out the last. What takes long comes
// last in any case. What runs after the clean-up keeps the order of its list: some of
// it moves the server's clock, and nothing that books may follow it.
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

// probes lists the probes of a run, in the order in which they begin.
func probes() []probe {
	return slices.Concat(
		journeyProbes(), configProbes(), userProbes(), bookProbes(), moneyProbes(), editProbes(), cancelProbes(), statusProbes(),
		wireProbes(), badProbes(), raceProbes(), securityProbes(), walkProbes(), timingProbes(), aidProbes(),
	)
}
