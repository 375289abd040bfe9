package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// mostMarkdown is the maximum length of a summary, in bytes, so that it fits into a pull request.
const mostMarkdown = 4 << 10

// WriteMarkdown writes a summary for a pull request or a wiki, of at most 4 KB: the verdict,
// the counts, and a row with a cure for each cause and each unexplained failure. Text from a
// server is escaped.
func WriteMarkdown(w io.Writer, f *conformance.RunFile) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", markdownTitle(f))
	fmt.Fprintf(&b, "%s, %s, %d calls in %s, seed %d, requirements/%s, cabrank %s.\n\n",
		code(f.Target), f.Started.UTC().Format("2 January 2006 15:04 UTC"), len(f.Calls), f.Duration.Round(time.Millisecond), f.Seed,
		unmarked(f.Requirements), unmarked(f.Judge.Version))
	markdownReasons(f, &b)
	var end strings.Builder
	markdownScores(f, &end)
	markdownUntested(f, &end)
	markdownLeftovers(f, &end)
	markdownRows(f, &b, mostMarkdown-end.Len())
	b.WriteString(end.String())
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	return nil
}

// markdownTitle returns the verdict of the run as a title. Only a whole, passed run gets the
// green mark; a partial one names its part.
func markdownTitle(f *conformance.RunFile) string {
	part, mark := f.Scope(), "❌"
	switch {
	case f.ExitCode() == conformance.ExitPass && part == "":
		mark = "✅"
	case f.ExitCode() == conformance.ExitPass:
		mark = "⚪"
	}
	if part == "" || f.Interrupted {
		return mark + " " + unmarked(sentence(clipped(f.Verdict())))
	}
	return mark + " " + unmarked(sentence(clipped(part+": "+f.Verdict())))
}

// clipped shortens a text to at most 240 bytes.
func clipped(text string) string {
	const most = 240
	return jsonvalue.Clip(text, most)
}

// markdownReasons lists why the run as a whole failed, except for its causes and the verdict in the title.
// Requirements not shown for the same reason share a line.
func markdownReasons(f *conformance.RunFile, b *strings.Builder) {
	const most = 4
	names := map[string][]string{}
	var order []string
	for _, why := range f.Reasons() {
		told := slices.ContainsFunc(f.Causes, func(c conformance.Cause) bool { return c.Message == why.Message })
		if !why.OfRun() || told || why.Message == f.Verdict() {
			continue
		}
		if names[why.Message] == nil {
			order = append(order, why.Message)
		}
		names[why.Message] = append(names[why.Message], strings.TrimSuffix(why.Name, " is shown"))
	}
	for _, message := range order[:min(len(order), most)] {
		some := names[message]
		if more := len(some) - most; more > 0 {
			some = append(some[:most:most], fmt.Sprintf("%d more", more))
		}
		fmt.Fprintf(b, "- not shown: %s: %s\n", unmarked(clipped(strings.Join(some, ", "))), unmarked(clipped(message)))
	}
	if more := len(order) - most; more > 0 {
		fmt.Fprintf(b, "- and %s\n", conformance.Count(more, "more reason"))
	}
	if len(order) > 0 {
		b.WriteString("\n")
	}
}

// markdownRows writes the main findings as a table, as long as the summary is not longer than room, and
// counts the others.
func markdownRows(f *conformance.RunFile, b *strings.Builder, room int) {
	const reserve = 60 // bytes for the line that counts what is left out
	rows := rowsOf(&f.Report)
	if len(rows) == 0 {
		return
	}
	b.WriteString("| | what was found | what to change |\n| --- | --- | --- |\n")
	for i, one := range rows {
		found := unmarked(clipped(one.Text))
		if one.Call > 0 {
			found += fmt.Sprintf(" (call %d)", one.Call)
		}
		if one.Reach != "" {
			found += "; " + unmarked(one.Reach)
		}
		if one.Outcome != conformance.Fail {
			found = string(one.Outcome) + ": " + found
		}
		line := fmt.Sprintf("| %s | %s | %s |\n", unmarked(clipped(one.Name)), found, unmarked(clipped(one.Cure)))
		if b.Len()+len(line)+reserve > room {
			fmt.Fprintf(b, "\nand %s\n", conformance.Count(len(rows)-i, "more finding"))
			break
		}
		b.WriteString(line)
	}
	b.WriteString("\n")
}

func markdownScores(f *conformance.RunFile, b *strings.Builder) {
	b.WriteString("| level | passed | failed | known | warnings | not verified |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, level := range []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness} {
		s := f.Summary.Levels[level]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", level, s.Pass, s.Fail, s.Known, s.Warn, s.NotVerified)
	}
	fmt.Fprintf(b, "\n%s: %s.\n\n", conformance.Count(len(f.Checks), "verdict"), f.Summary.Counts())
	if len(f.Tiers) == 0 {
		return
	}
	fmt.Fprintf(b, "| the %s | |\n| --- | --- |\n", f.Suite.UserName())
	for _, t := range f.Tiers {
		word := "not shown"
		switch {
		case t.Answer == conformance.TierYes:
			word = "**yes**"
		case t.Broken() && t.Answer == conformance.TierNotShown:
			word = "**claimed, not shown**"
		case t.Answer == conformance.TierFaulty:
			word = "yes, with faults: " + strings.Join(f.FaultsOf(t.Tier), ", ")
		case t.Answer == conformance.TierNo:
			word = "no"
		}
		fmt.Fprintf(b, "| %s | %s |\n", unmarked(string(t.Tier)), word)
	}
	b.WriteString("\n")
}

// markdownUntested lists the MUSTs that were not tested, with the reasons.
func markdownUntested(f *conformance.RunFile, b *strings.Builder) {
	if len(f.Preflight) == 0 || len(f.Only) > 0 || f.Interrupted {
		return
	}
	lines := untestedMusts(&f.Report)
	for _, line := range lines[:min(len(lines), 2)] {
		some := line.ids
		if more := len(some) - 5; more > 0 {
			some = append(some[:5:5], fmt.Sprintf("%d more", more))
		}
		fmt.Fprintf(b, "- not tested: %s: %s\n", unmarked(clipped(strings.Join(some, ", "))), unmarked(clipped(line.Why)))
	}
	for _, line := range notTried(&f.Report) {
		fmt.Fprintf(b, "- not tried: %s\n", unmarked(clipped(line)))
	}
}

// markdownLeftovers counts the leftovers and names the first.
func markdownLeftovers(f *conformance.RunFile, b *strings.Builder) {
	if len(f.Leftovers) == 0 {
		return
	}
	l := f.Leftovers[0]
	fmt.Fprintf(b, "- left over: %s %s", f.Suite.ThingName(), code(jsonvalue.Clip(l.ID, 60)))
	if more := len(f.Leftovers) - 1; more > 0 {
		fmt.Fprintf(b, " and %d more", more)
	}
	fmt.Fprintf(b, ": %s\n", unmarked(clipped(l.Reason)))
}
