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

// Terminal writes a run for people. The short form has the causes first, then a line for each
// failed check. With Verbose it has a line for each step of the preflight as it ends and,
// after the run, a line for each verdict and a summary with the evidence of all but plain
// passes. Text from a server cannot control the terminal.
type Terminal struct {
	W         io.Writer
	Colour    bool
	Verbose   bool                // include passed checks and all evidence
	Quiet     bool                // omit the steps before a failed one
	RunFile   string              // path of the run file, to look up calls; "": none
	Catalogue []conformance.Check // the run's catalogue; nil: that of the report's suite
	Status    io.Writer           // a terminal for the progress line; nil: none

	shown    bool                            // the progress line is shown
	listed   bool                            // each verdict has been written in a line
	steps    []conformance.Step              // passed steps that were not written
	detailed map[conformance.VerdictKey]bool // verdicts already written with their evidence
	byID     map[string]*conformance.Check
	heard    map[int]conformance.Observation // of the report
	calls    int                             // number of calls in the report
}

// marks are the labels of outcomes and their colours on a terminal.
var marks = map[conformance.Outcome]struct{ word, colour string }{
	conformance.Pass:        {"pass", "\x1b[32m"},
	conformance.Fail:        {"FAIL", "\x1b[1;31m"},
	conformance.Warn:        {"warn", "\x1b[33m"},
	conformance.Flaky:       {"flaky", "\x1b[33m"},
	conformance.Seen:        {"seen", "\x1b[36m"},
	conformance.NotVerified: {"-", "\x1b[2m"},
	conformance.Broken:      {"ERROR", "\x1b[1;35m"},
}

// painted is a text of this program that may contain colour codes.
type painted string

// printf writes formatted text. It makes all strings in args printable except those of type painted.
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

// check returns a check of the run's catalogue, or the zero Check if it has none with that id.
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

// Step writes one step of the preflight, with the cure if there is one. The short form writes
// passed steps only if one fails.
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

// Check writes one verdict with its evidence. Without Verbose, it does not write passes.
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

// verdicts writes a line for each verdict, the most severe first. Verdicts with the same
// message for several operations share a line. The summary has the unverified ones and the
// evidence.
func (t *Terminal) verdicts(r *conformance.Report) {
	t.listed = true
	for _, alike := range groupByMessage(conformance.ByWeight(r.Checks)) {
		if alike[0].Outcome != conformance.NotVerified {
			t.verdictOn(alike[0], onWhich(alike))
		}
	}
}

// groupByMessage groups verdicts on a check that have the same outcome and message for several operations.
func groupByMessage(results []conformance.Result) [][]conformance.Result {
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

// onWhich lists the operations of verdicts.
func onWhich(alike []conformance.Result) string {
	var ops []string
	for _, r := range alike {
		if op := string(r.Operation); !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return strings.Join(ops, ", ")
}

// verdictOn writes the line of a verdict; operations is the text for its operations.
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

// evidence writes the evidence for a failure or a warning. show formats a call; nil: only its
// number is written.
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

// Progress writes the progress of a run to Status, replacing the line before. Any other output
// erases the line.
func (t *Terminal) Progress(p conformance.Progress) {
	if t.Status == nil {
		return
	}
	t.erase()
	t.shown = true
	fmt.Fprintf(t.Status, "%s %d of %d", p.Stage, p.Done, p.All)
	if p.Left >= 3*time.Second {
		fmt.Fprintf(t.Status, ", about %s left", p.Left.Round(time.Second))
	}
}

// erase erases the progress line.
func (t *Terminal) erase() {
	if t.shown {
		fmt.Fprint(t.Status, "\r\x1b[K")
	}
	t.shown = false
}
