package dispatchside_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report/har"
)

// harOf returns a HAR file with some entries.
func harOf(entries ...string) string {
	return `{"log":{"version":"1.2","entries":[` + strings.Join(entries, ",") + `]}}`
}

// entry returns the HAR entry of a call; response is what the browser recorded of the answer.
func entry(method, url, response string) string {
	return fmt.Sprintf(`{"startedDateTime":"2026-10-01T12:00:00Z","time":12.5,
		"request":{"method":%q,"url":%q,"headers":[{"name":"content-type","value":"application/json"}],"bodySize":2,"postData":{"text":"{}"}},
		"response":{"status":200,"headers":[{"name":"content-type","value":"application/json"}],%s}}`, method, url, response)
}

const config = `"bodySize":15,"content":{"size":15,"text":"{\"status\":\"OK\"}"}`

func recorded(t *testing.T, text, base string) *har.Recording {
	t.Helper()
	recording, err := har.Read(&dispatchside.Suite, strings.NewReader(text), base)
	require.NoError(t, err)
	return recording
}

// ofConfig returns the verdict on a check for /config.
func ofConfig(history []conformance.Exchange, id string) conformance.Outcome {
	for _, r := range dispatchside.Suite.Verdicts(history) {
		if r.ID == id && r.Operation == rules.OpConfig {
			return r.Outcome
		}
	}
	return ""
}

// TestHARVariantsAreReadAlike checks that times, URLs, numbers and base64 that some programs write in other forms are
// read as the same traffic.
func TestHARVariantsAreReadAlike(t *testing.T) {
	t.Parallel()
	plain := entry("POST", "https://taxis.example/config", config)
	for name, other := range map[string]string{
		"an offset without a colon":   strings.Replace(plain, "12:00:00Z", "12:00:00.000+0000", 1),
		"capitals and the usual port": strings.Replace(plain, "https://taxis.example/", "HTTPS://Taxis.example:443/", 1),
		"numbers with a fraction":     strings.NewReplacer(`"status":200`, `"status":200.0`, `"size":15`, `"size":1.5e1`).Replace(plain),
		"numbers in quotes":           strings.NewReplacer(`"status":200`, `"status":"200"`).Replace(plain),
		"base64 that is none":         strings.Replace(plain, `"size":15,`, `"size":15,"encoding":"base64",`, 1),
	} {
		recording := recorded(t, harOf(plain, other), "")
		require.Empty(t, recording.Elsewhere, name)
		require.Len(t, recording.History, 2, name)
		require.Equal(t, recording.History[0].Started.UTC(), recording.History[1].Started.UTC(), name)
		require.Equal(t, recording.History[0].Response, recording.History[1].Response, name)
	}
}

// TestDamagedHARFilesAreRefused checks that the error about a damaged HAR file names the request that is wrong.
func TestDamagedHARFilesAreRefused(t *testing.T) {
	t.Parallel()
	plain := entry("POST", "https://taxis.example/config", config)
	for was, row := range map[string][2]string{
		`"status":200`: {`"status":-200`, "request 2 has the status -200: want 100 to 999"},
		`12:00:00Z`:    {`12:00:00`, `request 2: startedDateTime is "2026-10-01T12:00:00": want a time with its offset`},
		`"bodySize":2`: {`"bodySize":"NaN"`, "request 2: "},
	} {
		_, err := har.Read(&dispatchside.Suite, strings.NewReader(harOf(plain, strings.Replace(plain, was, row[0], 1))), "")
		require.ErrorContains(t, err, row[1])
	}
}

func TestBodiesMissingInAHARFileAreNotJudged(t *testing.T) {
	t.Parallel()
	const at = "https://taxis.example/config"
	for name, row := range map[string]struct {
		entry string
		want  conformance.Outcome // of "one JSON object"
	}{
		"whole":                 {entry("POST", at, config), conformance.Pass},
		"compressed on the way": {entry("POST", at, `"bodySize":9,"content":{"size":15,"text":"{\"status\":\"OK\"}"}`), conformance.Pass},
		"sizes unknown":         {entry("POST", at, `"bodySize":-1,"content":{"size":-1,"text":"{\"status\":\"OK\"}"}`), conformance.Pass},
		"in base64":             {entry("POST", at, `"bodySize":-1,"content":{"size":15,"encoding":"base64","text":"eyJzdGF0dXMiOiJPSyJ9"}`), conformance.Pass},
		"empty":                 {entry("POST", at, `"bodySize":0,"content":{"size":0}`), conformance.Fail},
		"no content":            {entry("POST", at, `"bodySize":-1,"content":{"size":120}`), conformance.NotVerified},
		"no content, its size":  {entry("POST", at, `"bodySize":120,"content":{"size":0}`), conformance.NotVerified},
		"cut":                   {entry("POST", at, `"bodySize":150,"content":{"size":150,"text":"{\"status\":\"O"}`), conformance.NotVerified},
		"cut, one size":         {entry("POST", at, `"bodySize":-1,"content":{"size":150,"text":"{\"status\":\"O"}`), conformance.NotVerified},
		"cut in base64":         {entry("POST", at, `"bodySize":-1,"content":{"size":150,"encoding":"base64","text":"eyJzdGF0dXMi"}`), conformance.NotVerified},
		"no base64":             {entry("POST", at, `"bodySize":-1,"content":{"size":15,"encoding":"base64","text":"{\"status\":"}`), conformance.NotVerified},
		"another encoding":      {entry("POST", at, `"bodySize":-1,"content":{"size":15,"encoding":"rot13","text":"{\"fgnghf\":\"BX\"}"}`), conformance.NotVerified},
		"request not recorded": {
			strings.Replace(entry("POST", at, config), `"bodySize":2,"postData":{"text":"{}"}`, `"bodySize":2`, 1), conformance.NotVerified,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			history := recorded(t, harOf(row.entry), "").History
			require.Equal(t, row.want, ofConfig(history, "W-01"))
			for id, outcome := range outcomes(history...) {
				require.True(t, outcome != conformance.Fail || row.want == conformance.Fail, id)
			}
		})
	}
}

