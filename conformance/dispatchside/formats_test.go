package dispatchside_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/report/har"
)

// told returns a call of a recorded history, a second after the one before.
func told(id int, op conformance.Operation, status int, sent, reply string) conformance.Exchange {
	return conformance.Exchange{
		ID: id, Operation: op, Started: autumn.Add(time.Duration(id) * time.Second), Took: 12 * time.Millisecond,
		Request: conformance.Request{
			Method: http.MethodPost, URL: "https://dispatch.example/taxi/" + string(op) + "?key=s3cret", Body: []byte(sent),
			Header: http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer t0ken"}},
		},
		Response: &conformance.Response{
			Status: status, Proto: "HTTP/1.1", Body: []byte(reply), Header: http.Header{"Content-Type": {"application/json"}},
		},
	}
}

const (
	aPlace  = `{"address":"1 Station Row <b>","location":{"longitude":-1.5,"latitude":53.8}}`
	anOrder = `{"name":"Ann","phoneNumber":"+44 113 496 0123","pickup":` + aPlace + `,"dropoffs":[` + aPlace + `],"pickupTime":"2026-10-19T10:00:00Z"}`
)

// traffic returns the calls of one customer in which some things are wrong: a status in lower case, a
// cancellation that is none, a reply that broke off.
func traffic() []conformance.Exchange {
	cut := told(6, rules.OpStatus, 0, `{"userId":"u1","journeyId":"j1"}`, "")
	cut.Response, cut.Err = nil, "connection reset"
	return []conformance.Exchange{
		told(1, rules.OpConfig, 200, `{}`, `{"status":"OK","eta":{"value":4,"unit":"minutes"}}`),
		told(2, rules.OpUser, 200, `{"phoneNumber":"441134960123"}`, `{"userId":"u1","phoneNumber":"+441134960123","name":"Ann","status":"enabled"}`),
		told(3, rules.OpBook, 200, anOrder, `{"journeyId":"j1","status":"WAITING","price":{"value":"12","currency":"GBP"}}`),
		told(4, rules.OpStatus, 200, `{"userId":"u1","journeyId":"j1"}`, `{"journeyId":"j1","status":"ARRIVED","driver":{"name":"Percy","phoneNumber":"+447700900456"}}`),
		told(5, rules.OpCancel, 200, `{"userId":"u1","journeyId":"j1"}`, `{"journeyId":"j1","status":"CANCELED"}`),
		cut,
	}
}

// pages are the checks that golden files tell of; the others change with the
// catalogue.
var pages = []string{"CFG-01", "USR-01", "USR-06", "USR-12", "BOK-01", "CAN-01", "ENR-04", "ENR-09", "CFG-13"}

// short returns a run file of that traffic, with a few checks.
func short() *conformance.RunFile {
	report := journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", traffic())
	report.Checks = slices.DeleteFunc(report.Checks, func(r conformance.Result) bool { return !slices.Contains(pages, r.ID) })
	report.Explain()       // what is left of them
	report.Traffic = false // it stands for a run of our own
	report.Score(conformance.Scoring{}, autumn)
	file := conformance.NewRunFile(report, "1.2.3")
	file.Catalogue = slices.DeleteFunc(file.Catalogue, func(c conformance.Check) bool { return !slices.Contains(pages, c.ID) })
	file.Judge.SHA256 = "of the catalogue"
	return file
}

type format struct {
	name  string
	write func(*conformance.RunFile, *bytes.Buffer) error
}

var written = []format{
	{"run.json", func(f *conformance.RunFile, b *bytes.Buffer) error { return f.Write(b) }},
	{"report.json", func(f *conformance.RunFile, b *bytes.Buffer) error { return f.WriteJSON(b) }},
	{"junit.xml", func(f *conformance.RunFile, b *bytes.Buffer) error { return report.WriteJUnit(b, f) }},
	{"report.md", func(f *conformance.RunFile, b *bytes.Buffer) error { return report.WriteMarkdown(b, f) }},
	{"traffic.har", func(f *conformance.RunFile, b *bytes.Buffer) error { return har.Write(b, f) }},
	{"report.html", func(f *conformance.RunFile, b *bytes.Buffer) error { return report.WriteHTML(b, f) }},
}

