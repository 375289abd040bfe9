package judging

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// voicePlatform serves the reference and writes its credentials to credentials.json.
func voicePlatform(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	kept, err := records.Open(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kept.Close()) })
	p, err := platform.New(t.Context(), platform.Options{Records: kept, Now: cli.Now, Random: rand.NewChaCha8([32]byte{3})})
	require.NoError(t, err)
	require.NoError(t, p.Seed(t.Context()))
	credentials, err := p.Credentials(t.Context(), platform.Credentials{})
	require.NoError(t, err)
	server := httptest.NewServer(wrap(p.Handler()))
	t.Cleanup(server.Close)
	credentials.BaseURL, credentials.VoiceBaseURL = server.URL, server.URL
	text, err := json.Marshal(credentials)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("credentials.json", text, 0o600))
	return server.URL
}

// TestCheckPlatformFindsFaults checks a correct platform and a faulty one, whose failures a baseline then excuses, and
// gives invalid command lines.
func TestCheckPlatformFindsFaults(t *testing.T) {
	s := newShell(t)
	url := voicePlatform(t, func(h http.Handler) http.Handler { return h })
	check := []string{"check", "platform", url, "--credentials-file", "credentials.json", "--quiet"}
	s.OK(append(check, "--out", "run.json", "--html", "run.html", "--junit", "run.xml", "--timeout", "5s")...)
	require.Contains(t, s.OK("report", "run.json", "--verbose"), "TRK-05")
	require.FileExists(t, "run.html")
	require.Contains(t, s.Fails(cli.ExitUsage, "repeat", "run.json#TOK-01"), "cabrank check platform "+url)

	open := voicePlatform(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/ddi") && r.Header.Get("Authorization") == "" {
				_, _ = w.Write([]byte("[]")) // the suite will see
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	check[2] = open
	s.Fails(cli.ExitFindings, append(check, "--only", "API-03,TOK-01", "--markdown", "summary.md")...)
	summary := clitest.Read(t, "summary.md")
	require.Contains(t, summary, "API-03")
	s.Write("known.json", `{"known":[{"id":"API-03","owner":"ann","until":"2999-12-31"}]}`)
	s.OK(append(check, "--only", "API-03,TOK-01", "--baseline", "known.json")...)
	s.OK(append(check, "--only", "TOK-01,TRK-05")...)

	for _, row := range []struct {
		says string
		args []string
	}{
		{"--credentials-file is required", []string{url}},
		{"'cabrank platform --credentials-file FILE' writes one", []string{url, "--credentials-file", "missing.json"}},
		{"want {", []string{url, "--credentials-file", "run.html"}},
		{"it belongs to the suite third-party", []string{url, "--credentials-file", "credentials.json", "--only", "BOK-01"}},
		{"--allow-host", []string{"http://voice.example", "--credentials-file", "credentials.json"}},
		{"is not an address", []string{"voice", "--credentials-file", "credentials.json"}},
		{"--claim", []string{url, "--credentials-file", "credentials.json", "--claim", "eta"}},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"check", "platform"}, row.args...)...), row.says)
	}
	require.Contains(t, s.Fails(cli.ExitUnreachable, "check", "platform", "http://127.0.0.1:1", "--credentials-file", "credentials.json", "--json", "v.json", "--allow-host"), "TCP")
	require.FileExists(t, "v.json")
}

