package conformance_test

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
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
		"call":  func(w io.Writer, f *conformance.RunFile) error { return report.WriteCall(w, f, 1) },
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

// TestFormatsWorkForAnySuite checks that every format shows runs of the telephone suite in the words of that
// suite, with its secrets hidden.
func TestFormatsWorkForAnySuite(t *testing.T) {
	t.Parallel()
	deaf, left := tested(t, without("heard")(newExchange())), formats(t, tested(t, stubborn(newExchange())))
	deaf.Score(conformance.Scoring{Requirements: conformance.RequirementsLatest}, autumn)
	all := formats(t, deaf)
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

// TestRunFileIsReadWithAndWithoutItsSuite checks that a run file can be read with its suite and without, that its formats and
// verdicts are then the same, and that references to missing calls or operations are refused. HAR lacks what
// was observed, so that TEL-03 is not verified from it.
func TestRunFileIsReadWithAndWithoutItsSuite(t *testing.T) {
	t.Parallel()
	run := tested(t, without("heard")(newExchange()))
	all := formats(t, run)
	again, err := conformance.ReadRunFile(strings.NewReader(all["run file"]), newTelephone())
	require.NoError(t, err)
	require.Equal(t, all, formats(t, again), "every format can be made later")
	require.Equal(t, outcomes(run.Checks), outcomes(again.Suite.Verdicts(again.History(), again.Observations...)))

	calls, err := again.CallsToRepeat("tel-02@delete /account/{id}/calls/{CALL}")
	require.NoError(t, err)
	require.Equal(t, opHangUp, calls[len(calls)-1].Operation, "the case of a name does not matter")
	calls, err = again.CallsToRepeat("3")
	require.NoError(t, err)
	require.Equal(t, 3, calls[len(calls)-1].ID)
	_, err = again.CallsToRepeat("TEL-09")
	require.ErrorContains(t, err, `no verdict "TEL-09"`)

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

// FuzzReadBaseline checks that ReadBaseline returns either a baseline or an error.
func FuzzReadBaseline(f *testing.F) {
	f.Add(`{"format":"cabrank-baseline/1","known":[{"id":"CAL-01","reason":"r","owner":"o","until":"2026-12-01T00:00:00Z"}]}`)
	f.Add(`{}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := conformance.ReadBaseline(strings.NewReader(text), newTelephone())
		require.Equal(t, err == nil, b != nil)
	})
}

// FuzzUnpack checks that Unpack returns at most one byte more than the limit, however much a compressed body expands.
func FuzzUnpack(f *testing.F) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(make([]byte, 5000))
	require.NoError(f, err)
	require.NoError(f, z.Close())
	f.Add("gzip", packed.Bytes())
	f.Add("deflate", []byte{0x4b, 0x04, 0x00})
	f.Add("identity", []byte("{}"))
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		const most = 1000
		plain, err := conformance.Unpack(encoding, body, most)
		if err == nil && !bytes.Equal(plain, body) {
			require.LessOrEqual(t, len(plain), most+1)
		}
	})
}
