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

// oneFault runs the suite against a server with one fault.
func oneFault(t *testing.T, name string) *conformance.Report {
	t.Helper()
	all := wrongServers()
	at := slices.IndexFunc(all, func(m matrix.Mutant) bool { return m.Name == name })
	require.NotEqual(t, -1, at, name)
	return check(t, all[at].Wrap(dispatchsidetest.NewVendor(dispatchsidetest.None)), dispatchside.Target{Seed: 1})
}

// TestOneFaultIsToldBriefly bounds what a reader is given of one fault. WHOLE=1 takes every row, as
// the gate does; otherwise it is a sample.
func TestOneFaultIsToldBriefly(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ fault, first string }{
		{"CANCELED", "CAN-01"},
		{"journeyId numeric", "BOK-04"},
		{"edit books again", "BOK-19"},
		{"cancel says ok, stays live", "JRN-0"},
		{"edit gives new id", "BOK-15"},
	} {
		if !whole() && !matrix.InSample(row.fault, 6) {
			continue
		}
		t.Run(row.fault, func(t *testing.T) {
			t.Parallel()
			rep := oneFault(t, row.fault)
			var out strings.Builder
			(&report.Terminal{W: &out}).Report(rep)
			require.LessOrEqual(t, strings.Count(out.String(), "\n"), 25, out.String())
			require.Contains(t, strings.SplitN(out.String(), "\n", 3)[1], row.first, out.String())
			require.NotContains(t, out.String(), "pass  BOK", "what passed is told with -v")
			var whole strings.Builder
			(&report.Terminal{W: &whole, Verbose: true}).Report(rep)
			require.Contains(t, whole.String(), "pass  ")
			requireBrief(t, conformance.NewRunFile(rep, "1.2.3"))
		})
	}
}

// requireBrief bounds the other formats of a run that failed, and holds their counts
// against the verdict.
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
	require.Equal(t, file.Summary.Levels[conformance.Must].Fail, suites.Failures, file.Verdict())
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

// TestTheJourneyThatAnEditMadeHasItsLane looks for both journeys in a drawing.
func TestTheJourneyThatAnEditMadeHasItsLane(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	file := conformance.NewRunFile(oneFault(t, "edit gives new id"), "1.2.3")
	html := render(t, file, "report.html")
	drawing := html[strings.Index(html, `id="drawing-edited-twice"`):]
	drawing, _, _ = strings.Cut(drawing, "</details>")
	require.Contains(t, drawing, `<tspan class="op">made</tspan>`)
	require.GreaterOrEqual(t, strings.Count(drawing, `class="who"`), 3, "the caller, the journey and the one that the edit made")
}

// TestAnnotationsAreNoCommandsOfAServer has texts of a server's that would begin one.
func TestAnnotationsAreNoCommandsOfAServer(t *testing.T) {
	t.Parallel()
	file := short()
	file.Causes = []conformance.Cause{{Message: "100%\r\n::stop-commands::x", Cure: "a: b,\nc", Call: 1}}
	var b strings.Builder
	require.NoError(t, report.WriteAnnotations(&b, file, "a,b:c.js"))
	first, _, _ := strings.Cut(b.String(), "\n")
	require.Equal(t, "::error file=a%2Cb%3Ac.js,line=1,title=the server::100%25 %0A::stop-commands::x%0Aa: b,%0Ac", first)
}

// TestARequestShowsWhatDecidesFirst reads the evidence of an edit.
func TestARequestShowsWhatDecidesFirst(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	var out, whole strings.Builder
	rep := oneFault(t, "edit gives new id")
	(&report.Terminal{W: &out}).Report(rep)
	require.Regexp(t, `sent +/book with journeyId "[^"]+", userId "[^"]+" \(call \d+\)`, out.String())
	(&report.Terminal{W: &whole, Verbose: true}).Report(rep)
	require.Regexp(t, `call +[\d, ]+  POST /book \{"journeyId":"`, whole.String())
	require.Contains(t, out.String(), "\ncannot: book, follow and cancel a taxi\n")
}
