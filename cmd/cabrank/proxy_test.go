package main

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
		ended <- run(ctx, args, outside{&out, &out, func(k string) string { return s.env[k] }})
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
	require.Contains(t, out, "1 calls in")
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
		ended <- run(ctx, args, outside{&out, &out, os.Getenv})
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
