package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// Gap is a requirement that a run could not show, and why.
type Gap struct {
	ID        string    `json:"id"`
	Operation Operation `json:"operation"`
	Why       string    `json:"why"`
}

// ExitCode maps the report to a process's exit code. That it was interrupted comes
// first. Of a repeated story only the verdict counts that it was repeated for.
// Then a failure of the level that counts decides, or whatever else is red; then
// an error of the suite; nothing executed is an error.
func (r *Report) ExitCode() int {
	switch {
	case r.Interrupted:
		return ExitInterrupted
	case r.Repeated != nil:
		return r.Repeated.exitCode()
	case r.failures() > 0, len(r.reds()) > 0:
		return ExitFail
	case r.Summary.Error > 0 || r.executed() == 0:
		return ExitBroken
	}
	return ExitPass
}

// executed counts the verdicts that were asked for and come to.
func (r *Report) executed() int {
	if len(r.Only) == 0 {
		return r.Summary.Executed
	}
	n := 0
	for _, res := range r.Checks {
		if res.Outcome != NotVerified && slices.Contains(r.Only, res.ID) {
			n++
		}
	}
	return n
}

// weighs reports a level whose failures fail the run.
func (r *Report) weighs(l Level) bool {
	levels := []Level{Must, Should, Robustness}
	return l == Must || slices.Contains(levels, l) && slices.Index(levels, l) <= slices.Index(levels, r.FailOn)
}

// fatal reports a verdict that fails the run.
func (r *Report) fatal(res Result) bool {
	return res.Outcome == Fail && res.Known == nil && !res.Unscored && r.weighs(res.Level)
}

// failures counts the verdicts that fail the run.
func (r *Report) failures() int {
	n := 0
	for level, score := range r.Summary.Levels {
		if r.weighs(level) {
			n += score.Fail
		}
	}
	return n
}

// red is a reason other than a failed verdict for which a run fails.
type red struct{ name, message string }

// reds lists them.
func (r *Report) reds() []red {
	var all []red
	for _, c := range r.Causes {
		if c.Ends {
			all = append(all, red{"the server answers to the end", c.Message})
		}
	}
	for _, g := range r.gaps() {
		all = append(all, red{g.ID + "@" + string(g.Operation) + " is shown", g.Why})
	}
	for _, t := range r.Tiers {
		if t.Broken() {
			all = append(all, red{"the caller " + string(t.Tier), fmt.Sprintf("claimed and not shown: %d failed, %d not verified", t.Fail, t.NotVerified)})
		}
	}
	for _, entry := range r.Stale {
		all = append(all, red{"the baseline of known failures", entry})
	}
	return all
}

// gaps are the unshown requirements that the run is scored by.
func (r *Report) gaps() []Gap {
	ids, err := Requirements(r.Requirements)
	if err != nil {
		return r.Unshown
	}
	return slices.DeleteFunc(slices.Clone(r.Unshown), func(g Gap) bool { return !slices.Contains(ids, g.ID) })
}

// Verdict says in a sentence how the report came off.
func (r *Report) Verdict() string {
	if r.Repeated != nil && !r.Interrupted {
		return r.Repeated.String()
	}
	must := r.Summary.Levels[Must]
	for _, c := range r.Causes {
		if c.Ends && !r.Interrupted {
			return c.Message
		}
	}
	switch failures := r.failures(); {
	case r.Interrupted:
		return fmt.Sprintf("stopped: %d of %d checks had come to a verdict", r.Summary.Executed, len(r.Checks))
	case must.Fail == 1:
		return "a requirement of the interface is not met"
	case must.Fail > 0:
		return fmt.Sprintf("%d requirements of the interface are not met", must.Fail)
	case len(r.gaps()) > 0:
		return r.gapSentence()
	case slices.ContainsFunc(r.Tiers, TierScore.Broken):
		return "a tier that is claimed is not offered"
	case failures > 0:
		return fmt.Sprintf("every MUST that could be tested is met; %s of level %s or above, which fails this run", count(failures, "failure"), r.FailOn)
	case len(r.Stale) > 0:
		return "the baseline of known failures is stale"
	case r.executed() == 0:
		return "nothing that was asked for could be tested"
	case r.ExitCode() == ExitBroken:
		return "the suite came to no verdict where it should have"
	case len(r.Only) > 0:
		return fmt.Sprintf("nothing failed that was asked for: %s", strings.Join(r.Only, ", "))
	case must.Known > 0:
		return fmt.Sprintf("every MUST that could be tested is met, but for %s", count(must.Known, "known failure"))
	case must.NotVerified > 0:
		return fmt.Sprintf("every MUST that could be tested is met; %d could not be tested", must.NotVerified)
	}
	return "every MUST of the interface is met"
}

// gapSentence says what could not be shown, with the reason given most often.
func (r *Report) gapSentence() string {
	reasons := map[string]int{}
	var ids []string
	for _, g := range r.gaps() {
		reasons[g.Why]++
		ids = append(ids, g.ID)
	}
	whys := sortedKeys(reasons)
	slices.SortStableFunc(whys, func(a, b string) int { return reasons[b] - reasons[a] })
	ids = slices.Compact(ids)
	return fmt.Sprintf("cannot be shown: %s of the core (%s), because %s", count(len(ids), "MUST"), strings.Join(ids, ", "), whys[0])
}

// count puts a number before a word, and the word in the plural when it should be.
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
