package dispatchside_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// hiddenCalls returns calls as a run file shows them.
func hiddenCalls(history ...conformance.Exchange) []*conformance.Exchange {
	return conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", history), "").Calls
}

func TestCredentialsAreHiddenAsWholeWords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, secret, said, shown string }{
		{"a value", "s3cret", `{"a":"s3cret"}`, `{"a":"credential-1"}`},
		{"in a text", "s3cret", `{"a":"you are (s3cret), are you?"}`, `{"a":"you are (credential-1), are you?"}`},
		{"written with escapes", "s3/cret", `{"a":"s3\/cret","b":"\u0073\u0033/cret"}`, `{"a":"credential-1","b":"credential-1"}`},
		{"in no JSON", "s3cret", `<p>s3cret.</p>`, `<p>credential-1.</p>`},
		{"percent-encoded", "s3cret", `{"a":"%73%33%63%72%65%74"}`, `{"a":"credential-1"}`},
		{"percent-encoded, in capitals", "jkl-mno", `{"a":"%6A%6B%6C%2D%6D%6E%6F"}`, `{"a":"credential-1"}`},
		{"as in an address", "s3/cret", `{"a":"/config?key=s3%2Fcret&b=1"}`, `{"a":"/config?key=credential-1&b=1"}`},
		{"in base64, behind a word", "s3cret", `{"a":"` + base64.StdEncoding.EncodeToString([]byte("Bearer s3cret")) + `"}`, `{"a":"QmVhcmVyIHcredential-1A=="}`},
		{"in base64 of addresses", "s3c?>~ret", `{"a":"` + base64.RawURLEncoding.EncodeToString([]byte("s3c?>~ret")) + `"}`, `{"a":"credential-1"}`},
		{"in hexadecimal", "s3cret", `{"a":"733363726574","b":"0x733363726574"}`, `{"a":"credential-1","b":"0xcredential-1"}`},
		{"part of a word", "tone", `{"a":"stone tones tone-deaf","b":"tone."}`, `{"a":"stone tones tone-deaf","b":"credential-1."}`},
		{"the name of a member", "custom", `{"custom":"custom","customId":1}`, `{"custom":"credential-1","customId":1}`},
		{"in a path", "taxico", `{"a":"/taxico/user https://taxico.example"}`, `{"a":"/taxico/user https://taxico.example"}`},
		{"twice in a row", "s3cret", `{"a":"s3cret s3cret"}`, `{"a":"credential-1 credential-1"}`},
		{"a word of the interface", "WAITING", `{"status":"WAITING","a":"user"}`, `{"status":"WAITING","a":"user"}`},
		{"a year", "2026", `{"a":"2026"}`, `{"a":"2026"}`},
	} {
		x := told(1, rules.OpConfig, 200, `{}`, row.said)
		x.Request.URL = "https://dispatch.example/taxi/config?key=" + url.QueryEscape(row.secret)
		x.Request.Header.Del("Authorization")
		require.Equal(t, row.shown, string(hiddenCalls(x)[0].Response.Body), row.name)
	}
}

func TestNumbersAreHiddenInAnyForm(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, said, shown string }{
		{"as JSON numbers", `{"driver":{"phoneNumber":447700900456},"a":447700900456}`, `{"driver":{"phoneNumber":999900001456},"a":999900001456}`},
		{"nine digits that are a JSON number", `{"phone":612345678}`, `{"phone":900001678}`},
		{"under other names", `{"phone_number":"447700900456","Phone":"447700900789"}`, `{"phone_number":"999900001456","Phone":"999900002789"}`},
		{"in a list", `{"phone":["447700900456",447700900789]}`, `{"phone":["999900001456",999900002789]}`},
		{"with escapes", `{"phoneNumber":"\u002b447700900456","a":"4477\u00300900456"}`, `{"phoneNumber":"+999900001456","a":"999900001456"}`},
		{"as dialled at home", `{"phoneNumber":"447700900456","a":"ring 07700900456"}`, `{"phoneNumber":"999900001456","a":"ring 07900001456"}`},
		{"as a userId", `{"phoneNumber":"447700900456","userId":"u447700900456"}`, `{"phoneNumber":"999900001456","userId":"u999900001456"}`},
	} {
		got := hiddenCalls(told(1, rules.OpStatus, 200, `{}`, row.said))[0].Response.Body
		require.True(t, json.Valid(got), row.name)
		require.ElementsMatch(t, strings.Split(row.shown, ","), strings.Split(string(got), ","), row.name)
	}
}

