package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Gap is a requirement that a run could not show, and why.
type Gap struct {
	ID        string     `json:"id"`
	Operation Operation  `json:"operation"`
	Why       string     `json:"why"`
	Reason    ReasonKind `json:"reason,omitempty"`
}

// ExitReason is one reason for an exit code other than 0.
type ExitReason struct {
	Verdict VerdictKey // the verdict; zero: the reason is about the run as a whole
	Name    string     // the requirement or the verdict: "the server answers to the end", "CAN-01@cancel"
	Message string     // what was found
	Code    int        // the exit code that it leads to
}

// OfRun reports whether a reason is about the run as a whole.
func (why ExitReason) OfRun() bool { return why.Verdict == VerdictKey{} }

// Reasons lists the reasons for an exit code other than 0, the most severe first. All
// formats use this list.
func (r *Report) Reasons() []ExitReason {
	switch {
	case r.Interrupted:
		stopped := ExitReason{Name: "the run goes to its end", Message: r.Verdict(), Code: ExitInterrupted}
		return append([]ExitReason{stopped}, r.verdicts(ExitFail, r.fatal)...)
	case r.Unreached():
		return []ExitReason{{Name: "preflight", Message: r.Verdict(), Code: ExitUnreachable}}
	case r.Repeated != nil:
		return r.replayReasons()
	}
	all := append(r.verdicts(ExitFail, r.fatal), r.otherFailures()...)
	all = append(all, r.verdicts(ExitBroken, suiteError)...)
	all = append(all, r.gapReasons(ExitUnreachable)...)
	for _, why := range r.DeadAids {
		all = append(all, ExitReason{Name: "the aids work", Message: why.String(), Code: ExitAid})
	}
	switch {
	case len(all) > 0:
	case r.executed() == 0:
		return []ExitReason{{Name: "something can be tested", Message: nothingTested, Code: ExitUnreachable}}
	case r.LookedOnly && len(r.Only) == 0:
		return []ExitReason{{Name: "the core is shown", Message: r.Verdict(), Code: ExitLooked}}
	}
	return all
}

const nothingTested = "none of the chosen checks could be tested"

// ExitCode returns the exit code for the process: that of the first of [Report.Reasons], or [ExitPass] if
// there are none.
func (r *Report) ExitCode() int {
	for _, why := range r.Reasons() {
		return why.Code
	}
	return ExitPass
}

// Unreached reports whether a run ended before its first check.
func (r *Report) Unreached() bool {
	return len(r.Preflight) > 0 && !r.Preflight[len(r.Preflight)-1].OK
}

// verdicts returns an exit reason with the given code for each verdict that which accepts, the most severe
// first.
func (r *Report) verdicts(code int, which func(Result) bool) []ExitReason {
	var all []ExitReason
	for _, res := range ByWeight(r.Checks) {
		if which(res) {
			all = append(all, ExitReason{VerdictKey{res.ID, res.Operation}, res.ID + "@" + string(res.Operation), HeadlineOf(res), code})
		}
	}
	return all
}

// suiteError reports whether a verdict is an error of the suite itself.
func suiteError(res Result) bool { return res.Outcome == Broken && res.Known == nil && !res.Unscored }

// executed counts the verdicts of chosen checks that were reached.
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

// failsRun reports whether a failure of a check fails the run.
func (r *Report) failsRun(res Result) bool {
	switch {
	case res.Level == Must:
		return true
	case res.Level == Observed:
		return false
	case r.FailOn == Harmful:
		return r.Suite.grave(res.Harm)
	}
	return res.Level.Rank() <= r.FailOn.Rank()
}

// grave reports whether the suite declares a harm as grave.
func (s *Suite) grave(h Harm) bool {
	return slices.ContainsFunc(s.Harms, func(i HarmInfo) bool { return i.Grave && i.Harm == h })
}

// Counts reports whether a verdict is a failure that is scored and not known.
func (r Result) Counts() bool { return r.Outcome == Fail && r.Known == nil && !r.Unscored }

// fatal reports whether a verdict fails the run.
func (r *Report) fatal(res Result) bool { return res.Counts() && r.failsRun(res) }

