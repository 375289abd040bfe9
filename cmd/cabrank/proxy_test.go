package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// proxy runs a proxy until stop is called, which returns what it said and how it
// ended.
func (s *shell) proxy(args ...string) (url string, stop func() (string, int)) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	var out lockedBuffer
	ended := make(chan int, 1)
	args = append([]string{"proxy", "--listen", "127.0.0.1:0", "--url-file", "proxy-url"}, args...)
	go func() {
		ended <- run(ctx, args, outside{&out, &out, s.environ()})
	}()
	var text []byte
	require.Eventually(s.t, func() bool {
		text, _ = os.ReadFile("proxy-url")
		return len(text) > 0 || len(ended) > 0
	}, 10*time.Second, 5*time.Millisecond)
	require.NotEmpty(s.t, text, out.String())
	return strings.TrimSpace(string(text)), func() (string, int) {
		cancel()
		code := <-ended
		return out.String(), code
	}
}

func TestTheProxyJudgesWhatGoesBy(t *testing.T) {
	s := newShell(t)
	url, stop := s.proxy("--target", wrong(t, "config without status"), "--out", "run.json", "--html", "report.html", "--quiet")
	resp, err := http.Post(url+"/config", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	out, code := stop()
	require.Equal(t, exitFindings, code, out)
	require.Contains(t, out, "third_party_url  "+url)
	require.Contains(t, out, "1 call in")
	run, err := readRun("run.json")
	require.NoError(t, err)
	require.Equal(t, exitFindings, run.Summary.ExitCode)
	require.FileExists(t, "report.html")
}

func TestTheProxyTellsWhileItListens(t *testing.T) {
	newShell(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	target := wrong(t, "config without status")
	var out lockedBuffer
	ended := make(chan int, 1)
	go func() {
		args := []string{"proxy", "--listen", "127.0.0.1:0", "--url-file", "url", "--target", target}
		ended <- run(ctx, args, outside{&out, &out, os.Environ()})
	}()
	require.Eventually(t, func() bool { _, err := os.Stat("url"); return err == nil }, 10*time.Second, 5*time.Millisecond)
	text, err := os.ReadFile("url")
	require.NoError(t, err)
	resp, err := http.Post(strings.TrimSpace(string(text))+"/config", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "FAIL  CFG-01") }, 10*time.Second, 5*time.Millisecond)
	require.Contains(t, out.String(), "pass  W-01", "without --quiet")
	cancel()
	require.Equal(t, exitFindings, <-ended)
}

// TestTheProxyReachesASystemBehindTLS shows the proxy's own certificate to a
// server that wants one. Without, callers are told why they get no answer.
func TestTheProxyReachesASystemBehindTLS(t *testing.T) {
	s := newShell(t)
	target := behindTLS(t)
	url, stop := s.proxy("--target", target, "--ca", "ca.pem", "--cert", "cert.pem", "--key", "key.pem", "--quiet")
	resp, err := http.Post(url+"/config", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
	out, _ := stop()
	require.Contains(t, out, " 0 failed")

	require.NoError(t, os.Remove("proxy-url"))
	url, stop = s.proxy("--target", target)
	resp, err = http.Post(url+"/config", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	var problem taxi.Problem
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&problem))
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusBadGateway, resp.StatusCode)
	require.Equal(t, taxi.ProblemContentType, resp.Header.Get("Content-Type"))
	require.Contains(t, problem.Detail, "certificate signed by unknown authority")
	stop()
	require.Contains(t, s.fails(exitUsage, "proxy", "--target", target, "--ca", "nowhere.pem"), "--ca")
}

// TestAReportHasTheStandardOutputToItself reads what a proxy writes to it as the
// report that was asked for.
func TestAReportHasTheStandardOutputToItself(t *testing.T) {
	for _, form := range []string{"--json", "--out"} {
		t.Run(form, func(t *testing.T) {
			newShell(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var stdout, stderr lockedBuffer
			ended := make(chan int, 1)
			args := []string{"proxy", "--listen", "127.0.0.1:0", "--url-file", "url", "--target", wrong(t, "config without status"), form, "-"}
			go func() { ended <- run(ctx, args, outside{&stdout, &stderr, os.Environ()}) }()
			var text []byte
			require.Eventually(t, func() bool { text, _ = os.ReadFile("url"); return len(text) > 0 }, 10*time.Second, 5*time.Millisecond)
			resp, err := http.Post(strings.TrimSpace(string(text))+"/config", "application/json", strings.NewReader("{}"))
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			cancel()
			require.Equal(t, exitFindings, <-ended)
			var report conformance.Report
			require.NoError(t, json.Unmarshal([]byte(stdout.String()), &report), stdout.String())
			require.Equal(t, 1, report.Summary.Exchanges)
			require.Contains(t, stderr.String(), "third_party_url")
			require.Contains(t, stderr.String(), "1 call in")
		})
	}
}

func TestProxyUsage(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.fails(exitUsage, "proxy"), "--target")
	require.Contains(t, s.fails(exitUsage, "proxy", "--target", "ftp://x"), "--target")
	require.Contains(t, s.fails(exitUsage, "proxy", "--target", "http://x", "--listen", "nowhere:1:2"), "--listen")
	require.Contains(t, s.fails(exitUsage, "proxy", "--target", "http://x", "--requirements", "0"), "want 1 or latest")
	_, stop := s.proxy("--target", "http://127.0.0.1:9")
	out, code := stop()
	require.Equal(t, exitUnreachable, code)
	require.Contains(t, out, "third_party_url")
}
