package dispatchside_test

import (
	"fmt"
	"html"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

func outcomeOf(r *conformance.Report, id string) conformance.Outcome {
	for _, c := range r.Checks {
		if c.ID == id {
			return c.Outcome
		}
	}
	return ""
}

func TestBaselineExcusesFailuresUntilItsDate(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		known string
		exit  int
		stale string
	}{
		{`{"id":"CAN-01","owner":"ann","until":"2026-12-31"}`, conformance.ExitFail, ""}, // three others fail
		{`{"id":"CAN-01","owner":"ann","until":"2026-12-31"},{"id":"USR-06","operation":"user","owner":"ann","until":"2026-12-31"},
		  {"id":"enr-04","owner":"ann","until":"2026-12-31"},{"id":"ENR-09","owner":"ann","until":"2026-10-12"}`, conformance.ExitPass, ""},
		{`{"id":"CAN-01","owner":"ann","until":"2026-10-01"}`, conformance.ExitFail, "CAN-01 (owner ann): its last day was 2026-10-01"},
		{`{"id":"BOK-01","owner":"ann","until":"2026-12-31"}`, conformance.ExitFail, "BOK-01 (owner ann): it no longer fails"},
		{`{"id":"USR-12","owner":"ann","until":"2026-12-31"}`, conformance.ExitFail, ""}, // not verified: may still be broken
	} {
		baseline, err := conformance.ReadBaseline(strings.NewReader(`{"known":[`+row.known+`]}`), &dispatchside.Suite)
		require.NoError(t, err)
		file := short()
		file.Score(conformance.Scoring{Baseline: baseline}, autumn)
		require.Equal(t, row.exit, file.ExitCode(), row.known)
		require.Contains(t, strings.Join(file.Stale, "\n"), row.stale)
		require.Equal(t, row.stale == "", len(file.Stale) == 0)
	}
	for wrong, says := range map[string]string{
		`{"id":"CAN-99","owner":"ann","until":"2026-12-31"}`: `there is no check "CAN-99"`,
		`{"id":"CAN-01","until":"2026-12-31"}`:               "CAN-01 has no owner",
		`{"id":"CAN-01","owner":"ann"}`:                      "CAN-01 has no last day",
		`{"id":"CAN-01","owner":"ann","until":"soon"}`:       "not a baseline: ",
		`{"id":"CAN-01","ower":"ann"}`:                       `unknown field "ower"`,
	} {
		_, err := conformance.ReadBaseline(strings.NewReader(`{"known":[`+wrong+`]}`), &dispatchside.Suite)
		require.ErrorContains(t, err, says, wrong)
	}
}

// TestChecksAddedAfterFrozenSetAreUnscored checks that the failure of a check that the frozen set lacks does not count.
func TestChecksAddedAfterFrozenSetAreUnscored(t *testing.T) {
	t.Parallel()
	later := conformance.Result{ID: "NEW-01", Level: conformance.Must, Outcome: conformance.Fail}
	require.True(t, conformance.Scoring{}.Mark(&dispatchside.Suite, later, autumn).Unscored)
	report := &conformance.Report{Suite: &dispatchside.Suite, Checks: []conformance.Result{later, {ID: "BOK-01", Level: conformance.Must, Outcome: conformance.Pass}}}
	report.Score(conformance.Scoring{}, autumn)
	require.Equal(t, conformance.ExitPass, report.ExitCode(), "what came after the set does not count")
	require.Equal(t, 1, report.Summary.Unscored)
}