// callingPlatform is a small platform whose operator reads the address and the
// authority from the files of the run, before its first request.
func callingPlatform(t *testing.T, authorization string, switches ...mutants.Switch) string {
	t.Helper()
	p := mutants.NewPlatform(callerSetting(), switches...)
	var once sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			address, err := os.ReadFile("third-party.url")
			to := mutants.ThirdParty{URL: strings.TrimSpace(string(address)), Authorization: authorization}
			if text, missing := os.ReadFile("ca.pem"); missing == nil {
				block, _ := pem.Decode(text)
				to.CA = block.Bytes
			}
			body, wrong := json.Marshal(to)
			if err == nil && wrong == nil {
				p.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, "/", bytes.NewReader(body)))
			}
		})
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestCheckCallerFindsFaults checks a correct caller and a wrong one, and gives wrong command lines.
func TestCheckCallerFindsFaults(t *testing.T) {
	s := newShell(t)
	only := "P-01,P-02,P-16,P-17,P-44,P-47,P-48"
	check := []string{"check", "caller", "--listen", "127.0.0.1:0", "--url-file", "third-party.url", "--quiet", "--only", only, "--drive"}
	drive := callingPlatform(t, "Bearer Kj3vQ9xW2m")
	args := append(check, drive, "--auth", "bearer:Kj3vQ9xW2m", "--base-path", "/", "--tls", "--ca-out", "ca.pem", "--timeout", "20s",
		"--out", "run.json", "--html", "run.html", "--junit", "run.xml", "--markdown", "run.md", "--har", "run.har", "--json", "v.json")
	require.Regexp(t, `third_party_url  https://127.0.0.1:\d+\n`, s.OK(args...))
	require.Contains(t, s.OK("report", "run.json", "--verbose"), "P-17")
	text := clitest.Read(t, "run.json")
	for _, secret := range []string{"4420794601", "4420794602", "4477009001", "1614960", "Kj3vQ9xW2m"} {
		require.Negative(t, strings.Index(text, secret), secret)
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "repeat", "run.json#P-44"), "cabrank check caller --drive URL --only")

	require.NoError(t, os.Remove("ca.pem"))
	require.NoFileExists(t, "third-party.url")
	out := s.Ends(cli.ExitFindings, append(check, callingPlatform(t, "", "the driver's number in words"))...)
	require.Regexp(t, `third_party_url  http://127.0.0.1:\d+/taxi\n`, out)
	require.Contains(t, out, "P-44")
	require.Contains(t, s.OK("explain", "p-44"), "requests to the reference")
	nothing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nothing.Close)
	text = s.Fails(cli.ExitUnreachable, append(check, nothing.URL)...)
	require.Equal(t, 1, strings.Count(text, "HTTP 404 at the drive address"), "%s", text)
	require.Contains(t, text, "start the platform, or check --drive")

	for _, row := range []struct {
		says string
		args []string
	}{
		{"the suite caller has no check \"BOK-01\": its ids begin with P; it belongs to the suite third-party, which 'cabrank check' runs", []string{"--only", "BOK-01"}},
		{"--drive is", []string{"--drive", "voice"}},
		{"--allow-host", []string{"--drive", "http://voice.example/drive"}},
		{"--listen", []string{"--drive", drive, "--listen", "nowhere:1:2"}},
		{"--ca-out", []string{"--drive", drive, "--tls"}},
		{"--tls", []string{"--drive", drive, "--ca-out", "x.pem"}},
		{"cannot be combined", []string{"--drive", drive, "--tls", "--cert", "x.pem"}},
		{"--cert and --key", []string{"--drive", drive, "--cert", "x.pem", "--key", "x.pem"}},
		{"--auth", []string{"--drive", drive, "--auth", "magic:x"}},
		{"--claim", []string{"--drive", drive, "--claim", "eta"}},
		{"--max-time and --wait are 0 or more", []string{"--drive", drive, "--max-time", "-1s"}},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"check", "caller"}, row.args...)...), row.says)
	}
	_, complaint, code := s.Run(append(check, drive, "--max-time", "1ns")...)
	require.Equal(t, cli.ExitUnreachable, code, complaint)
	out, complaint, code = s.Run("check", "caller", "--drive", "http://127.0.0.1:1", "--allow-host", "--long", "--wait", "150ms", "--json", "gone.json")
	require.Equal(t, cli.ExitUnreachable, code)
	require.Contains(t, out, "127.0.0.1:1 does not respond after 150ms")
	require.Contains(t, complaint, "start the platform")
	require.FileExists(t, "gone.json")
}

// TestCheckCallerWithoutCallsFails checks that a run that receives no call ends with the exit code for an unreachable
// platform.
func TestCheckCallerWithoutCallsFails(t *testing.T) {
	s := newShell(t)
	s.Ends(cli.ExitUnreachable, "check", "caller", "--listen-for", "10ms")
}

