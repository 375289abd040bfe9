package dispatchside_test

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/report"
)

// requireBrief checks that the other formats of a failed run are short, and that their counts agree with the verdict.
func requireBrief(t *testing.T, file *conformance.RunFile) {
	t.Helper()
	markdown := render(t, file, "report.md")
	require.LessOrEqual(t, len(markdown), 4096, markdown)
	require.Contains(t, markdown, "| what to change |")
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	junit := render(t, file, "junit.xml")
	require.NoError(t, xml.Unmarshal([]byte(junit), &suites))
	reasons := slices.DeleteFunc(file.Reasons(), func(why conformance.ExitReason) bool { return strings.HasSuffix(why.Name, " is shown") }) // what a failure hides is skipped
	require.Len(t, reasons, suites.Failures, file.Verdict())
	require.Contains(t, junit, "curl -sS")
	html := render(t, file, "report.html")
	require.LessOrEqual(t, len(html), 2<<20)
	first, summary := strings.Index(html, `<section id="first">`), strings.Index(html, `<section id="summary">`)
	require.True(t, 0 < first && first < summary, "what to look at first comes first")
	var b strings.Builder
	require.NoError(t, report.WriteAnnotations(&b, file, "src/server.js"))
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	require.LessOrEqual(t, len(lines), 10)
	require.True(t, strings.HasPrefix(lines[0], "::error file=src/server.js,line=1,title="), lines[0])
	for _, line := range lines {
		require.Regexp(t, `^::(error|warning) file=src/server\.js,line=1,title=[^:,]+::\S`, line)
	}
}

// TestAnnotationsEscapeWorkflowCommands checks that the texts of a server are escaped in GitHub annotations,
// so that none of them starts a workflow command.
func TestAnnotationsEscapeWorkflowCommands(t *testing.T) {
	t.Parallel()
	file := short()
	file.Causes = []conformance.Cause{{Message: "100%\r\n::stop-commands::x", Cure: "a: b,\nc", Call: 1}}
	var b strings.Builder
	require.NoError(t, report.WriteAnnotations(&b, file, "a,b:c.js"))
	first, _, _ := strings.Cut(b.String(), "\n")
	require.Equal(t, "::error file=a%2Cb%3Ac.js,line=1,title=the server::100%25 %0A::stop-commands::x%0Aa: b,%0Ac", first)
}

// TestEditThatMakesAJourneyIsShownInReports checks what the reports show of an edit that made another journey: the deciding
// call, and a drawing with both journeys.
func TestEditThatMakesAJourneyIsShownInReports(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	var out, whole strings.Builder
	rep := check(t, matrix.Named(wrongServers(), "edit gives new id").Wrap(dispatchsidetest.NewVendor(dispatchsidetest.None)), dispatchside.Target{Seed: 1})
	(&report.Terminal{W: &out}).Report(rep)
	require.Regexp(t, `sent +/book with journeyId "[^"]+", userId "[^"]+" \(call \d+\)`, out.String())
	(&report.Terminal{W: &whole, Verbose: true}).Report(rep)
	require.Regexp(t, `call +[\d, ]+  POST /book \{"journeyId":"`, whole.String())
	require.Contains(t, out.String(), "\ncannot: book, follow and cancel a taxi\n")
	file := conformance.NewRunFile(rep, "1.2.3")
	requireBrief(t, file)
	html := render(t, file, "report.html")
	drawing, _, _ := strings.Cut(html[strings.Index(html, `id="drawing-edited-twice"`):], "</details>")
	require.Contains(t, drawing, `<tspan class="op">made</tspan>`)
	require.GreaterOrEqual(t, strings.Count(drawing, `class="who"`), 3, "the caller, the journey and the one that the edit made")
}
