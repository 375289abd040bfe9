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

// harOf returns a HAR file of calls that somebody's browser made, each given by its
// address and what follows its method.
func harOf(entries ...string) string {
	return `{"log":{"version":"1.2","entries":[` + strings.Join(entries, ",") + `]}}`
}

// entry is a call of which a browser recorded so much of the answer.
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

// TestFormsOfHARFiles: what some programs write in other ways is the same traffic.
func TestFormsOfHARFiles(t *testing.T) {
	t.Parallel()
	plain := entry("POST", "https://taxis.example/config", config)
	for name, other := range map[string]string{
		"an offset without a colon":   strings.Replace(plain, "12:00:00Z", "12:00:00.000+0000", 1),
		"capitals and the usual port": strings.Replace(plain, "https://taxis.example/", "HTTPS://Taxis.example:443/", 1),
		"base64 that is none":         strings.Replace(plain, `"size":15,`, `"size":15,"encoding":"base64",`, 1),
	} {
		recording := recorded(t, harOf(plain, other), "")
		require.Empty(t, recording.Elsewhere, name)
		require.Len(t, recording.History, 2, name)
		require.Equal(t, recording.History[0].Started.UTC(), recording.History[1].Started.UTC(), name)
		require.Equal(t, recording.History[0].Response, recording.History[1].Response, name)
	}
}

func TestWhatAHARFileDoesNotHoldIsNotJudged(t *testing.T) {
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
}

func TestCompressionIsJudgedWhenItIsKnownWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	zipped := strings.Replace(entry("POST", "https://taxis.example/config", config), `"status":200,"headers":[`,
		`"status":200,"headers":[{"name":"content-encoding","value":"gzip"},`, 1)
	asked := strings.Replace(zipped, `"headers":[`, `"headers":[{"name":"accept-encoding","value":"gzip, br"},`, 1)
	unknown := strings.Replace(zipped, `{"name":"content-type","value":"application/json"}`, ``, 1)
	require.Equal(t, conformance.Fail, ofConfig(recorded(t, harOf(zipped), "").History, "W-11"))
	require.Equal(t, conformance.Pass, ofConfig(recorded(t, harOf(asked), "").History, "W-11"))
	require.Equal(t, conformance.Pass, ofConfig(recorded(t, harOf(unknown), "").History, "W-11"))
}

// TestARunIsJudgedTheSameFromItsHARFile has the reference judged with all hooks,
// and the HAR file of that run again.
func TestARunIsJudgedTheSameFromItsHARFile(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	ref, err := newReference(t.Context())
	require.NoError(t, err)
	rep := check(t, ref, ref.target(7))
	var text bytes.Buffer
	require.NoError(t, har.Write(&text, conformance.NewRunFile(rep, "")))
	r := recorded(t, text.String(), "")
	require.Len(t, r.History, len(rep.Exchanges))
	binary := 0
	for i, x := range rep.Exchanges {
		if !utf8.Valid(x.Request.Body) && len(x.Request.Body) < 1000 {
			binary++
			require.False(t, utf8.Valid(r.History[i].Request.Body), "call %d", x.ID)
		}
	}
	require.Positive(t, binary)
	for i, c := range journal.ReportOn(&dispatchside.Suite, r.Base, r.History).Checks {
		require.Equal(t, rep.Checks[i].Outcome, c.Outcome, "%s %s %+v", c.ID, c.Operation, c.Findings)
	}
}

// TestHalfACallMayHaveChangedSomething looks for a journey after a cancellation of
// which the answer is not known.
func TestHalfACallMayHaveChangedSomething(t *testing.T) {
	t.Parallel()
	look := heard(3, 2_000, rules.OpUser, `{"phoneNumber":"442079460001"}`,
		`{"userId":"u1","phoneNumber":"442079460001","name":"Ann","activeBookings":[]}`)
	cancel := heard(2, 1_000, rules.OpCancel, `{"userId":"u1","journeyId":"j1"}`, `{"jour`)
	require.Equal(t, conformance.Fail, outcomes(oneDropoff(), look)["USR-10"])
	require.Equal(t, conformance.Fail, outcomes(cancel)["W-01"])
	cancel.RecordedPartly()
	all := outcomes(oneDropoff(), cancel, look)
	require.NotEqual(t, conformance.Fail, all["USR-10"])
	require.NotEqual(t, conformance.Fail, all["W-01"], "not judged itself")
}
