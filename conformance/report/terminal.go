package report

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Terminal writes a run for people: in short, which is causes first, then a line for
// each check that fails; or with Verbose a line for each step of the preflight as it
// ends and, when the run is over, a line for each verdict and a summary with the
// evidence of what is not a plain pass. Nothing that a server sent can command the
// terminal.
type Terminal struct {
	W         io.Writer
	Colour    bool
	Verbose   bool                // write what passed too, and all evidence
	Quiet     bool                // leave out the steps that led to a failed preflight
	RunFile   string              // where the run is or will be kept, so that its calls can be looked up; "": nowhere
	Catalogue []conformance.Check // that of the run told of; nil: that of the report's suite
	Status    io.Writer           // a terminal, for a line that says how far the run is; nil: none

	shown    bool                            // that line is there
	listed   bool                            // each verdict has its line
	steps    []conformance.Step              // of the preflight, that were good and not worth a line
	detailed map[conformance.VerdictKey]bool // already written with their evidence
	byID     map[string]*conformance.Check
	heard    map[int]conformance.Observation // of the report
	calls    int                             // that the report is made of
}

// marks are the words and colours of outcomes.
var marks = map[conformance.Outcome]struct{ word, colour string }{
	conformance.Pass:        {"pass", "\x1b[32m"},
	conformance.Fail:        {"FAIL", "\x1b[1;31m"},
	conformance.Warn:        {"warn", "\x1b[33m"},
	conformance.Flaky:       {"flaky", "\x1b[33m"},
	conformance.Seen:        {"seen", "\x1b[36m"},
	conformance.NotVerified: {"-", "\x1b[2m"},
	conformance.Broken:      {"ERROR", "\x1b[1;35m"},
}

// painted is a text of our own that may hold colours.
type painted string

// printf writes a line. All texts are made printable, except painted ones and the
// form.
func (t *Terminal) printf(form string, args ...any) {
	safe := make([]any, len(args))
	for i, arg := range args {
		safe[i] = arg
		if _, own := arg.(painted); own {
			continue
		}
		if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
			safe[i] = printable(v.String())
		}
	}
	t.erase()
	fmt.Fprintf(t.W, form, safe...)
}

// check returns a check as the suite of the run had it.
func (t *Terminal) check(id string) conformance.Check {
	if t.byID == nil {
		t.byID = conformance.IndexChecks(t.Catalogue)
	}
	if c := t.byID[id]; c != nil {
		return *c
	}
	return conformance.Check{}
}

func (t *Terminal) paint(o conformance.Outcome) painted {
	m := marks[o]
	return t.tint(m.colour, fmt.Sprintf("%-5s", m.word))
}

func (t *Terminal) tint(colour, word string) painted {
	if !t.Colour {
		return painted(word)
	}
	return painted(colour + word + "\x1b[0m")
}

// Step writes one step of the preflight, with the cure when there is one. In short,
// steps that are good are written only when one fails.
func (t *Terminal) Step(s conformance.Step) {
	if s.OK && s.Cure == "" && s.Name != conformance.StepPlan && !t.Verbose {
		t.steps = append(t.steps, s)
		return
	}
	if !s.OK && !t.Quiet {
		for _, before := range t.steps {
			t.step(before)
		}
	}
	t.steps = nil
	t.step(s)
}

func (t *Terminal) step(s conformance.Step) {
	mark := t.tint(marks[conformance.Pass].colour, "ok   ")
	if !s.OK {
		mark = t.paint(conformance.Fail)
	}
	t.printf("%s %-8s %s", mark, s.Name, s.Detail)
	if s.Took >= time.Millisecond {
		t.printf(" (%v)", s.Took.Round(time.Millisecond))
	}
	t.printf("\n")
	t.row("cure", stepCure(s))
}

// Check writes one verdict with its evidence.
func (t *Terminal) Check(r conformance.Result) {
	if !t.Verbose && r.Outcome == conformance.Pass {
		return
	}
	if t.detailed == nil {
		t.detailed = map[conformance.VerdictKey]bool{}
	}
	t.detailed[conformance.VerdictKey{Check: r.ID, Op: r.Operation}] = true
	t.verdictOn(r, string(r.Operation))
	t.evidence(r, nil)
}

