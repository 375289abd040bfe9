package conformance_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/report/har"
)

// formats writes a run in every format.
func formats(t *testing.T, run *conformance.RunFile) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, write := range map[string]func(io.Writer, *conformance.RunFile) error{
		"run file": func(w io.Writer, f *conformance.RunFile) error { return f.Write(w) },
		"JSON":     func(w io.Writer, f *conformance.RunFile) error { return f.WriteJSON(w) },
		"terminal": func(w io.Writer, f *conformance.RunFile) error { //nolint:unparam // the type of a writer
			(&report.Terminal{W: w}).Report(&f.Report)
			return nil
		},
		"JUnit": report.WriteJUnit, "Markdown": report.WriteMarkdown,
		"HAR": har.Write, "HTML": report.WriteHTML,
		"call":  func(w io.Writer, f *conformance.RunFile) error { return report.WriteCall(w, f, 2) },
		"story": func(w io.Writer, f *conformance.RunFile) error { return report.WriteStory(w, f, "TEL-01") },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b, run), name)
		all[name] = b.String()
	}
	return all
}

// address matches the ports that a test happened to get.
var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// TestEveryFormatIsOfAnySuite writes runs of the telephone suite in every format.
func TestEveryFormatIsOfAnySuite(t *testing.T) {
	t.Parallel()
	deafRun, stubbornRun := tested(t, deaf(newExchange())), tested(t, stubborn(newExchange()))
	deafRun.Score(conformance.Scoring{Requirements: conformance.RequirementsLatest}, autumn)
	all, left := formats(t, deafRun), formats(t, stubbornRun)
	for name, want := range map[string][]string{
		"terminal": {"FAIL  TEL-03  must       line     the greeting was not heard", `observed  1: whoever was called heard ""`, "the subscriber reaches somebody"},
		"run file": {`"suite": "telephone"`, `"direction": "received"`, `"operation": "POST /account/{id}/calls"`, `whoever was called heard \"\"`},
		"JSON":     {`"id": "TEL-03"`, `"operation": "line"`, `"observations": [`},
		"JUnit":    {`<testsuite name="POST /account/{id}/calls"`, `<testsuite name="line" tests="1" failures="1"`, "observed: 1: whoever was called heard"},
		"Markdown": {"# ❌ ", "| TEL-03 must line | the greeting was not heard, want good morning |", "| the subscriber | |"},
		"HAR":      {`"method": "DELETE"`, `"direction": "received"`, "a call; TEL-01 pass"},
		"HTML":     {"Telephone exchange · conformance", "The subscriber …", ">Calls</a>", "What the subscriber says", "Put me through.", "whoever was called heard", "In which voice?", "lines</a>"},
		"call":     {"POST http://127.0.0.1:0/account/7/calls", "HTTP/1.1 200", `curl -sS "${AUTH[@]}" -X POST "$BASE"'/account/7/calls'`},
		"story":    {"POST /account/7/calls", "→ 200 {"},
	} {
		text := address.ReplaceAllString(all[name], "127.0.0.1:0")
		for _, part := range want {
			require.True(t, strings.Contains(text, part), "%s: %s\n%s", name, part, text[:min(len(text), 6000)]) //nolint:testifylint // pages are too long to print twice
		}
		for _, hidden := range []string{"496 0123", "4960123", "s3cret"} {
			require.False(t, strings.Contains(text, hidden), "%s: %s", name, hidden) //nolint:testifylint // the same
		}
		for _, other := range []string{"journey ", "passenger", "taxi", "caller"} {
			require.False(t, strings.Contains(text, other), "%s: %s", name, other) //nolint:testifylint // the same
		}
	}
	require.NoError(t, xml.Unmarshal([]byte(all["JUnit"]), new(struct{})))
	require.Contains(t, left["terminal"], "left over: call 1 of user 7, call 2 of user 7: it was answered HTTP 503 not now")
	require.Contains(t, left["Markdown"], "- left over: call `1` and 1 more: it was answered HTTP 503 not now")
	require.True(t, strings.Contains(left["HTML"], "call <code>1</code> of user <code>7</code>"))                                                                                   //nolint:testifylint // the page is too long to print
	require.True(t, strings.Contains(left["HTML"], `curl -sS &#34;${AUTH[@]}&#34; -X DELETE &#34;$BASE&#34;&#39;/account/7/calls/`), "the calls that show TEL-02 are DELETE calls") //nolint:testifylint // the same
}

