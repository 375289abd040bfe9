package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// Limits for causes in the short form.
const (
	mostCauses = 9 // causes that have a line each
	mostCures  = 7 // causes up to which each has its cure
)

// causes writes the causes in short, at most nine: the first one with the deciding call and the
// consequences.
func (t *Terminal) causes(r *conformance.Report) {
	for i, c := range r.Causes {
		switch {
		case i >= mostCauses:
			t.printf("      and %s, shown with -v: %s\n", conformance.Count(len(r.Causes)-i, "more cause"), t.namesOf(leadsOf(r.Causes[i:])))
			return
		case i == 0:
			t.cause(r, c, true)
		default:
			t.cause(r, c, false)
			if len(r.Causes) <= mostCures {
				t.row("fix", cureOf(c))
			}
		}
	}
}

// leadsOf returns the name of the most informative verdict of each cause.
func leadsOf(causes []conformance.Cause) []string {
	var names []string
	for _, c := range causes {
		if len(c.Failed) > 0 {
			names = append(names, c.Failed[0])
		}
	}
	return names
}

// cause writes a cause in one line; with whole also the cure, the deciding call and the
// consequences.
func (t *Terminal) cause(r *conformance.Report, c conformance.Cause, whole bool) {
	t.printf("%s %s%s%s\n", t.paint(conformance.Fail), headOf(r, c), c.Message, tailOf(r, c))
	if !whole {
		return
	}
	t.row("fix", cureOf(c))
	if c.Deciding != nil {
		t.row("sent", fmt.Sprintf("%s (call %d)", c.Deciding, c.Deciding.Call))
	}
	if results := resultsOf(r, c); c.Deciding == nil && len(results) > 0 {
		for _, id := range results[0].Findings[0].Observations {
			t.row("observed", t.heard[id].String())
		}
	}
	t.row("reach", c.Reach())
}

// headOf returns the start of a cause's line, like that of its most informative verdict.
func headOf(r *conformance.Report, c conformance.Cause) string {
	results := resultsOf(r, c)
	if len(results) == 0 {
		return ""
	}
	alike := groupByMessage(results)[0]
	return fmt.Sprintf("%-7s %-10s %-8s ", alike[0].ID, levelOf(results), onWhich(alike))
}

// tailOf returns the end of a cause's line: the other checks that fail, the call, whom it hurts, and why it
// does not count.
func tailOf(r *conformance.Report, c conformance.Cause) string {
	const most = 3
	var others, notes []string
	results := resultsOf(r, c)
	for _, alike := range groupByMessage(results) {
		if id := alike[0].ID; id != results[0].ID && !slices.Contains(others, id) {
			others = append(others, alike[0].ID)
		}
	}
	if more := len(others) - most; more > 0 {
		others = append(others[:most:most], fmt.Sprintf("%d more", more))
	}
	if len(others) > 0 {
		notes = append(notes, "with "+conformance.WordList(others))
	}
	if c.Call > 0 && !c.Ends {
		notes = append(notes, fmt.Sprintf("call %d", c.Call))
	}
	if harms := harmsOf(r.Suite, results); harms != "" {
		notes = append(notes, "hurts: "+harms)
	}
	if note := excuseOf(results); note != "" {
		notes = append(notes, note)
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}