func render(t *testing.T, f *conformance.RunFile, name string) string {
	t.Helper()
	for _, w := range written {
		if w.name == name {
			var b bytes.Buffer
			require.NoError(t, w.write(f, &b))
			return b.String()
		}
	}
	t.Fatalf("no format %s", name)
	return ""
}

// dressing is what a page looks like, and what its buttons do.
var dressing = regexp.MustCompile(`(?s)<(style|script)>.*?</(?:style|script)>`)

func TestFormatsMatchTheGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, w := range written {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			got := render(t, short(), w.name)
			for _, hidden := range []string{"4960123", "496 0123", "7700900456", "s3cret", "t0ken"} {
				require.False(t, strings.Contains(got, hidden), hidden) //nolint:testifylint // it is too long to print
			}
			if w.name == "report.html" {
				got = dressing.ReplaceAllString(got, "<$1>…</$1>")
			}
			golden.Equal(t, filepath.Join("testdata", "formats", w.name), got)
		})
	}
}

func TestRunFileReproducesEveryFormat(t *testing.T) {
	t.Parallel()
	first := render(t, short(), "run.json")
	again, err := conformance.ReadRunFile(strings.NewReader(first), &dispatchside.Suite)
	require.NoError(t, err)
	require.Equal(t, first, render(t, again, "run.json"))
	for _, w := range written {
		require.Equal(t, render(t, short(), w.name), render(t, again, w.name), "%s made later", w.name)
	}
	for _, broken := range []string{`{`, `{"format":"other/1"}`, strings.Replace(first, `"id": 2,`, `"id": 22,`, 1)} {
		_, err := conformance.ReadRunFile(strings.NewReader(broken), &dispatchside.Suite)
		require.ErrorContains(t, err, "run file")
	}
}

func TestTelephoneNumbersBecomePseudonyms(t *testing.T) {
	t.Parallel()
	var history []conformance.Exchange
	for i, body := range []string{
		`{"phoneNumber":"441134960123"}`, `{"phoneNumber":"+441134960123"}`, `{"phoneNumber":"0044 113 496 0123"}`,
		`{"phoneNumber":"01134960123"}`, `{"phoneNumber":"441134960999"}`, `{"phonenumber":"441134960123", broken`,
		`{"address":"ring 441134960123"}`, `{"phoneNumber":441134960123}`,
	} {
		history = append(history, told(i+1, rules.OpUser, 200, body, `{}`))
	}
	file := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example", history), "")
	var got []string
	for _, x := range file.Calls {
		got = append(got, string(x.Request.Body))
	}
	require.Equal(t, []string{
		`{"phoneNumber":"999900001123"}`, `{"phoneNumber":"+999900001123"}`, `{"phoneNumber":"0099 990 000 1123"}`,
		`{"phoneNumber":"09900001123"}`, `{"phoneNumber":"999900002999"}`, `{"phonenumber":"999900001123", broken`,
		`{"address":"ring 999900001123"}`, `{"phoneNumber":999900001123}`,
	}, got)
	require.Equal(t, "https://dispatch.example/taxi/user?key=credential-1", file.Calls[0].Request.URL)
	require.Equal(t, "Bearer credential-2", file.Calls[0].Request.Header.Get("Authorization"))
	require.Equal(t, "Bearer t0ken", history[0].Request.Header.Get("Authorization"), "the history itself stays")
}

func TestJUnitNeverCountsTheUnverifiedAsPassed(t *testing.T) {
	t.Parallel()
	file := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example", traffic()), "")
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Tests int `xml:"tests,attr"`
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Skipped *struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(render(t, file, "junit.xml")), &suites))
	require.Equal(t, len(file.Checks), suites.Tests)
	require.Len(t, file.Reasons(), suites.Failures)
	require.Equal(t, file.Summary.NotVerified+file.Summary.Unscored+file.Summary.Fail-suites.Failures, suites.Skipped)
	green := 0
	for _, s := range suites.Suites {
		require.Len(t, s.Cases, s.Tests)
		for _, c := range s.Cases {
			if c.Failure == nil && c.Skipped == nil {
				green++
			}
		}
	}
	require.Equal(t, file.Summary.Pass+file.Summary.Warn+file.Summary.Observed, green)
}

