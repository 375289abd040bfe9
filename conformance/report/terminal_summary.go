package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Report writes a report: the preflight if it failed, and the results, in the short form or,
// with Verbose, as a line for each verdict and the summary.
func (t *Terminal) Report(r *conformance.Report) {
	if t.Catalogue == nil {
		t.Catalogue = r.Suite.Checks
	}
	t.steps = nil
	if r.Unreached() {
		for _, s := range r.Preflight {
			t.Step(s)
		}
	}
	switch {
	case r.Repeated != nil:
		t.repeated(r)
	case t.Verbose:
		t.verdicts(r)
		t.Summary(r)
	default:
		t.short(r)
	}
}

// Summary writes the end of the report: the findings with their evidence, MUSTs first; the
// unverified checks by reason; the counts; and again the ids of the failed checks.
func (t *Terminal) Summary(r *conformance.Report) {
	t.printf("\n")
	t.heard, t.calls = r.ObservationsByID(), r.Summary.Exchanges
	for _, c := range r.Causes {
		t.cause(r, c, true)
		for _, alike := range groupByMessage(resultsOf(r, c)) {
			t.verdictOn(alike[0], onWhich(alike))
			t.evidence(alike[0], callLines(r))
		}
	}
	t.faults(r)
	t.unverified(r)
	t.counts(r)
	if !r.Interrupted && r.Repeated == nil && len(r.Only) == 0 {
		t.tiers(r)
	}
	t.failures(r)
	t.Leftovers(r)
	for _, entry := range r.Stale {
		t.printf("stale baseline entry: %s\n", entry)
	}
	t.printf("%s\n", t.verdict(r))
}

// namesOf lists the names of verdicts; in the short form only the first few.
func (t *Terminal) namesOf(names []string) string {
	const most = 8
	if more := len(names) - most; more > 0 && !t.Verbose {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// unexplained returns the verdicts without a cause that were not written yet, grouped by message.
func (t *Terminal) unexplained(r *conformance.Report) [][]conformance.Result {
	var left []conformance.Result
	for _, res := range conformance.ByWeight(r.Checks) {
		if !explained(r, res) && !t.detailed[conformance.VerdictKey{Check: res.ID, Op: res.Operation}] {
			left = append(left, res)
		}
	}
	return groupByMessage(left)
}

// explained reports whether a cause explains a verdict.
func explained(r *conformance.Report, res conformance.Result) bool {
	return slices.ContainsFunc(r.Causes, func(c conformance.Cause) bool { return c.Explains(res) })
}

// faults writes failures, warnings and the suite's own errors with their evidence,
// except failures that a cause explains.
func (t *Terminal) faults(r *conformance.Report) {
	show := callLines(r)
	groups := t.unexplained(r)
	for _, outcome := range []conformance.Outcome{conformance.Fail, conformance.Flaky, conformance.Warn, conformance.Broken, conformance.Seen} {
		for _, alike := range groups {
			if alike[0].Outcome == outcome && (outcome != conformance.Seen || !t.listed) {
				t.verdictOn(alike[0], onWhich(alike))
				t.evidence(alike[0], show)
			}
		}
	}
	if t.RunFile != "" && slices.ContainsFunc(groups, func(g []conformance.Result) bool {
		return g[0].Outcome == conformance.Fail || g[0].Outcome == conformance.Warn
	}) {
		t.printf("cabrank report %s --call N shows a call in full\n", t.RunFile)
	}
}

// callLines returns a function that describes the call with an id in one line: the request, shortened, and
// the answer; "": there is no such call.
func callLines(r *conformance.Report) func(id int) string {
	const most = 100
	plain := excerpts{conformance.PlainCallsOf(r)}
	byNumber := make(map[int]*conformance.Exchange, len(r.Exchanges))
	for _, x := range r.Exchanges {
		byNumber[x.ID] = x
	}
	return func(id int) string {
		x := byNumber[id]
		if x == nil {
			return ""
		}
		x = r.Shown(x)
		return fmt.Sprintf("%s %s %s → %s", x.Request.Method, x.Operation.Path(), plain.request(x, most), Answered(x))
	}
}

// unverified writes the unverified checks, a line for each reason. For a few calls, or traffic
// of other clients, it only counts them.
func (t *Terminal) unverified(r *conformance.Report) {
	if len(r.Preflight) == 0 || r.Repeated != nil {
		return
	}
	reasons := map[string][]conformance.Result{}
	var order []string
	leftOut := map[string]bool{}
	for _, res := range conformance.ByWeight(r.Checks) {
		if res.Outcome != conformance.NotVerified {
			continue
		}
		why := sharedReason(res)
		if reasons[why] == nil {
			order = append(order, why)
		}
		reasons[why] = append(reasons[why], res)
		leftOut[why] = reasonOf(res).Kind == conformance.NotAsked
	}
	for _, why := range order {
		if leftOut[why] {
			t.printf("%s %s %s\n", t.paint(conformance.NotVerified), conformance.Count(len(reasons[why]), "verdict"), why)
			continue
		}
		t.printf("%s %s: %s\n", t.paint(conformance.NotVerified), t.idsOf(reasons[why]), why)
	}
}

// reasonOf returns the reason why there is no verdict. Old run files have only the text.
func reasonOf(res conformance.Result) conformance.Reason {
	if len(res.Findings) > 0 && res.Findings[0].Reason != nil {
		return *res.Findings[0].Reason
	}
	return conformance.Reason{Text: conformance.HeadlineOf(res)}
}

// sharedReason returns the part of a reason that many verdicts have in common: the
// flags that may help, or the reason without the probe.
func sharedReason(res conformance.Result) string {
	why := reasonOf(res)
	switch flags := FlagsFor(why.Aid); {
	case why.Kind == conformance.NotSeen && flags != "":
		return "give " + flags
	case why.Probe == "":
		return summaryLine(res, conformance.Check{})
	}
	return withAdvice(why.Brief(), why.Aid)
}

// idsOf lists the checks of verdicts, with their operations unless verdicts on all operations of a check
// are given.
func (t *Terminal) idsOf(results []conformance.Result) string {
	ops := map[string][]conformance.Result{}
	var ids []string
	for _, r := range results {
		if ops[r.ID] == nil {
			ids = append(ids, r.ID)
		}
		ops[r.ID] = append(ops[r.ID], r)
	}
	for i, id := range ids {
		if some := ops[id]; len(some) < len(t.check(id).Operations) {
			ids[i] += "@" + strings.ReplaceAll(onWhich(some), ", ", "+")
		}
	}
	return strings.Join(ids, ", ")
}

// counts writes the number of verdicts of each kind, for the run and for each level.
func (t *Terminal) counts(r *conformance.Report) {
	t.printf("\n")
	t.totals(r)
	if r.Repeated != nil {
		return // a few calls are not enough to score a level
	}
	for _, level := range []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness} {
		score := r.Summary.Levels[level]
		known := ""
		if score.Known > 0 {
			known = fmt.Sprintf("  %3d known", score.Known)
		}
		t.printf("  %-10s %3d passed  %3d failed  %3d warnings  %3d not verified%s\n", level, score.Pass, score.Fail, score.Warn, score.NotVerified, known)
	}
}

// totals writes the number of verdicts of each kind, and the data of the run.
func (t *Terminal) totals(r *conformance.Report) {
	s := r.Summary
	t.printf("%s on %s: %s\n", conformance.Count(len(r.Checks), "verdict"), r.Target, s.Counts())
	walk := fmt.Sprintf("seed %d, ", r.Seed)
	if r.Traffic {
		walk = ""
	}
	t.printf("%s in %s, %srequirements/%s\n", conformance.Count(s.Exchanges, "call"), r.Duration.Round(time.Millisecond), walk, r.Requirements)
}

// failures lists the ids of the failed checks, the most severe first.
func (t *Terminal) failures(r *conformance.Report) {
	for _, level := range []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness} {
		failed := slices.DeleteFunc(slices.Clone(r.Checks), func(c conformance.Result) bool {
			return c.Outcome != conformance.Fail || c.Level != level || c.Known != nil || c.Unscored
		})
		if len(failed) > 0 {
			t.printf("%s %s: %s\n", t.paint(conformance.Fail), level, t.idsOf(failed))
		}
	}
}

