package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Bounds of the short form: a run with one fault fits a screen.
const (
	mostFailing  = 9 // lines of what fails or warns
	mostUntested = 4 // lines of what was not tested
	widestText   = 150
)

// short writes a report on a screen: the causes, a line for each check that fails,
// the first of them with its evidence, what no MUST was tested for, the counts and
// the verdict.
func (t *Terminal) short(r *conformance.Report) {
	t.printf("\n")
	t.causes(r)
	t.asked(r)
	t.failing(r)
	t.untested(r)
	t.totals(r)
	if !r.Interrupted && len(r.Only) == 0 {
		t.tiers(r)
	}
	t.leftovers(r)
	for _, entry := range r.Stale {
		t.printf("stale baseline entry: %s\n", entry)
	}
	t.further(r)
	t.printf("%s\n", t.verdict(r))
}

// asked writes how the checks came off that a run was limited to, when they do not fail.
func (t *Terminal) asked(r *conformance.Report) {
	for _, alike := range folded(conformance.ByWeight(r.Checks)) {
		fine := alike[0].Outcome == conformance.Pass || alike[0].Outcome == conformance.Seen || alike[0].Outcome == conformance.NotVerified
		if fine && slices.Contains(r.Only, alike[0].ID) {
			t.verdictOn(alike[0], onWhich(alike))
		}
	}
}

// failing writes a line for each check that fails or warns and that no cause explains.
// The first has its evidence, unless a cause was told before it.
func (t *Terminal) failing(r *conformance.Report) {
	t.heard, t.calls = r.ObservationsByID(), r.Summary.Exchanges
	var left []string
	for i, alike := range faultsOf(r) {
		if i < mostFailing {
			t.failure(alike, r, i == 0 && len(r.Causes) == 0)
		} else {
			left = append(left, alike[0].ID)
		}
	}
	if len(left) > 0 {
		t.printf("      and %s: %s\n", conformance.Count(len(left), "more check"), t.namesOf(left))
	}
}

// failure writes a failure in a line, and its evidence if that is asked for.
func (t *Terminal) failure(alike []conformance.Result, r *conformance.Report, first bool) {
	t.verdictOn(alike[0], onWhich(alike))
	if !first || len(alike[0].Findings) == 0 || alike[0].Known != nil {
		return
	}
	t.finding(alike[0].Findings[0], false, callLines(r))
	t.row("fix", alike[0].Findings[0].Hint)
}

// gistOf says in a line what a finding found, with what was got and expected.
func gistOf(f conformance.Finding) string {
	const widestGot = 60
	text, got := messageOf(f), jsonvalue.Clip(f.Got, widestGot)
	place, vague := strings.CutSuffix(text, " is another than it should be")
	switch {
	case got == "" || strings.Contains(text, f.Got) || strings.HasSuffix(text, " is missing"):
	case vague:
		text = place + " is " + got
	default:
		text += ": got " + got
	}
	if f.Expected != "" {
		text += ", want " + f.Expected
	}
	return jsonvalue.Clip(text, widestText)
}

// untested writes which MUSTs were not tested, a line for each reason.
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
			line = untestedLine{"-v says why", slices.Compact(rest)}
		}
		t.printf("%s not tested  %s: %s\n", t.paint(conformance.NotVerified), t.namesOf(line.ids), line.why)
		if i == mostUntested-1 {
			return
		}
	}
}

// untestedLine is a reason for which MUSTs were not tested.
type untestedLine struct {
	why string
	ids []string
}

// untestedMusts groups the MUSTs that were not tested by the reason, the one of most
// first. What the server just does not send is one reason.
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
		at := slices.IndexFunc(lines, func(l untestedLine) bool { return l.why == why })
		if at < 0 {
			at = len(lines)
			lines = append(lines, untestedLine{why: why})
		}
		if !slices.Contains(lines[at].ids, name) {
			lines[at].ids = append(lines[at].ids, name)
		}
	}
	slices.SortStableFunc(lines, func(a, b untestedLine) int { return len(b.ids) - len(a.ids) })
	return lines
}

// further says where there is more to read.
func (t *Terminal) further(r *conformance.Report) {
	if r.Summary.Fail+r.Summary.Warn == 0 {
		return
	}
	more := "-v shows all evidence; cabrank explain ID says what a check wants"
	if t.RunFile != "" {
		more = fmt.Sprintf("cabrank report %s -v shows all evidence, --call N a call in full", t.RunFile)
	}
	t.printf("%s\n", more)
}

// repeated writes how the verdict came off that calls were repeated for, and what
// else fails in these calls in a line.
func (t *Terminal) repeated(r *conformance.Report) {
	t.printf("\n")
	t.heard, t.calls = r.ObservationsByID(), r.Summary.Exchanges
	var others []string
	for _, alike := range folded(conformance.ByWeight(r.Checks)) {
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
	t.leftovers(r)
	t.printf("%s\n", t.verdict(r))
}