// TestDigitsInURLsAreHidden checks that digits in a URL are hidden as a telephone number if a body has that
// number, and as a credential otherwise.
func TestDigitsInURLsAreHidden(t *testing.T) {
	t.Parallel()
	for written, shown := range map[string]string{
		"447700900456": "999900001456", "%2B44+7700+900456": "%2B99+9900+001456", "07700900456": "09900001456",
		"48210937": "credential-1", "0001234": "credential-1", "1795500000": "credential-1",
	} {
		x := told(1, rules.OpUser, 200, `{"phoneNumber":"447700900456"}`, `{}`)
		x.Request.URL = "https://dispatch.example/taxi/user?x=" + written
		x.Request.Header.Del("Authorization")
		require.Equal(t, "https://dispatch.example/taxi/user?x="+shown, hiddenCalls(x)[0].Request.URL)
	}
}

// TestSecretsInTruncatedQuotesAreHidden checks that numbers and credentials are hidden in a quoted text that
// is cut in the middle of them.
func TestSecretsInTruncatedQuotesAreHidden(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("x ", 26)[1:]
	for said, shown := range map[string]string{
		"447700900456": "999900001…", "+44 7700 900456": "+99 9900 …", "s3cret-and-more": "credential-1…", "t0ken-t0ken": "credential-2…",
		"unknown-word": "unknown-w…",
	} {
		x := told(1, rules.OpConfig, 200, `{"phoneNumber":"+44 7700 900456"}`, `{"status":"`+filler+said+`"}`)
		x.Request.URL = "https://dispatch.example/taxi/config?key=s3cret-and-more"
		x.Request.Header.Set("Authorization", "Bearer t0ken-t0ken")
		report := journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", []conformance.Exchange{x})
		i := slices.IndexFunc(report.Checks, func(r conformance.Result) bool { return r.ID == "CFG-13" })
		require.Equal(t, `status "`+filler+shown+`"`, report.Checks[i].Findings[0].Message)
	}
}

// TestHeadersOfOtherClientsAreHidden checks that the headers of other clients' calls are hidden, except for
// those that do not identify the client.
func TestHeadersOfOtherClientsAreHidden(t *testing.T) {
	t.Parallel()
	x := told(1, rules.OpConfig, 200, `{}`, `{"status":"OK"}`)
	x.Request.Header = http.Header{
		"X-Auth": {"HDRSECRET"}, "X-Session-Id": {"SESSSECRET"}, "X-Caller": {"Ann"}, "X-Key": {"secret x"}, "Accept": {"*/*"},
		"Authorization": {"Bearer t0ken"}, "Cookie": {"a=c00kie; b=x"},
	}
	x.Response.Body = []byte(`{"status":"c00kie"}`)
	x.Response.Header = http.Header{"Location": {"/login?to=SESSSECRET"}, "Server": {"caf\xe9"}, "Set-Cookie": {"id=1"}}
	call := hiddenCalls(x)[0]
	require.Equal(t, `{"status":"credential-4"}`, string(call.Response.Body))
	require.Equal(t, http.Header{
		"X-Auth": {"credential-6"}, "X-Session-Id": {"credential-9"}, "X-Caller": {"hidden"}, "X-Key": {"credential-7"}, "Accept": {"*/*"},
		"Authorization": {"Bearer credential-2"}, "Cookie": {"credential-3"},
	}, call.Request.Header)
	require.Equal(t, http.Header{"Location": {"/login?to=credential-9"}, "Server": {"caf\uFFFD"}, "Set-Cookie": {"hidden"}}, call.Response.Header)
}

// TestInvalidUTF8SurvivesRunFileRoundTrip checks that a run file of a server that sends Latin-1 is the same,
// byte for byte, after it is read and written again: it may be signed.
func TestInvalidUTF8SurvivesRunFileRoundTrip(t *testing.T) {
	t.Parallel()
	x := told(1, rules.OpConfig, 200, `{}`, "{\"status\":\"caf\xe9\"}")
	x.Response.Header.Set("X-Content-Type-Options", "caf\xe9\xe9")
	lost := told(2, rules.OpConfig, 0, `{}`, "")
	lost.Response, lost.Err = nil, "malformed HTTP response \"\xe9\""
	file := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", []conformance.Exchange{x, lost}), "1.2.3")
	first := render(t, file, "run.json")
	again, err := conformance.ReadRunFile(strings.NewReader(first), &dispatchside.Suite)
	require.NoError(t, err)
	require.Equal(t, first, render(t, again, "run.json"), "a signature goes by the bytes")
}

