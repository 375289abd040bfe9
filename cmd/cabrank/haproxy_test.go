//go:build unix

package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestHAProxyAsShipped checks the HAProxy files of docs/team in front of three replicas: clients get answers while
// one replica hangs, and 503 with Retry-After when none is left. The addresses of the replicas replace those in the
// file.
func TestHAProxyAsShipped(t *testing.T) {
	program := proxyProgram(t)
	for _, name := range []string{"haproxy.cfg", "haproxy-hosts.cfg"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startReplicas(t, self(t), 3, "--town", "none", "--public-url", "https://taxis.team.example", "--trusted-proxy", "127.0.0.1")
			base := startProxy(t, program, name, r.list())
			// A client of the proxy knows it by its public name. The status is 0 if the proxy closes the connection, as it does when
			// it has kept one that a replica has closed.
			config := func(world string) clitest.Answer {
				answer, _ := clitest.Try(t.Context(), http.MethodPost, base+worldPath(world)+"/config", "{}", clitest.As("taxis.team.example"))
				return answer
			}
			answers := func(world string) func() bool { return func() bool { return config(world).Status == http.StatusOK } }
			require.Eventually(t, answers(""), time.Minute, 10*time.Millisecond, "the health checks by HTTP/1.0 are answered")
			for i, world := range []string{"ann", "ben", "cat"} {
				require.Equal(t, http.StatusCreated, r.list()[i].addSandbox(world).Status)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/_control/v1/events", nil)
			require.NoError(t, err)
			withTeamToken(req)
			stream, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer stream.Body.Close()
			require.Equal(t, "text/event-stream", strings.Split(stream.Header.Get("Content-Type"), ";")[0])
			require.Equal(t, "streams", stream.Header.Get("X-Backend"))
			require.Equal(t, "replicas", config("").Header.Get("X-Backend"))

			// A replica hangs until the end of the test, with requests in it.
			hangs := r.list()[1]
			require.NoError(t, hangs.Cmd.Process.Signal(syscall.SIGSTOP))
			defer func() { require.NoError(t, hangs.Cmd.Process.Signal(syscall.SIGCONT)) }()
			began := time.Now()
			var asking sync.WaitGroup
			for range 3 {
				for _, world := range []string{"", "ann", "ben", "cat"} {
					asking.Go(func() {
						if a := config(world); a.Status > http.StatusOK && a.Header.Get("Retry-After") != "1" {
							t.Errorf("%q: %d %s", world, a.Status, a.Body)
						}
					})
				}
			}
			asking.Wait()
			t.Logf("everybody had an answer after %v", time.Since(began))
			for _, world := range []string{"", "ann", "ben", "cat"} {
				require.Eventually(t, answers(world), time.Minute, 10*time.Millisecond, world)
			}
			for _, p := range r.list() {
				if p != hangs {
					r.kill(p)
				}
			}
			require.Eventually(t, func() bool {
				a := config("")
				return a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") == "1" &&
					a.Header.Get("Content-Type") == "application/problem+json" && strings.Contains(a.Body, "no replica answers")
			}, time.Minute, 10*time.Millisecond, "the answer of the proxy itself")
		})
	}
}

func self(t *testing.T) string { return program(t, false) }

// proxyProgram is HAProxy, which Debian installs where only root looks.
func proxyProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	for _, name := range []string{"haproxy", "/usr/sbin/haproxy"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("MUST_RUN") != "" {
		t.Fatal("MUST_RUN is set, and there is no haproxy here")
	}
	t.Skip("there is no haproxy here")
	return ""
}

var serversOf = regexp.MustCompile(`(?m)^    server .+\n`)

// startProxy runs HAProxy with a file of docs/team in front of some replicas.
func startProxy(t *testing.T, program, name string, replicas []*process) (base string) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	text := clitest.Read(t, filepath.Join(teamFiles, name))
	text = strings.Replace(text, "bind :8080", "bind "+address+"\n    http-response set-header X-Backend %[be_name]", 1)
	if before, after, ok := strings.Cut(text, "resolvers compose\n"); ok { // there is no Compose
		_, after, _ = strings.Cut(after, "\n\n")
		text = strings.ReplaceAll(before+after, " resolvers compose init-addr libc,none", "")
	}
	backends := strings.Split(serversOf.ReplaceAllString(text, ""), "\nbackend streams\n")
	require.Len(t, backends, 2)
	for i, p := range replicas {
		server := "    server " + string(rune('a'+i)) + " " + strings.TrimPrefix(p.URL, "http://")
		backends[0] += server + "\n"
		backends[1] += server + " track replicas/" + string(rune('a'+i)) + "\n"
	}
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(backends, "\nbackend streams\n")), 0o600))
	require.NoError(t, free.Close())
	cmd := exec.Command(program, "-db", "-f", path)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		return err == nil && conn.Close() == nil
	}, time.Minute, 10*time.Millisecond)
	return "http://" + address
}