// TestCheckTrafficFindsCallerFaults checks that 'check traffic' finds the two faults of a caller in a HAR file.
func TestCheckTrafficFindsCallerFaults(t *testing.T) {
	s := newShell(t)
	entry := func(op, body string) string {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		return `{"startedDateTime":"2026-10-01T12:00:00Z","time":1,"request":{"method":"POST","url":"https://a.example/` + op + `","headers":[{"name":"Content-Type","value":"application/json"}],"postData":{"text":` + string(text) + `}},
			"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":-1,"text":"{\"status\":\"OK\"}"},"bodySize":-1}}`
	}
	s.Write("calls.har", `{"log":{"entries":[`+entry("user", `{"phoneNumber":"+442079460001"}`)+`]}}`)
	out := s.Ends(cli.ExitFindings, "check", "traffic", "calls.har", "--suite", "caller")
	require.Contains(t, out, "P-05")
	require.Contains(t, out, "P-02")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "traffic", "calls.har", "--suite", "platform"), "want third-party or caller")
	require.Contains(t, s.Fails(cli.ExitUsage, "proxy", "--target", "http://x", "--suite", "platform"), "want third-party or caller")
}

// TestProxyFindsCallerFaults checks that the proxy reports a fault of the caller in a request that it forwards.
func TestProxyFindsCallerFaults(t *testing.T) {
	s := newShell(t)
	url, stop := proxy(s, "--target", wrong(t, "config without status"), "--suite", "caller", "--quiet")
	clitest.Post(t, url+"/user", `{"phoneNumber":"+442079460001"}`)
	out, code := stop()
	require.Equal(t, cli.ExitFindings, code)
	require.Contains(t, out, "P-05")
}

// TestCheckTrafficJudgesOneServerAtATime checks that only the calls to one server of a HAR file are judged, and that
// --base selects another.
func TestCheckTrafficJudgesOneServerAtATime(t *testing.T) {
	s := newShell(t)
	entry := func(url, reply string) string {
		return `{"startedDateTime":"2026-10-01T12:00:00Z","time":1,"request":{"method":"POST","url":"` + url + `","headers":[],"postData":{"text":"{}"}},
			"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":-1,"text":"` + reply + `"},"bodySize":-1}}`
	}
	text := `{"log":{"entries":[` + entry("https://a.example/v1/config", `{\"status\":\"OK\"}`) + `,` + entry("https://b.example/config", `[]`) + `]}}`
	s.Write("traffic.har", "\ufeff"+text) // as an editor may
	out, _, _ := s.Run("check", "traffic", "traffic.har")
	require.Contains(t, out, `left out: 1 calls to "https://b.example"; --base judges them in place of those to https://a.example/v1`)
	require.NotContains(t, out, "FAIL  W-01")
	out, _, _ = s.Run("check", "traffic", "traffic.har", "--base", "https://b.example")
	require.Contains(t, out, `left out: 1 calls to "https://a.example/v1"`)
	require.Contains(t, out, "FAIL  W-01")
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "traffic", "traffic.har", "--base", "https://c.example"), "no call was made to https://c.example")
}

// TestCheckInitWritesUsableSettings writes a settings file, edits it as its reader would, and checks with it.
func TestCheckInitWritesUsableSettings(t *testing.T) {
	s := newShell(t)
	a := clitest.NewDown(t, (*httptest.Server).Start)
	require.Equal(t, "wrote cabrank.json; edit it, then: cabrank check\n", s.OK("check", "init", a.URL))
	require.Contains(t, s.Fails(cli.ExitUsage, "check", "init"), "cabrank.json exists; choose another file with --out")
	s.Fails(cli.ExitUnreachable, "check")
	require.NotNil(t, a.First)

	require.Contains(t, s.OK("check", "init", a.URL, "--out", "mine.json"), "then: cabrank check --config mine.json\n")
	form := clitest.Read(t, "mine.json")
	edited := strings.Replace(form, `// "auth": [],`, `"auth": ["bearer:env:TOKEN", "header:X-Tenant:7"],`, 1)
	require.NotEqual(t, form, edited)
	s.Write("mine.json", edited)
	s.Env["TOKEN"] = "t"
	a.First = nil
	s.Fails(cli.ExitUnreachable, "check", "--config", "mine.json")
	require.Equal(t, "Bearer t", a.First.Header.Get("Authorization"))
	require.Equal(t, "7", a.First.Header.Get("X-Tenant"))

	all := regexp.MustCompile(`(?m)^    // ("[a-z-]+": .*),$`).ReplaceAllString(form, "    $1,")
	require.Contains(t, all, "\n    \"start\": \"\",\n")
	s.Write("all.json", all)
	require.NotContains(t, s.Fails(cli.ExitUnreachable, "check", "--config", "all.json"), "all.json", "each is a setting, and of its type")
}