// hurt lists, for each harm, how many failures with it count, separated by commas; "": none.
func (r *Report) hurt() string {
	var parts []string
	for _, h := range r.Suite.Harms {
		n := 0
		for _, res := range r.Checks {
			if res.Counts() && res.Harm == h.Harm {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", h.Harm, n))
		}
	}
	return strings.Join(parts, ", ")
}

// otherFailures lists what fails a run besides failed verdicts.
func (r *Report) otherFailures() []ExitReason {
	var all []ExitReason
	add := func(name, message string) {
		all = append(all, ExitReason{Name: name, Message: message, Code: ExitFail})
	}
	for _, c := range r.Causes {
		if c.Ends {
			add("the server answers to the end", c.Message)
		}
	}
	all = append(all, r.gapReasons(ExitFail)...)
	for _, t := range r.Tiers {
		if t.Broken() {
			add("the "+r.Suite.UserName()+" "+string(t.Tier), fmt.Sprintf("claimed and not shown: %d failed, %d not verified", t.Fail, t.NotVerified))
		}
	}
	for _, entry := range r.Stale {
		add("the baseline of known failures", entry)
	}
	return all
}

// gapReasons returns an exit reason for each requirement that could not be shown, if that leads to the
// given exit code.
func (r *Report) gapReasons(code int) []ExitReason {
	var all []ExitReason
	for _, g := range r.gaps() {
		if g.exitCode() == code {
			all = append(all, ExitReason{Name: g.ID + "@" + string(g.Operation) + " is shown", Message: g.Why, Code: code})
		}
	}
	return all
}

// exitCode returns the exit code for a requirement that could not be shown: [ExitFail] if the server caused
// that, and [ExitUnreachable] if the run had too few aids, things or time to test it.
func (g Gap) exitCode() int {
	if g.Reason == NeedsAid || g.Reason == MostMade || g.Reason == OutOfTime {
		return ExitUnreachable
	}
	return ExitFail
}

// gaps returns those of [Report.Unshown] that are in the set of requirements by which the run is scored.
func (r *Report) gaps() []Gap {
	ids, err := r.Suite.Required(r.Requirements)
	if err != nil {
		return r.Unshown
	}
	return slices.DeleteFunc(slices.Clone(r.Unshown), func(g Gap) bool { return !slices.Contains(ids, g.ID) })
}

// Verdict summarises the report in a sentence.
func (r *Report) Verdict() string {
	switch {
	case r.Interrupted:
		return fmt.Sprintf("stopped: %d of %d checks had reached a verdict", r.Summary.Executed, len(r.Checks))
	case r.Unreached():
		return "nothing could be tested: " + r.Preflight[len(r.Preflight)-1].Trouble()
	case r.Repeated != nil:
		return r.Repeated.String()
	}
	must := r.Summary.Levels[Must]
	for _, c := range r.Causes {
		if c.Ends {
			return c.Message
		}
	}
	switch failures := len(r.verdicts(ExitFail, r.fatal)); {
	case must.Fail > 0:
		text := r.mustsFailedSentence(must.Fail)
		if hurt := r.hurt(); hurt != "" {
			text += "; failures that hurt: " + hurt
		}
		return text
	case len(r.gaps()) > 0:
		return r.gapSentence()
	case slices.ContainsFunc(r.Tiers, TierScore.Broken):
		return "a tier that is claimed is not offered"
	case failures > 0 && r.FailOn == Harmful:
		return "every MUST that could be tested is met; failures below that hurt: " + r.hurt() + r.nonFatalSummary()
	case failures > 0:
		return fmt.Sprintf("every MUST that could be tested is met; %s of level %s or above, which fails this run", Count(failures, "failure"), r.FailOn)
	case len(r.Stale) > 0:
		return "the baseline of known failures is stale"
	case len(r.DeadAids) > 0:
		return r.DeadAids[0].String()
	case r.executed() == 0:
		return nothingTested
	case r.LookedOnly && len(r.Only) == 0:
		return "read-only run, nothing was changed: " + r.mustsMetSentence(fmt.Sprintf(" that could be tested is met; %d could not", must.NotVerified)) + r.nonFatalSummary()
	case r.ExitCode() == ExitBroken:
		return "the suite reached no verdict where it should have"
	case len(r.Only) > 0:
		return r.partSentence()
	case must.Known > 0:
		return r.mustsMetSentence(" that could be tested is met, but for "+Count(must.Known, "known failure")) + r.nonFatalSummary()
	case must.NotVerified > r.Omitted():
		return r.mustsMetSentence(fmt.Sprintf(" that could be tested is met; %d could not be tested", must.NotVerified-r.Omitted())) + r.omission() + r.nonFatalSummary()
	}
	return r.mustsMetSentence(" of the interface is met") + r.omission() + r.nonFatalSummary()
}

// mustsMetSentence returns the sentence that every MUST is met, followed by end. If some MUSTs warned, it says instead
// that no MUST failed, and which warned.
func (r *Report) mustsMetSentence(end string) string {
	var warned []string
	for _, res := range r.Checks {
		if res.Level == Must && res.Outcome == Warn && !res.Unscored && !slices.Contains(warned, res.ID) {
			warned = append(warned, res.ID)
		}
	}
	if warned == nil {
		return "every MUST" + end
	}
	return fmt.Sprintf("no MUST failed, and %s warned: %s", Count(len(warned), "MUST"), few(warned))
}

// mustsFailedSentence says how many MUSTs failed, separately for those of the interface and the vendor's own checks; all
// is the sum.
func (r *Report) mustsFailedSentence(all int) string {
	own := 0
	for _, res := range r.Checks {
		if c, _ := r.Suite.Lookup(res.ID); c.Own && res.Level == Must && res.Outcome == Fail && res.Known == nil && !res.Unscored {
			own++
		}
	}
	text := fmt.Sprintf("%d requirements of the interface are not met", all-own)
	if all-own == 1 {
		text = "a requirement of the interface is not met"
	}
	switch own {
	case 0:
		return text
	case all:
		return fmt.Sprintf("%d of the vendor's own checks failed; every MUST of the interface that could be tested is met", own)
	}
	return fmt.Sprintf("%s, and %s failed", text, Count(own, "own check"))
}

// Omitted counts the MUSTs about members that a correct server may omit and that this one
// omitted in a whole run: an absent optional member is not wrong. It does not count MUSTs that an
// aid could show.
func (r *Report) Omitted() (n int) {
	if r.Scope() != "" || r.LookedOnly || r.Unreached() {
		return 0
	}
	for _, res := range r.Checks {
		if res.Outcome != NotVerified || res.Level != Must || res.Unscored || len(res.Findings) == 0 {
			continue
		}
		c, _ := r.Suite.Lookup(res.ID)
		why := res.Findings[0].Reason
		if why != nil && why.Kind == NotSeen && why.Aid == "" && (r.Suite.MayOmit[res.ID] || !r.Suite.Core(c)) {
			n++
		}
	}
	return n
}

// omission counts the MUSTs about omitted members, for the middle of a sentence.
func (r *Report) omission() string {
	switch n := r.Omitted(); n {
	case 0:
		return ""
	case 1:
		return "; 1 is about an optional member that was omitted"
	default:
		return fmt.Sprintf("; %d are about optional members that were omitted", n)
	}
}

// askedFor names the chosen checks, or counts them if there are many.
func (r *Report) askedFor() string {
	const few = 12
	if len(r.Only) > few {
		return Count(len(r.Only), "check")
	}
	return strings.Join(r.Only, ", ")
}

// partSentence summarises the chosen checks if none of them fails the run.
func (r *Report) partSentence() string {
	var failed []string
	for _, res := range r.Checks {
		switch {
		case res.Outcome != Fail || !slices.Contains(r.Only, res.ID):
		case res.Known != nil:
			failed = append(failed, fmt.Sprintf("%s@%s (known)", res.ID, res.Operation))
		default:
			failed = append(failed, fmt.Sprintf("%s@%s (%s)", res.ID, res.Operation, res.Level))
		}
	}
	if len(failed) == 0 {
		return "none of the chosen checks failed: " + r.askedFor()
	}
	if r.FailOn == Harmful {
		return "no chosen check failed that fails the run; failed: " + strings.Join(failed, ", ")
	}
	return fmt.Sprintf("no check of level %s or above failed; failed below that level: %s", r.FailOn, strings.Join(failed, ", "))
}

// nonFatalSummary returns the end of a sentence that counts failures that do not fail the run, and flaky checks; "":
// there are none.
func (r *Report) nonFatalSummary() string {
	var parts []string
	for _, level := range []Level{Should, Robustness} {
		n := 0
		for _, res := range r.Checks {
			if res.Counts() && res.Level == level && !r.failsRun(res) {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, level))
		}
	}
	text := ""
	if len(parts) > 0 {
		text = "; failed and do not fail the run: " + strings.Join(parts, ", ")
	}
	if n := r.Summary.Flaky; n > 0 {
		text += fmt.Sprintf("; %d flaky", n)
	}
	return text
}

// gapSentence says what could not be shown, with the most frequent reason.
func (r *Report) gapSentence() string {
	reasons := map[string]int{}
	var ids []string
	for _, g := range r.gaps() {
		reasons[g.Why]++
		ids = append(ids, g.ID)
	}
	whys := slices.Sorted(maps.Keys(reasons))
	slices.SortStableFunc(whys, func(a, b string) int { return reasons[b] - reasons[a] })
	ids = slices.Compact(ids)
	said := "cannot be shown"
	if len(r.gapReasons(ExitFail)) == 0 {
		said = "not enough was tested"
	}
	return fmt.Sprintf("%s: %s of the core (%s), because %s", said, Count(len(ids), "MUST"), few(ids), whys[0])
}
