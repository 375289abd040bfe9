package conformance

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Terminal writes verdicts for people: a line for each step of the preflight and
// each check as it ends, under it the evidence when it is not a plain pass, and
// one summary.
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
	return t.tint(m.colour, fmt.Sprintf("%-5s", m.word))
}

func (t *Terminal) tint(colour, word string) string {
	if !t.Colour {
		return word
	}
	return colour + word + "\x1b[0m"
}

// Step writes one step of the preflight, with the cure when there is one.
func (t *Terminal) Step(s Step) {
	if t.Quiet && s.OK && s.Cure == "" {
		return
	}
	mark := t.tint(marks[Pass].colour, "ok   ")
	if !s.OK {
		mark = t.paint(Fail)
	}
	fmt.Fprintf(t.W, "%s %-8s %s", mark, s.Name, s.Detail)
	if s.Took >= time.Millisecond {
		fmt.Fprintf(t.W, " (%v)", s.Took.Round(time.Millisecond))
	}
	fmt.Fprintln(t.W)
	t.row("cure", s.Cure)
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
	switch {
	case r.Known != nil:
		line += fmt.Sprintf(" (known: %s, until %s)", r.Known.Owner, r.Known.Until.Format(time.DateOnly))
	case r.Unscored:
		line += " (unscored)"
	}
	fmt.Fprintf(t.W, "%s %-7s %-10s %-8s %s\n", t.paint(r.Outcome), r.ID, c.Level, r.Operation, line)
	if r.Outcome != Fail && r.Outcome != Warn || r.Known != nil {
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
	for _, more := range []struct {
		n    int
		what string
	}{{s.Known, "known failures"}, {s.Unscored, "unscored"}, {s.Error, "errors of the suite"}} {
		if more.n > 0 {
			fmt.Fprintf(t.W, ", %d %s", more.n, more.what)
		}
	}
	fmt.Fprintf(t.W, "\n%d calls in %s, seed %d, requirements/%s\n", s.Exchanges, r.Duration.Round(time.Millisecond), r.Seed, r.Requirements)
	for _, level := range []Level{Must, Should, Robustness} {
		score := s.Levels[level]
		fmt.Fprintf(t.W, "  %-10s %3d passed  %3d failed  %3d warnings  %3d not verified\n", level, score.Pass, score.Fail, score.Warn, score.NotVerified)
	}
	t.tiers(r)
	for _, l := range r.Leftovers {
		fmt.Fprintf(t.W, "left over: journey %s of user %s: %s\n", l.JourneyID, l.UserID, l.Reason)
	}
	for _, entry := range r.Stale {
		fmt.Fprintf(t.W, "stale baseline entry: %s\n", entry)
	}
	fmt.Fprintln(t.W, t.verdict(r))
}

// tiers writes what a passenger gains, and what was claimed in vain.
func (t *Terminal) tiers(r *Report) {
	var gains []string
	for _, tier := range r.Tiers {
		if tier.Offered {
			gains = append(gains, string(tier.Tier))
		}
		if tier.Broken() {
			fmt.Fprintf(t.W, "claimed and not shown: %s, the caller %s (%d failed, %d not verified)\n", tier.Name, tier.Tier, tier.Fail, tier.NotVerified)
		}
	}
	if len(gains) > 0 {
		fmt.Fprintf(t.W, "the caller %s\n", strings.Join(gains, "; "))
	}
}

func (t *Terminal) verdict(r *Report) string {
	outcome := map[int]Outcome{ExitPass: Pass, ExitFail: Fail}[r.ExitCode()]
	if outcome == "" {
		outcome = Broken
	}
	return t.paint(outcome) + " " + r.Verdict()
}
