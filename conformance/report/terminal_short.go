package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// Limits of the short form: a run with one fault fits on a screen.
const (
	mostFailing  = 9 // lines for failures and warnings
	mostUntested = 4 // lines for untested MUSTs
)

// short writes a report that fits on a screen: the causes, a line for each failed check, the
// first of them with its evidence, the untested MUSTs, the counts and the verdict.
func (t *Terminal) short(r *conformance.Report) {
	t.printf("\n")
	t.heard, t.calls = r.ObservationsByID(), r.Summary.Exchanges
	t.causes(r)
	t.asked(r)
	t.failing(r)
	t.untested(r)
	t.cutShort(r)
	if lines := notTried(r); len(lines) > 0 {
		t.printf("%s not tried   %s\n", t.paint(conformance.NotVerified), strings.Join(lines, "; "))
	}
	t.totals(r)
	if !r.Interrupted && len(r.Only) == 0 {
		t.tiers(r)
	}
	t.Leftovers(r)
	for _, entry := range r.Stale {
		t.printf("stale baseline entry: %s\n", entry)
	}
	t.further(r)
	t.printf("%s\n", t.verdict(r))
}

// asked writes the results of those chosen checks that passed, were observed or were not verified.
func (t *Terminal) asked(r *conformance.Report) {
	for _, alike := range groupByMessage(conformance.ByWeight(r.Checks)) {
		fine := alike[0].Outcome == conformance.Pass || alike[0].Outcome == conformance.Seen || alike[0].Outcome == conformance.NotVerified
		if fine && slices.Contains(r.Only, alike[0].ID) {
			t.verdictOn(alike[0], onWhich(alike))
		}
	}
}

// failing writes a line for each check that fails or warns without a cause, as far as there is room, and
// counts the others.
func (t *Terminal) failing(r *conformance.Report) {
	const least = 3
	var left []string
	for i, alike := range faultsOf(r) {
		if i < max(least, mostFailing-len(r.Causes)) {
			first := alike[0]
			first.ID = idsOf(alike)
			t.verdictOn(first, onWhich(alike))
		} else {
			left = append(left, alike[0].ID)
		}
	}
	if len(left) > 0 {
		t.printf("      and %s: %s\n", conformance.Count(len(left), "more check"), t.namesOf(left))
	}
}

// untested writes the untested MUSTs, a line for each reason.
func (t *Terminal) untested(r *conformance.Report) {
	if len(r.Preflight) == 0 || len(r.Only) > 0 || r.Interrupted {
		return
	}
	lines := untestedMusts(r)
	for i, line := range lines {
		if i == mostUntested-1 && len(lines) > mostUntested {
			var rest []string
			for _, l := range lines[i:] {
				rest = append(rest, l.ids...)
			}
			slices.Sort(rest)
			line = untestedLine{Why: "-v says why", ids: slices.Compact(rest)}
		}
		t.printf("%s not tested  %s%s: %s\n", t.paint(conformance.NotVerified), t.namesOf(line.ids), countBelowMust(r, line.Why), line.Why)
		if i == mostUntested-1 {
			return
		}
	}
}

// cutShort writes which checks below MUST the run did not reach, with the main reason: the counts
// alone do not distinguish a run that ended early from one with little evidence.
func (t *Terminal) cutShort(r *conformance.Report) {
	if len(r.Preflight) == 0 || len(r.Only) > 0 || r.Interrupted {
		return
	}
	cuts := []conformance.ReasonKind{
		conformance.OutOfTime, conformance.RateLimited, conformance.CannotCancel, conformance.MostMade, conformance.Unanswered, conformance.ServerGone,
	}
	most, times := "", map[string]int{}
	var ids []string
	for _, res := range conformance.ByWeight(r.Checks) {
		if res.Outcome != conformance.NotVerified || res.Level == conformance.Must || res.Unscored || !slices.Contains(cuts, reasonOf(res).Kind) {
			continue
		}
		why := reasonOf(res).Brief()
		if !slices.Contains(ids, res.ID) {
			ids = append(ids, res.ID)
		}
		if times[why]++; times[why] > times[most] {
			most = why
		}
	}
	if len(ids) > 0 {
		t.printf("%s not tested  %s: %s\n", t.paint(conformance.NotVerified), t.namesOf(ids), most)
	}
}

