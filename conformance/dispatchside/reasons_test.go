package dispatchside_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/report"
)

// came returns a verdict with a finding that says its outcome.
func came(id string, level conformance.Level, op conformance.Operation, outcome conformance.Outcome) conformance.Result {
	return conformance.Result{
		ID: id, Level: level, Operation: op, Outcome: outcome,
		Findings: []conformance.Finding{{Outcome: outcome, Message: "it was " + string(outcome)}},
	}
}

// TestFormatsFailWithTheExitCode checks that JUnit and Markdown show a failure exactly when the exit
// code does, and say why.
func TestFormatsFailWithTheExitCode(t *testing.T) {
	t.Parallel()
	good := came("BOK-01", conformance.Must, rules.OpBook, conformance.Pass)
	for name, row := range map[string]struct {
		exit    int
		results []conformance.Result
		scoring conformance.Scoring
		then    func(*conformance.Report)
		says    string
	}{
		"good":             {0, []conformance.Result{good}, conformance.Scoring{}, nil, "every MUST of the interface is met"},
		"a MUST":           {1, []conformance.Result{good, came("CAN-01", conformance.Must, rules.OpCancel, conformance.Fail)}, conformance.Scoring{}, nil, "it was fail"},
		"robustness":       {0, []conformance.Result{good, came("USR-12", conformance.Robustness, rules.OpUser, conformance.Fail)}, conformance.Scoring{}, nil, "it was fail"},
		"claimed":          {1, []conformance.Result{good}, conformance.Scoring{Claims: []conformance.Tier{rules.TierETA}}, nil, "claimed and not shown"},
		"no verdict":       {4, []conformance.Result{good, came("CAN-01", conformance.Must, rules.OpCancel, conformance.Broken)}, conformance.Scoring{}, nil, "it was error"},
		"nothing executed": {3, []conformance.Result{came("JRN-12", conformance.Must, rules.OpJourney, conformance.NotVerified)}, conformance.Scoring{}, nil, "none of the chosen checks"},
		"only, not seen": {
			3,
			[]conformance.Result{good, came("JRN-12", conformance.Must, rules.OpJourney, conformance.NotVerified)},
			conformance.Scoring{},
			func(r *conformance.Report) { r.Only = []string{"JRN-12"} }, "none of the chosen checks",
		},
		"gone": {
			1,
			[]conformance.Result{good},
			conformance.Scoring{},
			func(r *conformance.Report) {
				r.Causes = []conformance.Cause{{Message: "the server stopped answering", Cure: "see its log", Ends: true}}
			}, "the server stopped answering",
		},
		"a gap": {
			1,
			[]conformance.Result{good},
			conformance.Scoring{},
			func(r *conformance.Report) {
				r.Unshown = []conformance.Gap{{ID: "CAN-01", Operation: rules.OpCancel, Why: "no id"}, {ID: "STA-01", Operation: rules.OpStatus, Why: "no id"}}
			}, "no id",
		},
		"stale":   {1, []conformance.Result{good}, conformance.Scoring{}, func(r *conformance.Report) { r.Stale = []string{"CAN-01 (owner ann): old"} }, "owner ann"},
		"stopped": {130, []conformance.Result{good}, conformance.Scoring{}, func(r *conformance.Report) { r.Interrupted = true }, "stopped"},
		"a SHOULD, reproduced": {
			1,
			[]conformance.Result{came("BOK-22", conformance.Should, rules.OpBook, conformance.Fail)},
			conformance.Scoring{},
			func(r *conformance.Report) {
				r.Repeated = &conformance.ReplayOutcome{What: "bok-22", Was: conformance.Fail, Is: conformance.Fail}
			}, "it was fail",
		},
		"a MUST on the way": {
			0,
			[]conformance.Result{good, came("CAN-01", conformance.Must, rules.OpCancel, conformance.Fail)},
			conformance.Scoring{},
			func(r *conformance.Report) {
				r.Repeated = &conformance.ReplayOutcome{What: "BOK-01", Was: conformance.Fail, Is: conformance.Pass}
			}, "the fault is gone",
		},
		"neither": {
			4,
			[]conformance.Result{good},
			conformance.Scoring{},
			func(r *conformance.Report) {
				r.Repeated = &conformance.ReplayOutcome{What: "BOK-22", Was: conformance.Fail, Is: conformance.NotVerified}
			}, "neither reproduced",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := &conformance.Report{Suite: &dispatchside.Suite, Checks: row.results}
			report.Score(row.scoring, autumn)
			if row.then != nil {
				row.then(report)
			}
			requireRed(t, conformance.NewRunFile(report, "1.2.3"), row.exit, row.says)
		})
	}
}