func TestAHARFileIsJudgedForOneServer(t *testing.T) {
	t.Parallel()
	var calls []string
	for range 9 {
		calls = append(calls, entry("GET", "https://cdn.example/app/status", `"content":{"size":2,"text":"up"}`))
	}
	calls = append(
		calls,
		entry("POST", "https://other.example/v2/user", `"content":{"size":17,"text":"{\"userId\":\"none\"}"}`),
		entry("POST", "https://other.example/v2/user", `"content":{"size":17,"text":"{\"userId\":\"some\"}"}`),
		entry("POST", "https://taxis.example/v1/config", config),
		entry("POST", "https://taxis.example/v1/status", `"content":{"size":2,"text":"{}"}`),
		entry("GET", "https://taxis.example/logo.png", `"content":{"size":0}`),
	)
	r := recorded(t, harOf(calls...), "")
	require.Equal(t, "https://taxis.example/v1", r.Base, "two operations, though fewer calls")
	require.Len(t, r.History, 2)
	require.Equal(t, map[string]int{"https://cdn.example/app": 9, "https://other.example/v2": 2}, r.Elsewhere)

	r = recorded(t, harOf(calls...), "https://other.example/v2/")
	require.Equal(t, "https://other.example/v2", r.Base)
	require.Len(t, r.History, 2)
	require.Equal(t, 2, r.History[1].ID)

	_, err := har.Read(&dispatchside.Suite, strings.NewReader(harOf(calls...)), "https://taxis.example")
	require.ErrorContains(t, err, "no call was made to https://taxis.example, but to https://cdn.example/app, https://other.example/v2, https://taxis.example/v1")
	_, err = har.Read(&dispatchside.Suite, strings.NewReader(`{"log":{"entries":[{"request":{"url":"https://x.example/cart"}}]}}`), "")
	require.ErrorContains(t, err, "none of its 1 requests")
}

func TestCompressionIsJudgedIfHeadersAreKnown(t *testing.T) {
	t.Parallel()
	zipped := strings.Replace(entry("POST", "https://taxis.example/config", config), `"status":200,"headers":[`,
		`"status":200,"headers":[{"name":"content-encoding","value":"gzip"},`, 1)
	asked := strings.Replace(zipped, `"headers":[`, `"headers":[{"name":"accept-encoding","value":"gzip, br"},`, 1)
	unknown := strings.Replace(zipped, `{"name":"content-type","value":"application/json"}`, ``, 1)
	require.Equal(t, conformance.Fail, ofConfig(recorded(t, harOf(zipped), "").History, "W-11"))
	require.Equal(t, conformance.Pass, ofConfig(recorded(t, harOf(asked), "").History, "W-11"))
	require.Equal(t, conformance.Pass, ofConfig(recorded(t, harOf(unknown), "").History, "W-11"))
}

// TestStoredRunGetsTheSameVerdicts checks that a run of the reference with all aids gets the same
// verdicts from its calls, its HAR file and, except for the BAD checks, its run file, and that its calls fail
// no check when they are judged as those of another client.
func TestStoredRunGetsTheSameVerdicts(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	rep := check(t, ref, ref.target(7))
	file := conformance.NewRunFile(rep, "")
	var text bytes.Buffer
	require.NoError(t, har.Write(&text, file))
	r := recorded(t, text.String(), "")
	require.Len(t, r.History, len(rep.Exchanges))
	var history []conformance.Exchange
	binary := 0
	for i, x := range rep.Exchanges {
		history = append(history, *x)
		if !utf8.Valid(x.Request.Body) && len(x.Request.Body) < 1000 {
			binary++
			require.False(t, utf8.Valid(r.History[i].Request.Body), "call %d", x.ID)
		}
	}
	require.Positive(t, binary)
	kept, recorded := dispatchside.Suite.Verdicts(file.History()), journal.ReportOn(&dispatchside.Suite, r.Base, r.History).Checks
	for i, c := range dispatchside.Suite.Verdicts(history) {
		was := rep.Checks[i].Outcome
		require.Equal(t, was, c.Outcome, "%s %s %+v", c.ID, c.Operation, c.Findings)
		require.Equal(t, was, recorded[i].Outcome, "%s %s of the HAR file: %+v", c.ID, c.Operation, recorded[i].Findings)
		if !strings.HasPrefix(c.ID, "BAD-") { // what is long is cut in a run file
			require.Equal(t, was, kept[i].Outcome, "%s %s of the run file: %+v", c.ID, c.Operation, kept[i].Findings)
		}
	}
	for i := range history {
		history[i].Probe, history[i].Intent, history[i].Sound = "", "", false
	}
	for _, c := range dispatchside.Suite.Verdicts(history) {
		require.NotEqual(t, conformance.Fail, c.Outcome, "%s %s: %+v", c.ID, c.Operation, c.Findings)
	}
}
