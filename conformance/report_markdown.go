package conformance

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// WriteMarkdown writes a summary for a pull request or a wiki: the verdict, the
// counts, and everything that is not a plain pass.
func (f *RunFile) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n", map[bool]string{true: "✅", false: "❌"}[f.ExitCode() == ExitPass], sentence(f.Verdict()))
	fmt.Fprintf(&b, "`%s`, %s, %d calls in %s, seed %d, requirements/%s, cabrank %s.\n\n",
		f.Target, f.Started.UTC().Format("2 January 2006 15:04 UTC"), len(f.Calls), f.Duration.Round(time.Millisecond), f.Seed, f.Requirements, f.Suite.Version)
	for _, c := range f.Causes {
		fmt.Fprintf(&b, "- %s: %s\n", c.Message, c.Cure)
	}
	for _, g := range f.gaps() {
		fmt.Fprintf(&b, "- %s on %s cannot be shown: %s\n", g.ID, g.Operation, cell(g.Why))
	}
	if len(f.Causes)+len(f.gaps()) > 0 {
		b.WriteString("\n")
	}
	f.markdownScores(&b)
	for _, part := range []struct {
		title   string
		outcome Outcome
	}{{"Failed", Fail}, {"Warnings", Warn}, {"Errors of the suite", Broken}, {"Not verified", NotVerified}, {"Observed", Seen}} {
		f.markdownList(&b, part.title, part.outcome)
	}
	for _, l := range f.Leftovers {
		fmt.Fprintf(&b, "- left over: journey `%s`: %s\n", l.JourneyID, l.Reason)
	}
	for _, entry := range f.Stale {
		fmt.Fprintf(&b, "- stale baseline entry: %s\n", entry)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	return nil
}

func (f *RunFile) markdownScores(b *strings.Builder) {
	b.WriteString("| level | passed | failed | known | warnings | not verified |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, level := range []Level{Must, Should, Robustness} {
		s := f.Summary.Levels[level]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", level, s.Pass, s.Fail, s.Known, s.Warn, s.NotVerified)
	}
	b.WriteString("\n| the caller | |\n| --- | --- |\n")
	for _, t := range f.Tiers {
		word := "not shown"
		switch {
		case t.Offered:
			word = "**yes**"
		case t.Broken():
			word = "**claimed, not shown**"
		case t.Fail > 0:
			word = "broken"
		}
		fmt.Fprintf(b, "| %s | %s |\n", t.Tier, word)
	}
	b.WriteString("\n")
}

func (f *RunFile) markdownList(b *strings.Builder, title string, outcome Outcome) {
	checks := f.checks()
	begun := false
	for _, r := range byWeight(f.Checks) {
		if r.Outcome != outcome {
			continue
		}
		if !begun {
			fmt.Fprintf(b, "## %s\n\n| check | level | operation | what was found |\n| --- | --- | --- | --- |\n", title)
			begun = true
		}
		found := headline(r, checks[r.ID])
		if r.Known != nil {
			found += " (known: " + r.Known.Owner + ")"
		}
		if len(r.Findings) > 0 && r.Findings[0].Got != "" {
			found += "; got `" + r.Findings[0].Got + "`"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", r.ID, r.Level, r.Operation, cell(found))
	}
	if begun {
		b.WriteString("\n")
	}
}

// byWeight orders verdicts by their level: MUST, SHOULD, robustness, observed.
func byWeight(all []Result) []Result {
	levels := []Level{Must, Should, Robustness, Observed}
	return slices.SortedStableFunc(slices.Values(all), func(a, b Result) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
}

// cell makes a text fit for a cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(s)
}

// sentence gives a text a capital letter and a full stop.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