// notTried returns a line for each check that only certain days can show and that was not tested.
func notTried(r *conformance.Report) (lines []string) {
	if len(r.Preflight) == 0 || len(r.Only) > 0 || r.Interrupted || r.LookedOnly {
		return nil
	}
	for _, res := range r.Checks {
		if res.Outcome == conformance.NotVerified && slices.Contains(r.Suite.Later, res.ID) {
			c, _ := r.Suite.Lookup(res.ID)
			lines = append(lines, fmt.Sprintf("%s (%s): %s", res.ID, c.Needs, sharedReason(res)))
		}
	}
	return lines
}

// untestedLine is a reason why MUSTs were not tested, with these MUSTs.
type untestedLine struct {
	Why      string
	Verdicts []conformance.Result
	ids      []string // of the checks, with what was not seen for each
}

// untestedMusts groups the untested MUSTs by reason, the most frequent first. Members that the
// server does not send count as one reason.
func untestedMusts(r *conformance.Report) []untestedLine {
	var lines []untestedLine
	for _, res := range conformance.ByWeight(r.Checks) {
		if res.Outcome != conformance.NotVerified || res.Level != conformance.Must || res.Unscored {
			continue
		}
		why, name := sharedReason(res), res.ID
		if reason := reasonOf(res); reason.Kind == conformance.NotSeen && FlagsFor(reason.Aid) == "" {
			why, name = "not seen in this run", fmt.Sprintf("%s (%s)", res.ID, reason.Text)
		}
		at := slices.IndexFunc(lines, func(l untestedLine) bool { return l.Why == why })
		if at < 0 {
			at = len(lines)
			lines = append(lines, untestedLine{Why: why})
		}
		lines[at].Verdicts = append(lines[at].Verdicts, res)
		if !slices.Contains(lines[at].ids, name) {
			lines[at].ids = append(lines[at].ids, name)
		}
	}
	slices.SortStableFunc(lines, func(a, b untestedLine) int { return len(b.ids) - len(a.ids) })
	return lines
}

// countBelowMust returns the part of a line that counts the checks below MUST that were not tested for the same
// reason; "": there are none.
func countBelowMust(r *conformance.Report, why string) string {
	var ids []string
	for _, res := range r.Checks {
		if res.Outcome == conformance.NotVerified && res.Level != conformance.Must && !res.Unscored && !slices.Contains(ids, res.ID) && sharedReason(res) == why {
			ids = append(ids, res.ID)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d below MUST", len(ids))
}

// further writes which commands show more, if anything failed or warned.
func (t *Terminal) further(r *conformance.Report) {
	if r.Summary.Fail+r.Summary.Warn == 0 {
		return
	}
	more := "-v shows all evidence; cabrank explain ID describes a check"
	if t.RunFile != "" {
		more = fmt.Sprintf("cabrank report %s -v shows all evidence, --call N a call in full", t.RunFile)
	}
	t.printf("%s\n", more)
}

// repeated writes the result of the verdict for which calls were repeated, and in one line the
// other failures of these calls.
func (t *Terminal) repeated(r *conformance.Report) {
	t.printf("\n")
	t.heard, t.calls = r.ObservationsByID(), r.Summary.Exchanges
	var others []string
	for _, alike := range groupByMessage(conformance.ByWeight(r.Checks)) {
		switch {
		case r.RepeatedFor(alike[0]):
			t.verdictOn(alike[0], onWhich(alike))
			t.evidence(alike[0], callLines(r))
		case t.Verbose:
			t.verdictOn(alike[0], onWhich(alike))
		case alike[0].Outcome == conformance.Fail:
			others = append(others, alike[0].ID)
		}
	}
	if len(others) > 0 {
		t.printf("these calls alone also show: %s\n", t.namesOf(others))
	}
	t.totals(r)
	t.Leftovers(r)
	t.printf("%s\n", t.verdict(r))
}