// TestReportsContainNoSecrets checks that the credentials and numbers that a server repeats wherever
// it can are in no report, file or preflight step of a run.
func TestReportsContainNoSecrets(t *testing.T) {
	t.Parallel()
	const number = "447700900987"      // in no hint
	long := strings.Repeat("Abc0", 60) // longer than what is quoted of a reply
	for _, row := range []struct {
		name   string
		auth   taxi.Auth
		secret string
	}{
		{"bearer", header("Authorization", "Bearer t0ken-of-mine"), "t0ken-of-mine"},
		{"cut short", header("Authorization", "Bearer "+long), "Abc0Abc0"},
		{"of two words", header("X-Key", "s3cret fishing-rod"), "s3cret"},
		{"query", func(r *http.Request) { r.URL.RawQuery = "key=s3cret%2Fsauce" }, "s3cret"},
		{"basic", header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("demo:pa55word"))), "pa55word"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			v := dispatchsidetest.NewVendor(dispatchsidetest.None)
			parrot := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				said := fmt.Sprintf("%s %s %s pa55word", r.Header.Get("Authorization"), r.Header.Get("X-Key"), r.URL)
				switch r.URL.Path {
				case "/config":
					_ = json.NewEncoder(w).Encode(map[string]any{"status": said, "eta": said})
				case "/status":
					_ = json.NewEncoder(w).Encode(map[string]any{"journeyId": said, "status": said, "driver": map[string]any{"phoneNumber": json.Number(number)}})
				case "/cancel":
					http.Error(w, said, http.StatusTeapot)
				default:
					v.ServeHTTP(w, r)
				}
			})
			var heard strings.Builder
			target := dispatchside.Target{
				Seed: 3, Auth: row.auth, Only: []string{"CFG-01", "CFG-04", "STA-01", "ENR-09", "CAN-01", "BAD-01"},
				Preflight: func(s conformance.Step) { fmt.Fprintln(&heard, s) },
			}
			rep := check(t, parrot, target)
			require.NotEmpty(t, rep.Leftovers)
			require.NoError(t, rep.WriteJSON(&heard))
			(&report.Terminal{W: &heard}).Report(rep)
			file := conformance.NewRunFile(rep, "")
			for _, w := range written {
				heard.WriteString(render(t, file, w.name))
			}
			require.Contains(t, heard.String(), "credential-")
			require.NotContains(t, heard.String(), number)
			at := strings.Index(heard.String(), row.secret)
			require.Negative(t, at, "…%s", heard.String()[max(0, at-200):max(0, at)])
			shown := map[string]bool{}
			for _, n := range british.FindAllString(heard.String(), -1) {
				shown[n] = true
			}
			for _, x := range rep.Exchanges {
				var sent struct{ PhoneNumber string }
				_ = json.Unmarshal(x.Request.Body, &sent)
				require.False(t, shown[sent.PhoneNumber], sent.PhoneNumber)
			}
		})
	}
}

// british matches the numbers that the suite calls from.
var british = regexp.MustCompile(`44\d{10}`)

// header returns credentials that are a header.
func header(name, value string) taxi.Auth {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// TestPasswordThatIsAWordKeepsTheVerdicts checks that a run file leads to the same verdicts if the password is a
// word that occurs in URLs, names of members or statuses.
func TestPasswordThatIsAWordKeepsTheVerdicts(t *testing.T) {
	t.Parallel()
	for _, password := range []string{"user", "status", "WAITING", "taxi", "journey"} {
		auth := header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("demo:"+password)))
		report := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), dispatchside.Target{Seed: 3, Auth: auth, Only: []string{"USR-01", "BOK-01", "STA-01", "CAN-01"}})
		file := conformance.NewRunFile(report, "")
		for i, x := range file.Calls {
			require.Equal(t, report.Exchanges[i].Request.URL, x.Request.URL)
		}
		for _, r := range dispatchside.Suite.Verdicts(file.History()) {
			if was := conformance.WorstOf(report.Checks, r.ID, r.Operation); was.Outcome == conformance.Pass {
				require.Equal(t, was.Outcome, r.Outcome, "%s: %s %s", password, r.ID, r.Operation)
			}
		}
	}
}