// verdicts writes a line for each verdict, what weighs most first. Verdicts that
// say the same of several operations share a line. What is not verified is left to
// the summary, as is all evidence.
func (t *Terminal) verdicts(r *conformance.Report) {
	t.listed = true
	for _, alike := range folded(conformance.ByWeight(r.Checks)) {
		if alike[0].Outcome != conformance.NotVerified {
			t.verdictOn(alike[0], onWhich(alike))
		}
	}
}

// folded puts verdicts together that say the same of several operations.
func folded(results []conformance.Result) [][]conformance.Result {
	var groups [][]conformance.Result
	for _, r := range results {
		at := slices.IndexFunc(groups, func(g []conformance.Result) bool {
			return g[0].ID == r.ID && g[0].Outcome == r.Outcome && conformance.WithoutDigits(conformance.HeadlineOf(g[0])) == conformance.WithoutDigits(conformance.HeadlineOf(r)) &&
				(g[0].Known == nil) == (r.Known == nil)
		})
		if at < 0 {
			groups = append(groups, []conformance.Result{r})
		} else {
			groups[at] = append(groups[at], r)
		}
	}
	return groups
}

// onWhich lists the operations of some verdicts.
func onWhich(alike []conformance.Result) string {
	var ops []string
	for _, r := range alike {
		if op := string(r.Operation); !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return strings.Join(ops, ", ")
}

// verdictOn writes the line of a verdict on some operations.
func (t *Terminal) verdictOn(r conformance.Result, operations string) {
	line := t.check(r.ID).Requirement
	switch {
	case r.Outcome == conformance.Seen:
		line = everySeen(r)
	case r.Outcome != conformance.Pass && len(r.Findings) > 0:
		line = messageOf(r.Findings[0])
		if !t.Verbose && r.Outcome != conformance.NotVerified {
			line = gistOf(r.Findings[0])
		}
	}
	switch {
	case r.Known != nil:
		line += fmt.Sprintf(" (known: %s, until %s)", r.Known.Owner, r.Known.Until.Format(time.DateOnly))
	case r.Unscored:
		line += " (not scored)"
	}
	t.printf("%s %-7s %-10s %-8s %s\n", t.paint(r.Outcome), r.ID, r.Level, operations, line)
}

// everySeen lists all that was observed for one check.
func everySeen(r conformance.Result) string {
	var all []string
	for _, f := range r.Findings {
		if f.Outcome == conformance.Seen {
			all = append(all, f.Message)
		}
	}
	return strings.Join(all, "; ")
}

// evidence writes what shows a failure or a warning. show writes a call; nil: its
// number has to do.
func (t *Terminal) evidence(r conformance.Result, show func(int) string) {
	if r.Outcome != conformance.Fail && r.Outcome != conformance.Warn && r.Outcome != conformance.Flaky || r.Known != nil || len(r.Findings) == 0 {
		return
	}
	for i, f := range r.Findings {
		if f.Outcome == r.Outcome {
			t.finding(f, i > 0, show)
		}
	}
	c := t.check(r.ID)
	if r.Level != conformance.Robustness {
		t.row("clause", c.Clause+": "+c.Requirement)
	}
	if r.Outcome == conformance.Fail && r.Level != conformance.Robustness {
		t.row("matters", c.Why)
	}
	t.row("fix", r.Findings[0].Hint)
}

func (t *Terminal) finding(f conformance.Finding, further bool, show func(int) string) {
	if further {
		t.row("also", messageOf(f))
	}
	t.row("expected", f.Expected)
	t.row("got", f.Got)
	t.row("at", f.Pointer)
	calls := strings.ReplaceAll(strings.Trim(fmt.Sprint(f.Exchanges), "[]"), " ", ", ")
	if n := len(f.Exchanges); n > 0 && show != nil {
		calls += "  " + show(f.Exchanges[n-1])
	}
	if more := min(f.Count, t.calls) - 1; more > 0 && calls != "" {
		calls += fmt.Sprintf(" (and %d more like it)", more)
	}
	t.row("call", calls)
	for _, id := range f.Observations {
		t.row("observed", t.heard[id].String())
	}
}

// row writes one line of evidence, none for an empty text.
func (t *Terminal) row(label, text string) {
	if text != "" {
		t.printf("        %-9s %s\n", label, text)
	}
}