// Leftovers writes the things that could not be cancelled, a line for each reason.
func (t *Terminal) Leftovers(r *conformance.Report) {
	things := map[string][]string{}
	for _, l := range r.Leftovers {
		thing := r.Suite.ThingName() + " " + l.ID
		if l.UserID != "" {
			thing += " of user " + l.UserID
		}
		things[l.Reason] = append(things[l.Reason], thing)
	}
	const mostReasons = 2
	reasons := slices.Sorted(maps.Keys(things))
	slices.SortStableFunc(reasons, func(a, b string) int { return len(things[b]) - len(things[a]) })
	for i, reason := range reasons {
		if i == mostReasons && !t.Verbose {
			t.printf("left over: and more, for %s (the run file and the JSON report have them all)\n", conformance.Count(len(reasons)-i, "other reason"))
			return
		}
		most := 10
		if !t.Verbose {
			most = 3
		}
		names := things[reason]
		if more := len(names) - most; more > 0 {
			names = append(names[:most:most], fmt.Sprintf("and %d more (the run file and the JSON report have them all)", more))
		}
		t.printf("left over: %s: %s\n", strings.Join(names, ", "), reason)
	}
}

// tiers writes what a user cannot do because of failures, what users gain, and which claims
// were not shown.
func (t *Terminal) tiers(r *conformance.Report) {
	var gains, losses []string
	for _, tier := range r.Tiers {
		switch tier.Answer {
		case conformance.TierYes:
			gains = append(gains, string(tier.Tier))
		case conformance.TierFaulty:
			gains = append(gains, fmt.Sprintf("%s, with faults (%s)", tier.Tier, strings.Join(r.FaultsOf(tier.Tier), ", ")))
		case conformance.TierNo:
			losses = append(losses, r.Suite.Cannot(tier.Tier))
		}
		if tier.Broken() {
			t.printf("claimed and not shown: %s, the %s %s (%d failed, %d not verified)\n", tier.Name, r.Suite.UserName(), tier.Tier, tier.Fail, tier.NotVerified)
		}
	}
	if len(losses) > 0 {
		t.printf("cannot: %s\n", strings.Join(losses, "; "))
	}
	if len(gains) > 0 {
		t.printf("the %s %s\n", r.Suite.UserName(), strings.Join(gains, "; "))
	}
}

func (t *Terminal) verdict(r *conformance.Report) painted {
	text := painted(" " + printable(r.Verdict()))
	if r.Interrupted {
		return t.tint(marks[conformance.Warn].colour, "STOP ") + text
	}
	outcome := map[int]conformance.Outcome{conformance.ExitPass: conformance.Pass, conformance.ExitFail: conformance.Fail, conformance.ExitLooked: conformance.NotVerified}[r.ExitCode()]
	if outcome == "" {
		outcome = conformance.Broken
	}
	return t.paint(outcome) + text
}
