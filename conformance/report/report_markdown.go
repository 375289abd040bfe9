package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// WriteMarkdown writes a summary for a pull request or a wiki: the verdict, the
// counts, and everything that is not a plain pass. What a server sent is written
// so that nothing of it is markup.
func WriteMarkdown(w io.Writer, f *conformance.RunFile) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", markdownTitle(f))
	fmt.Fprintf(&b, "%s, %s, %d calls in %s, seed %d, requirements/%s, cabrank %s.\n\n",
		code(f.Target), f.Started.UTC().Format("2 January 2006 15:04 UTC"), len(f.Calls), f.Duration.Round(time.Millisecond), f.Seed,
		unmarked(f.Requirements), unmarked(f.Judge.Version))
	markdownReasons(f, &b)
	markdownScores(f, &b)
	for _, part := range []struct {
		title   string
		outcome conformance.Outcome
	}{{"Failed", conformance.Fail}, {"Flaky", conformance.Flaky}, {"Warnings", conformance.Warn}, {"Errors of the suite", conformance.Broken}, {"Not verified", conformance.NotVerified}, {"Observed", conformance.Seen}} {
		markdownList(f, &b, part.title, part.outcome)
	}
	for _, l := range f.Leftovers {
		fmt.Fprintf(&b, "- left over: %s %s: %s\n", f.Suite.ThingName(), code(l.ID), unmarked(l.Reason))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	return nil
}

// markdownTitle says how the run came off. Only a whole run that is good gets the
// green mark; one of a part says of which.
func markdownTitle(f *conformance.RunFile) string {
	part, mark := f.Scope(), "❌"
	switch {
	case f.ExitCode() == conformance.ExitPass && part == "":
		mark = "✅"
	case f.ExitCode() == conformance.ExitPass:
		mark = "⚪"
	}
	if part == "" || f.Interrupted {
		return mark + " " + unmarked(sentence(f.Verdict()))
	}
	return mark + " " + unmarked(sentence(part+": "+f.Verdict()))
}

// markdownReasons lists what to look at first, and why the run as a whole is red.
func markdownReasons(f *conformance.RunFile, b *strings.Builder) {
	var lines []string
	for _, c := range f.Causes {
		lines = append(lines, c.Message+": "+cureOf(c))
	}
	for _, why := range f.Reasons() {
		told := slices.ContainsFunc(f.Causes, func(c conformance.Cause) bool { return c.Message == why.Message })
		if why.OfRun() && !told && why.Message != f.Verdict() {
			lines = append(lines, why.Name+": "+why.Message)
		}
	}
	for _, line := range lines {
		fmt.Fprintf(b, "- %s\n", unmarked(line))
	}
	if len(lines) > 0 {
		b.WriteString("\n")
	}
}

func markdownScores(f *conformance.RunFile, b *strings.Builder) {
	b.WriteString("| level | passed | failed | known | warnings | not verified |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, level := range []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness} {
		s := f.Summary.Levels[level]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", level, s.Pass, s.Fail, s.Known, s.Warn, s.NotVerified)
	}
	b.WriteString("\n")
	if len(f.Tiers) == 0 {
		return
	}
	fmt.Fprintf(b, "| the %s | |\n| --- | --- |\n", f.Suite.UserName())
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
		fmt.Fprintf(b, "| %s | %s |\n", unmarked(string(t.Tier)), word)
	}
	b.WriteString("\n")
}

func markdownList(f *conformance.RunFile, b *strings.Builder, title string, outcome conformance.Outcome) {
	checks := f.ChecksByID()
	begun := false
	for _, r := range conformance.ByWeight(f.Checks) {
		if r.Outcome != outcome {
			continue
		}
		if !begun {
			fmt.Fprintf(b, "## %s\n\n| check | level | operation | what was found |\n| --- | --- | --- | --- |\n", title)
			begun = true
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", unmarked(r.ID), r.Level, r.Operation, markdownFound(r, checks[r.ID]))
	}
	if begun {
		b.WriteString("\n")
	}
}

// markdownFound says in a cell what was found.
func markdownFound(r conformance.Result, c conformance.Check) string {
	found := unmarked(summaryLine(r, c))
	if r.Known != nil {
		found += " (known: " + unmarked(r.Known.Owner) + ")"
	}
	if r.Unscored {
		found += " (unscored)"
	}
	if len(r.Findings) == 0 {
		return found
	}
	if r.Findings[0].Expected != "" {
		found += "; expected " + unmarked(r.Findings[0].Expected)
	}
	if r.Findings[0].Got != "" {
		found += "; got " + code(r.Findings[0].Got)
	}
	return found
}