// TestTheSpecificationIsCovered checks that every clause of the specification has either checks or a reason
// for having none, and that every MUST check and every ambiguity belongs to a clause.
func TestTheSpecificationIsCovered(t *testing.T) {
	t.Parallel()
	cited := map[string]bool{}
	open := map[string]bool{}
	for _, c := range rules.Specification() {
		require.NotEqual(t, len(c.Checks) > 0, c.Excluded != "", c.Text)
		for _, id := range c.Checks {
			_, ok := dispatchside.Suite.Lookup(id)
			require.True(t, ok, "%s in %q", id, c.Text)
			cited[id] = true
		}
		open[c.Ambiguity] = true
	}
	for _, c := range rules.Catalogue() {
		if c.Level == conformance.Must {
			require.True(t, cited[c.ID], "%s (%s) is in no clause", c.ID, c.Requirement)
		}
	}
	ambiguities := rules.Ambiguities()
	require.Len(t, ambiguities, 16)
	for _, a := range ambiguities {
		require.True(t, open[a.ID], "%s is in no clause", a.ID)
		for _, id := range a.Checks {
			_, ok := dispatchside.Suite.Lookup(id)
			require.True(t, ok, "%s of %s", id, a.ID)
		}
	}
}

func TestDiffClassifiesTheChanges(t *testing.T) {
	t.Parallel()
	before, after := short(), short()
	require.Empty(t, conformance.Diff(before, after).Changes)
	set := func(f *conformance.RunFile, id string, o conformance.Outcome) {
		for i := range f.Checks {
			if f.Checks[i].ID == id {
				f.Checks[i].Outcome = o
			}
		}
	}
	set(before, "CAN-01", conformance.Pass)
	set(after, "ENR-04", conformance.Pass)
	set(after, "BOK-01", conformance.NotVerified)
	set(after, "USR-12", conformance.Pass)
	after.Checks = slices.DeleteFunc(after.Checks, func(r conformance.Result) bool { return r.ID == "CFG-01" })
	before.Checks = slices.DeleteFunc(before.Checks, func(r conformance.Result) bool { return r.ID == "CFG-13" })
	d := conformance.Diff(before, after)
	var kinds []string
	for _, c := range d.Changes {
		kinds = append(kinds, c.Kind+" "+c.ID)
	}
	require.Equal(t, []string{"broken CAN-01", "lost BOK-01", "gone CFG-01", "fixed ENR-04", "gained USR-12", "new CFG-13"}, kinds)
	require.True(t, d.Worse())

	dead, only := short(), short()
	set(dead, "ENR-04", conformance.NotVerified) // it failed before
	d = conformance.Diff(before, dead)
	require.Contains(t, fmt.Sprint(d.Changes), "lost    ENR-04")
	require.True(t, d.Worse(), "what is not tested is not fixed")
	only.Only = []string{"CAN-01"}
	set(only, "ENR-04", conformance.NotVerified)
	require.Equal(t, []string{"CAN-01"}, conformance.Diff(before, only).Of)
	require.NotContains(t, fmt.Sprint(conformance.Diff(before, only).Changes), "ENR-04", "nobody asked for it")
	only.Interrupted = true
	require.ErrorContains(t, conformance.Comparable(before, only), "stopped")
	require.NoError(t, conformance.Comparable(before, after))
	require.False(t, conformance.Diff(before, before).Worse())
	require.Equal(t, 12*time.Millisecond, d.Pace[0].After)
}

var aScript = regexp.MustCompile(`(?s)<pre>(BASE=.*?)</pre>`)

// TestTheCurlScriptRuns checks that a curl script of the page shows the failure again when it is run in a
// shell, although the server gives other ids.
func TestTheCurlScriptRuns(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool + " on this machine")
		}
	}
	faulty := dispatchsidetest.NewVendor(dispatchsidetest.Canceled)
	server := httptest.NewServer(faulty)
	t.Cleanup(server.Close)
	report, err := dispatchside.Run(t.Context(), dispatchside.Target{URL: server.URL, Now: time.Now, Seed: 7})
	require.NoError(t, err)
	page := render(t, conformance.NewRunFile(report, ""), "report.html")
	var script string
	for _, m := range aScript.FindAllStringSubmatch(page, -1) {
		if strings.Contains(m[1], "/cancel") && (script == "" || len(m[1]) < len(script)) {
			script = m[1]
		}
	}
	script = html.UnescapeString(script)
	require.NotEmpty(t, script)
	cmd := exec.CommandContext(t.Context(), "bash", "-eu", "-c", script)
	cmd.Env = os.Environ()
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", script, said)
	require.Contains(t, string(said), `"CANCELED"`, script)
}
