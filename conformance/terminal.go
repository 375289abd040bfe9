package conformance

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Terminal writes verdicts for people: a line for each check as it ends, under
// it the evidence when it is not a plain pass, and one summary.
type Terminal struct {
	W      io.Writer
	Colour bool
	Quiet  bool // leave out what passed
}

// marks are the words and colours of outcomes.
var marks = map[Outcome]struct{ word, colour string }{
	Pass:        {"pass", "\x1b[32m"},
	Fail:        {"FAIL", "\x1b[1;31m"},
	Warn:        {"warn", "\x1b[33m"},
	Seen:        {"seen", "\x1b[36m"},
	NotVerified: {"-", "\x1b[2m"},
	Broken:      {"ERROR", "\x1b[1;35m"},
}

func (t *Terminal) paint(o Outcome) string {
	m := marks[o]
	word := fmt.Sprintf("%-5s", m.word)
	if !t.Colour {
		return word
	}
	return m.colour + word + "\x1b[0m"
}

// Check writes one verdict.
func (t *Terminal) Check(r Result) {
	if t.Quiet && r.Outcome == Pass {
		return
	}
	c := byID[r.ID]
	line := c.Requirement
	if r.Outcome != Pass && len(r.Findings) > 0 {
		line = r.Findings[0].Message
	}
	fmt.Fprintf(t.W, "%s %-7s %-10s %-8s %s\n", t.paint(r.Outcome), r.ID, c.Level, r.Operation, line)
	if r.Outcome != Fail && r.Outcome != Warn {
		return
	}
	for i, f := range r.Findings {
		if f.Outcome == r.Outcome {
			t.finding(f, i > 0)
		}
	}
	last := r.Findings[0]
	t.row("clause", last.Clause+": "+c.Requirement)
	if r.Outcome == Fail {
		t.row("matters", c.Why)
	}
	t.row("fix", last.Hint)
}

func (t *Terminal) finding(f Finding, further bool) {
	if further {
		t.row("also", f.Message)
	}
	t.row("expected", f.Expected)
	t.row("got", f.Got)
	if at := f.Pointer; at != "" {
		t.row("at", at)
	}
	calls := strings.ReplaceAll(strings.Trim(fmt.Sprint(f.Exchanges), "[]"), " ", ", ")
	if f.Count > 1 {
		calls += fmt.Sprintf(" (and %d more like it)", f.Count-1)
	}
	t.row("call", calls)
}

// row writes one line of evidence, none for an empty text.
func (t *Terminal) row(label, text string) {
	if text != "" {
		fmt.Fprintf(t.W, "        %-9s %s\n", label, text)
	}
}

// Summary writes the end of the report.
func (t *Terminal) Summary(r *Report) {
	s := r.Summary
	fmt.Fprintf(t.W, "\n%d checks on %s: %d passed, %d failed, %d warnings, %d observed, %d not verified",
		len(r.Checks), r.Target, s.Pass, s.Fail, s.Warn, s.Observed, s.NotVerified)
	if s.Error > 0 {
		fmt.Fprintf(t.W, ", %d errors of the suite", s.Error)
	}
	fmt.Fprintf(t.W, "\n%d calls in %s, seed %d\n", s.Exchanges, r.Duration.Round(time.Millisecond), r.Seed)
	for _, level := range []Level{Must, Should, Robustness} {
		score := s.Levels[level]
		fmt.Fprintf(t.W, "  %-10s %3d passed  %3d failed  %3d warnings  %3d not verified\n", level, score.Pass, score.Fail, score.Warn, score.NotVerified)
	}
	for _, l := range r.Leftovers {
		fmt.Fprintf(t.W, "left over: journey %s of user %s: %s\n", l.JourneyID, l.UserID, l.Reason)
	}
	fmt.Fprintln(t.W, t.verdict(r))
}

func (t *Terminal) verdict(r *Report) string {
	switch r.ExitCode() {
	case ExitFail:
		return t.paint(Fail) + " a requirement of the interface is not met"
	case ExitBroken:
		return t.paint(Broken) + " the suite came to no verdict where it should have"
	}
	if n := r.Summary.Levels[Must].NotVerified; n > 0 {
		return fmt.Sprintf("%s every MUST that could be tested is met; %d could not be tested", t.paint(Pass), n)
	}
	return t.paint(Pass) + " every MUST of the interface is met"
}
