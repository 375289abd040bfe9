package judging

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
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

// TestAVoicePlatformIsJudged checks a correct platform and a wrong one whose faults are excused,
// and gives wrong command lines.
func TestAVoicePlatformIsJudged(t *testing.T) {
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
