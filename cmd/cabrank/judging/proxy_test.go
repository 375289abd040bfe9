package judging

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// proxy runs a proxy until stop is called, which returns what it printed and how
// it ended.
func proxy(s *clitest.Shell, args ...string) (url string, stop func() (string, int)) {
	s.T.Helper()
	var out clitest.Buffer
	url, end := s.Listen(cli.Outside{Stdout: &out, Stderr: &out}, append([]string{"proxy", "--listen", "127.0.0.1:0"}, args...)...)
	return url, func() (string, int) {
		code := end()
		return out.String(), code
	}
}

// TestProxyPrintsVerdictsAndReports checks that the proxy prints each verdict while it runs, and writes its reports when
// it stops.
func TestProxyPrintsVerdictsAndReports(t *testing.T) {
	s := newShell(t)
	var out clitest.Buffer
	url, stop := s.Listen(cli.Outside{Stdout: &out, Stderr: &out}, "proxy", "--listen", "127.0.0.1:0", "--target", wrong(t, "config without status"), "--out", "run.json", "--html", "report.html")
	require.Equal(t, http.StatusOK, clitest.Post(t, url+"/config", "{}").Status)
	const clause = "clause    \"Taxi integration operations\", /config: status" // comes after all that is looked for
	require.Eventually(t, func() bool { return strings.Contains(out.String(), clause) }, time.Minute, 5*time.Millisecond, "no verdict is printed")
	require.Contains(t, out.String(), "FAIL  CFG-01")
	require.Regexp(t, `pass  W-01 .*\. *\n`, out.String(), "without --quiet, and with what it asks for")
	require.Equal(t, cli.ExitFindings, stop())
	require.Contains(t, out.String(), "third_party_url  "+url)
	require.Contains(t, out.String(), "1 call in")
	run, err := readRun("run.json")
	require.NoError(t, err)
	require.Equal(t, cli.ExitFindings, run.Summary.ExitCode)
	require.FileExists(t, "report.html")
}

// TestProxyUsesTLSFlagsForItsTarget checks that the proxy sends its client certificate to a target that requires
// one. Without it, callers are told why there is no answer.
func TestProxyUsesTLSFlagsForItsTarget(t *testing.T) {
	s := newShell(t)
	target := behindTLS(t)
	url, stop := proxy(s, "--target", target, "--ca", "ca.pem", "--cert", "cert.pem", "--key", "key.pem", "--quiet")
	require.Equal(t, http.StatusOK, clitest.Post(t, url+"/config", "{}").Status)
	out, _ := stop()
	require.Contains(t, out, " 0 failed")

	url, stop = proxy(s, "--target", target)
	answer := clitest.Post(t, url+"/config", "{}")
	require.Equal(t, http.StatusBadGateway, answer.Status)
	require.Equal(t, taxi.ProblemContentType, answer.Header.Get("Content-Type"))
	require.Contains(t, clitest.Decode[taxi.Problem](t, answer.Body).Detail, "certificate signed by unknown authority")
	stop()
	require.Contains(t, s.Fails(cli.ExitUsage, "proxy", "--target", target, "--ca", "nowhere.pem"), "--ca")
}

// TestProxyStdoutContainsOnlyTheReport expects nothing but the report on the standard output
// of a proxy.
func TestProxyStdoutContainsOnlyTheReport(t *testing.T) {
	for _, form := range []string{"--json", "--out"} {
		t.Run(form, func(t *testing.T) {
			s := newShell(t)
			var stdout, stderr clitest.Buffer
			url, stop := s.Listen(cli.Outside{Stdout: &stdout, Stderr: &stderr}, "proxy", "--listen", "127.0.0.1:0", "--target", wrong(t, "config without status"), form, "-")
			clitest.Post(t, url+"/config", "{}")
			require.Equal(t, cli.ExitFindings, stop())
			require.Equal(t, 1, clitest.Decode[conformance.Report](t, stdout.String()).Summary.Exchanges)
			require.Contains(t, stderr.String(), "third_party_url")
			require.Contains(t, stderr.String(), "1 call in")
		})
	}
}

func TestProxyRefusesInvalidFlags(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "proxy"), "--target")
	require.Contains(t, s.Fails(cli.ExitUsage, "proxy", "--target", "ftp://x"), "--target")
	require.Contains(t, s.Fails(cli.ExitUsage, "proxy", "--target", "http://x", "--listen", "nowhere:1:2"), "--listen")
	require.Contains(t, s.Fails(cli.ExitUsage, "proxy", "--target", "http://x", "--requirements", "0"), "want 1 or latest")
	_, stop := proxy(s, "--target", "http://127.0.0.1:9")
	out, code := stop()
	require.Equal(t, cli.ExitUnreachable, code)
	require.Contains(t, out, "third_party_url")
}

// TestProxyForwardsQueriesUnchanged checks that the proxy forwards a query unchanged, even one that Go considers malformed,
// and refuses host names other than loopback names: otherwise a page in a browser could use the proxy's certificate.
func TestProxyForwardsQueriesUnchanged(t *testing.T) {
	s := newShell(t)
	queries := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		queries <- r.URL.RawQuery
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	url, _ := proxy(s, "--target", server.URL+"/taxi?key=1")
	clitest.Get(t, url+"/config?a=1;b=2&c=%zz")
	require.Equal(t, "key=1&a=1;b=2&c=%zz", <-queries)

	require.Equal(t, http.StatusMisdirectedRequest, clitest.Get(t, url+"/config", clitest.As("evil.example")).Status)
	require.Empty(t, queries)
}