// requireRed checks that a run has the exit code, and that JUnit and Markdown agree with it and say why.
func requireRed(t *testing.T, file *conformance.RunFile, exit int, says string) {
	t.Helper()
	require.Equal(t, exit, file.ExitCode())
	var suites struct {
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	junit := render(t, file, "junit.xml")
	require.NoError(t, xml.Unmarshal([]byte(junit), &suites))
	require.Equal(t, exit != 0, suites.Failures+suites.Errors > 0, junit)

	markdown := render(t, file, "report.md")
	require.Equal(t, exit != 0, strings.HasPrefix(markdown, "# ❌"), markdown)
	require.Contains(t, strings.ToLower(junit+markdown), strings.ToLower(says))
}

// TestFailedPreflightWritesFailedReports checks that a run whose preflight failed writes reports of a failure, so that
// none of an earlier run is taken for them.
func TestFailedPreflightWritesFailedReports(t *testing.T) {
	t.Parallel()
	u := &conformance.Unreachable{URL: "https://dispatch.example/taxi", Steps: []conformance.Step{
		{Name: "DNS", OK: true, Detail: "dispatch.example is 192.0.2.1"},
		{Name: "TCP", Detail: "connection refused", Cure: "start the server"},
	}}
	file := conformance.NewRunFile(u.Report(&dispatchside.Suite, autumn), "1.2.3")
	requireRed(t, file, conformance.ExitUnreachable, "nothing could be tested: TCP: connection refused; start the server")
	require.Contains(t, render(t, file, "report.json"), "connection refused")
	again, err := conformance.ReadRunFile(strings.NewReader(render(t, file, "run.json")), &dispatchside.Suite)
	require.NoError(t, err)
	require.Equal(t, conformance.ExitUnreachable, again.ExitCode())
	var out bytes.Buffer
	(&report.Terminal{W: &out}).Report(&again.Report)
	require.Contains(t, out.String(), "FAIL  TCP      connection refused")
}

// TestPageIsGreenOnlyIfEverythingIsMet checks that the page is green only for a whole run in which every
// MUST was tested and passed, and that the Markdown title agrees.
func TestPageIsGreenOnlyIfEverythingIsMet(t *testing.T) {
	t.Parallel()
	const pass, fail, none = conformance.Pass, conformance.Fail, conformance.NotVerified
	for _, row := range []struct {
		came          []conformance.Outcome
		part          func(*conformance.Report)
		colour, title string
	}{
		{[]conformance.Outcome{pass}, func(*conformance.Report) {}, "pass", "# ✅ Every MUST of the interface is met."},
		{[]conformance.Outcome{pass, none}, func(*conformance.Report) {}, "warn", "1 could not be tested"},
		{[]conformance.Outcome{pass, fail}, func(*conformance.Report) {}, "fail", "# ❌"},
		{[]conformance.Outcome{none}, func(*conformance.Report) {}, "fail", "# ❌"},
		{[]conformance.Outcome{pass}, func(r *conformance.Report) { r.Only = []string{"BOK-01"} }, "warn", "# ⚪ Only BOK-01: none of the chosen checks failed"},
		{[]conformance.Outcome{pass}, func(r *conformance.Report) { r.Only = []string{"BOK-01", "CAN-01"} }, "warn", "# ⚪ Only BOK-01, CAN-01: none of the chosen checks failed"},
		{[]conformance.Outcome{pass}, func(r *conformance.Report) { r.Traffic = true }, "warn", "# ⚪ Traffic of other clients: every MUST"},
		{[]conformance.Outcome{pass}, func(r *conformance.Report) {
			r.Repeated = &conformance.ReplayOutcome{What: "BOK-01", Was: conformance.Fail, Is: conformance.Pass}
		}, "warn", "# ⚪ One probe, repeated: BOK-01: the fault is gone."},
		{[]conformance.Outcome{pass}, func(r *conformance.Report) { r.Interrupted = true }, "warn", "# ❌ Stopped: 1 of 1"},
	} {
		report := &conformance.Report{Suite: &dispatchside.Suite}
		for _, outcome := range row.came {
			report.Checks = append(report.Checks, conformance.Result{ID: "BOK-01", Level: conformance.Must, Operation: rules.OpBook, Outcome: outcome})
		}
		row.part(report)
		report.Score(conformance.Scoring{}, autumn)
		file := conformance.NewRunFile(report, "")
		require.Contains(t, render(t, file, "report.md"), row.title)
		require.Equal(t, row.colour, colourOf(t, file), row.title)
	}
}

// TestOldRunIsReportedWithItsOwnChecks checks that the reports of an earlier run name checks that the suite no longer
// has, and quote those that were reworded since as that run had them.
func TestOldRunIsReportedWithItsOwnChecks(t *testing.T) {
	t.Parallel()
	text := render(t, short(), "run.json")
	text = strings.ReplaceAll(text, `"BOK-01"`, `"OLD-01"`)
	text = strings.ReplaceAll(text, "status: string: ENABLED, DISABLED, BLACKLISTED.", "status: as it was asked then")
	f, err := conformance.ReadRunFile(strings.NewReader(text), &dispatchside.Suite)
	require.NoError(t, err)
	var out bytes.Buffer
	(&report.Terminal{W: &out, Verbose: true, Catalogue: f.Catalogue}).Report(&f.Report)
	require.Regexp(t, `pass  OLD-01  must +book +\S+`, out.String())
	require.Contains(t, out.String(), "status: as it was asked then")
	for _, w := range written {
		require.NotEmpty(t, render(t, f, w.name))
	}
}