// TestARunIsReadAgain reads a run file with its suite and without, judges the run anew
// from it and from HAR, and refuses what points nowhere.
func TestARunIsReadAgain(t *testing.T) {
	t.Parallel()
	run := tested(t, deaf(newExchange()))
	all := formats(t, run)
	again, err := conformance.ReadRunFile(strings.NewReader(all["run file"]), newTelephone())
	require.NoError(t, err)
	require.Equal(t, all, formats(t, again), "every format can be made later")
	require.Equal(t, outcomes(run.Checks), outcomes(again.Suite.Verdicts(again.History(), again.Observations...)))

	stranger, err := conformance.ReadRunFile(strings.NewReader(all["run file"]), &conformance.Suite{Name: "another"})
	require.NoError(t, err, "it carries its own catalogue")
	require.Len(t, stranger.Suite.Checks, 3)
	formats(t, stranger)

	for _, row := range [][2]string{
		{`"observations": [
            1`, `"observations": [
            9`},
		{`"direction": "received"`, `"direction": "sideways"`},
		{`"operation": "line"`, `"operation": "circle"`},
		{`"id": 2,
      "operation"`, `"id": 1,
      "operation"`},
	} {
		wrong := strings.Replace(all["run file"], row[0], row[1], 1)
		require.NotEqual(t, all["run file"], wrong)
		_, err := conformance.ReadRunFile(strings.NewReader(wrong), newTelephone())
		require.Error(t, err, row[1])
	}

	recording, err := har.Read(newTelephone(), strings.NewReader(all["HAR"]), run.Target)
	require.NoError(t, err)
	require.Equal(t, "TEL-01 pass, TEL-02 pass, TEL-03 not-verified", outcomes(journal.ReportOn(newTelephone(), recording.Base, recording.History).Checks))
}

func TestARunIsComparedWithAnother(t *testing.T) {
	t.Parallel()
	right, wrong := tested(t, newExchange()), tested(t, stubborn(newExchange()))
	d := conformance.Diff(right, wrong)
	require.True(t, d.Worse())
	require.Len(t, d.Changes, 1)
	require.Equal(t, "broken  TEL-02  should     DELETE /account/{id}/calls/{call} pass → fail  the reply is HTTP 503 not now", d.Changes[0].String())
	require.False(t, conformance.Diff(wrong, right).Worse())
	require.Len(t, d.Pace, 3)
}

// TestARunIsRepeated makes calls again, with the ids that the service gives now, for a
// verdict that is named with its operation in any case.
func TestARunIsRepeated(t *testing.T) {
	t.Parallel()
	failed := tested(t, stubborn(newExchange()))
	for _, row := range []struct {
		handler http.Handler
		what    string
		says    string
		code    int
	}{
		{stubborn(newExchange()), "TEL-02", "TEL-02: the fault was reproduced", conformance.ExitFail},
		{newExchange(), "tel-02@delete /account/{id}/calls/{CALL}", "tel-02@delete /account/{id}/calls/{CALL}: the fault is gone", conformance.ExitPass},
		{newExchange(), "3", "the calls up to 3 were repeated; their worst result is: pass", conformance.ExitPass},
	} {
		server := httptest.NewServer(row.handler)
		t.Cleanup(server.Close)
		rep, err := repeat(t.Context(), server.URL, failed, row.what)
		require.NoError(t, err)
		require.Equal(t, row.says, rep.Verdict())
		require.Equal(t, row.code, rep.ExitCode())
	}
	_, err := repeat(t.Context(), "http://127.0.0.1:1", failed, "TEL-09")
	require.ErrorContains(t, err, `no verdict "TEL-09"`)
}
