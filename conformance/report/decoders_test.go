package report_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/report/har"
)

// These targets stand here and not beside the suite whose files they read: a fuzzer
// counts what is run in all that a test links, and the suite's tests link a whole
// dispatch system with its database. They are given what to change in a file, and not
// the file: whatever of some hundred bytes finds something new is shortened for a minute
// before the next is tried.

// patched replaces up to two pieces of a text.
func patched(text string, at uint16, cut uint8, put string, at2 uint16, cut2 uint8, put2 string) string {
	one := replaced(text, int(at), int(cut), put)
	return replaced(one, int(at2), int(cut2), put2)
}

func replaced(text string, at, cut int, put string) string {
	at %= len(text) + 1
	return text[:at] + put + text[min(len(text), at+cut):]
}

// change adds the seed that replaces was with is in text.
func change(f *testing.F, text, was, is string) {
	f.Helper()
	at := strings.Index(text, was)
	require.GreaterOrEqual(f, at, 0, was)
	f.Add(uint16(at), uint8(len(was)), is, uint16(len(text)), uint8(0), "")
}

// smallest is a run file of one call.
const smallest = `{"format":"cabrank-run/1","suite":{"name":"cabrank"},"target":"http://one","started":"2026-10-12T10:00:00Z",` +
	`"checks":[{"id":"CFG-01","level":"must","operation":"config","outcome":"pass","findings":[],"evidence":1,"shownBy":[1]}],` +
	`"failOn":"must","catalogue":[{"id":"CFG-01","level":"must","operations":["config"]}],"preflight":[{"name":"TCP"}],` +
	`"exchanges":[{"id":1,"operation":"config","request":{"method":"POST","url":"http://one/config","body":"{}"},` +
	`"response":{"status":200,"body":"{\"status\":\"OK\"}"},"started":"2026-10-12T10:00:00Z","tookNanos":5}]}`

// FuzzReadRunFile checks that no format panics on whatever is read as a run file.
func FuzzReadRunFile(f *testing.F) {
	change(f, smallest, "", "")
	change(f, smallest, `"2026-`, `"9999-`)
	change(f, smallest, `"shownBy":[1]`, `"shownBy":[2]`)
	change(f, smallest, `"body":"{}"`, `"body":{"base64":"/w=="},"cut":7`)
	f.Fuzz(func(t *testing.T, at uint16, cut uint8, put string, at2 uint16, cut2 uint8, put2 string) {
		writeAll(t, patched(smallest, at, cut, put, at2, cut2, put2))
	})
}

// writeAll writes every format of a run file, if it is one.
func writeAll(t *testing.T, text string) {
	t.Helper()
	run, err := conformance.ReadRunFile(strings.NewReader(text), &dispatchside.Suite)
	if err != nil {
		return
	}
	var b bytes.Buffer
	for _, write := range []func() error{
		func() error { return run.Write(&b) },
		func() error { return run.WriteJSON(&b) },
		func() error { return report.WriteJUnit(&b, run) },
		func() error { return report.WriteMarkdown(&b, run) },
		func() error { return har.Write(&b, run) },
		func() error { return report.WriteHTML(&b, run) },
	} {
		b.Reset()
		_ = write() // dates far in the future cannot be written as JSON
	}
	(&report.Terminal{W: new(bytes.Buffer), Catalogue: run.Catalogue}).Report(&run.Report)
	for _, x := range run.Calls {
		require.NoError(t, report.WriteCall(new(bytes.Buffer), run, x.ID))
	}
	for _, r := range run.Checks {
		_ = report.WriteStory(new(bytes.Buffer), run, r.ID) // not every verdict is shown by a call
	}
}

// smallHAR is a recording of two calls: one that is right, and one that is not.
const smallHAR = `{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-10-01T12:00:00Z","time":12.5,` +
	`"request":{"method":"POST","url":"https://taxis.example/config","headers":[{"name":"content-type","value":"application/json"}],"bodySize":2,"postData":{"text":"{}"}},` +
	`"response":{"status":200,"headers":[{"name":"content-type","value":"application/json"}],"bodySize":15,"content":{"size":15,"text":"{\"status\":\"OK\"}"}}},` +
	`{"startedDateTime":"2026-10-01T12:00:01Z","time":12.5,"_cabrank":{"probe":"walk 1","intent":"race","sound":true,"credentials":"wrong"},` +
	`"request":{"method":"POST","url":"https://taxis.example/config","headers":[],"bodySize":2,"postData":{"text":"{}"}},` +
	`"response":{"status":200,"headers":[],"bodySize":4,"content":{"size":4,"encoding":"base64","text":"e30vLw=="}}}]}}`

// FuzzReadHAR checks that whatever is read as a HAR file can be judged and written again.
func FuzzReadHAR(f *testing.F) {
	change(f, smallHAR, "", "")
	change(f, smallHAR, "2026-", "9999-")
	change(f, smallHAR, `"bodySize":2`, `"bodySize":-1`)
	f.Fuzz(func(t *testing.T, at uint16, cut uint8, put string, at2 uint16, cut2 uint8, put2 string) {
		text := patched(smallHAR, at, cut, put, at2, cut2, put2)
		r, err := har.Read(&dispatchside.Suite, strings.NewReader(text), "")
		if err != nil {
			return
		}
		require.NotEmpty(t, r.History)
		var again bytes.Buffer
		file := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, r.Base, r.History), "")
		require.NoError(t, har.Write(&again, file))
		require.True(t, json.Valid(again.Bytes()))
	})
}

// TestShortReportListsUntestedChecks checks that the terminal lists checks that were not tested in one line,
// and only the first eight of many.
func TestShortReportListsUntestedChecks(t *testing.T) {
	for n, names := range map[int]string{0: "", 4: "C-0, C-3, C-6, C-9", 9: "C-0, C-3, C-6, C-9, C-12, C-15, C-18, C-21 and 1 more"} {
		late := conformance.Because(conformance.OutOfTime, "the time was over")
		full := conformance.Because(conformance.MostMade, "the run has made its most")
		unseen := conformance.Because(conformance.NotSeen, "no such call")
		r := &conformance.Report{Suite: &conformance.Suite{}, Preflight: []conformance.Step{{Name: "reach", OK: true}}}
		add := func(level conformance.Level, why conformance.Reason) {
			r.Checks = append(r.Checks, conformance.Result{
				ID: "C-" + strconv.Itoa(len(r.Checks)), Level: level, Outcome: conformance.NotVerified,
				Findings: []conformance.Finding{{Reason: &why, Message: why.String()}},
			})
		}
		for i := range n {
			if i < 3 {
				add(conformance.Should, full)
			} else {
				add(conformance.Should, late)
			}
			add(conformance.Should, unseen)
			add(conformance.Must, late)
		}
		var out bytes.Buffer
		(&report.Terminal{W: &out}).Report(r)
		require.Equal(t, n > 0, bytes.Contains(out.Bytes(), []byte("not tested  "+names)), out.String())
		require.Equal(t, n > 6, bytes.Contains(out.Bytes(), []byte(names+": the time was over\n")), "the most frequent reason")
	}
}