// colourOf returns the colour of the banner of a run's page.
func colourOf(t *testing.T, f *conformance.RunFile) string {
	t.Helper()
	_, rest, found := strings.Cut(render(t, f, "report.html"), `<header class="`)
	require.True(t, found)
	colour, _, _ := strings.Cut(rest, `"`)
	return colour
}

var (
	anID       = regexp.MustCompile(` id="([^"]+)"`)
	aLink      = regexp.MustCompile(` href="#([^"]+)"`)
	aReference = regexp.MustCompile(`(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//`)
)

// TestReportPageIsSelfContained checks that every link of the page leads to an element of the page, and that nothing
// is fetched from elsewhere.
func TestReportPageIsSelfContained(t *testing.T) {
	t.Parallel()
	html := render(t, conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", traffic()), "1.2.3"), "report.html")
	require.Empty(t, aReference.FindAllString(html, -1))
	ids := map[string]bool{}
	for _, m := range anID.FindAllStringSubmatch(html, -1) {
		require.False(t, ids[m[1]], "two elements are called %s", m[1])
		ids[m[1]] = true
	}
	for _, m := range aLink.FindAllStringSubmatch(html, -1) {
		require.True(t, ids[m[1]], "nothing is called %s", m[1])
	}
	for _, c := range rules.Catalogue() {
		require.True(t, ids[fmt.Sprintf("%s-%s", c.ID, c.Operations[0])], c.ID)
	}
	for i := range traffic() {
		require.True(t, ids[fmt.Sprint("call-", i+1)])
	}
}

// TestPageOfUnfinishedRunShowsWhatIsMissing checks that the page of a run whose server stopped answering shows what
// could not be tested and why, with links, and that the page of a run that was stopped claims no result.
func TestPageOfUnfinishedRunShowsWhatIsMissing(t *testing.T) {
	t.Parallel()
	file := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", traffic()), "1.2.3")
	file.Unshown = []conformance.Gap{{ID: "CAN-01", Operation: rules.OpCancel, Why: "the ids cannot be relied on"}}
	file.Causes = []conformance.Cause{{Message: "the server stopped answering at call 2", Cure: "see its log", Call: 2, Failed: []string{"CAN-01@cancel"}, Ends: true}}
	html := render(t, file, "report.html")
	for _, says := range []string{`<a href="#CAN-01-cancel">CAN-01</a> on cancel: the ids cannot be relied on`, `the server stopped answering at call 2</span>`, `<a href="#call-2">call 2</a>`, `see its log</span>`} {
		require.True(t, strings.Contains(html, says), says) //nolint:testifylint // the page is too long to print
	}
	file.Interrupted = true
	html = render(t, file, "report.html")
	require.Regexp(t, `<header class="warn" id="top">[^h]*<h1>Stopped: \d+ of \d+ checks`, regexp.MustCompile(`\s*<div class="wrap">\s*<p class="kicker">[^<]*</p>\s*`).ReplaceAllString(html, ""))
	require.False(t, strings.Contains(html, "Cannot be shown"))                   //nolint:testifylint // the same
	require.False(t, strings.Contains(html, `<li class="pass"><span class="g">`)) //nolint:testifylint // the same
}

// TestPageMarksFaultsInTheCalls checks that the page marks wrong and missing members in the calls, says
// what is wrong with them, and gives the calls as curl.
func TestPageMarksFaultsInTheCalls(t *testing.T) {
	t.Parallel()
	html := render(t, conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", traffic()), "1.2.3"), "report.html")
	for _, says := range []string{
		`<mark class="fail">&#34;status&#34;: &#34;enabled&#34;</mark>`,                  // the field at fault
		`expected string, one of ENABLED, DISABLED, BLACKLISTED · got &#34;enabled&#34;`, // and what is wrong with it
		`<mark class="fail ghost">&#34;badgeNumber&#34;: missing</mark>`,                 // a field that is not there
		`Your taxi is booked on Monday 19 October at 10:00.`,                             // what the passenger hears
		`I could not cancel your taxi. I am not sure where your taxi is.`,                // of a status that nobody knows
		`the reply has no vehicle`,                                                       // what would be better
		`journey3=$(printf`,                                                              // the story as curl, with its ids bound
	} {
		require.True(t, strings.Contains(html, says), says) //nolint:testifylint // the page is too long to print
	}
	require.False(t, strings.Contains(html, "Row <b>"), "what servers send is escaped") //nolint:testifylint // the same
}
