package sip_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// program returns the path of an installed program. If it is not installed, the test is skipped, or fails if MUST_RUN
// is set.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		require.Empty(t, os.Getenv("MUST_RUN"), "%s is not installed", name)
		t.Skipf("%s is not installed", name)
	}
	return path
}

// run starts a program, which is ended with the test at the latest.
func run(t *testing.T, input string, path string, arguments ...string) (output *clitest.Buffer, wait func() error) {
	t.Helper()
	const longest = time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	output = &clitest.Buffer{}
	c := exec.CommandContext(ctx, path, arguments...)
	c.Dir, c.Stdout, c.Stderr, c.WaitDelay = t.TempDir(), output, output, time.Second
	c.Env = append(os.Environ(), "HOME="+c.Dir, "TERM=dumb")
	require.NoError(t, os.MkdirAll(filepath.Join(c.Dir, ".local", "share", "linphone"), 0o700))
	in, err := c.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	_, _ = in.Write([]byte(input)) // it may have ended
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }() // ends with the program
	t.Cleanup(func() {
		_ = in.Close()
		cancel()
		if t.Failed() {
			t.Logf("%s:\n%s", filepath.Base(path), output)
		}
	})
	return output, func() error { return <-ended }
}

// nextPort is the last port that freePort has tried: below those that systems give to connections that ask for any.
var nextPort atomic.Int32

// freePort returns a port that is free for UDP and TCP, as probably are the nine after it. No two tests get the same
// port.
func freePort(t *testing.T) int {
	t.Helper()
	nextPort.CompareAndSwap(0, 10_000+10*rand.Int32N(1_000))
	for range 100 {
		at := fmt.Sprintf("127.0.0.1:%d", nextPort.Add(10))
		packets, err := net.ListenPacket("udp", at)
		if err != nil {
			continue
		}
		streams, err := net.Listen("tcp", at)
		_ = packets.Close()
		if err == nil {
			_ = streams.Close()
			return streams.Addr().(*net.TCPAddr).Port
		}
	}
	require.Fail(t, "no port is free")
	return 0
}

// TestSippCalls checks that sipp can place 20 calls as a trunk, over UDP and TCP, and hang up.
func TestSippCalls(t *testing.T) {
	t.Parallel()
	path := program(t, "sipp")
	for _, transport := range []string{"u1", "t1"} {
		h := newHouse(t)
		go func() { // ends with the last call
			for range 20 {
				p := <-h.legs
				<-h.calls
				p.Answer()
			}
		}()
		_, wait := run(t, "", path, "-sn", "uac", "-s", "441632960101", "-m", "20", "-r", "20", "-d", "200", "-t", transport, "-i", "127.0.0.1",
			"-p", strconv.Itoa(freePort(t)), "-mp", strconv.Itoa(freePort(t)), "-nostdin", h.server.Address().String())
		require.NoError(t, wait(), "a call failed")
		require.Eventually(t, func() bool { return h.server.Lines() == 0 }, patience, time.Millisecond, "a line is open")
	}
}

// TestSippIsCalled checks that the platform can call sipp as a trunk, and hang up.
func TestSippIsCalled(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	port := freePort(t)
	_, wait := run(t, "", program(t, "sipp"), "-sn", "uas", "-m", "1", "-i", "127.0.0.1", "-p", strconv.Itoa(port), "-mp", strconv.Itoa(freePort(t)), "-nostdin")
	listening(t, port)
	to := newAgent(t, h.server.Address(), "").asTrunk()
	to.Trunk = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port))
	p := dial(t, h, to)
	isAnswered(t, p)
	p.wire.Send(make([]int16, 160))
	p.Hangup(voice.CauseNormal, "")
	require.NoError(t, wait())
}

// isAnswered waits until a call is answered. It may ring before that: if a program rings and answers at the same
// moment, the events may arrive in the other order, since sipgo handles each message in its own goroutine.
func isAnswered(t *testing.T, p *probe) {
	t.Helper()
	for {
		select {
		case event := <-p.events:
			if event == "answered" {
				return
			}
			require.Equal(t, "ringing", event)
		case <-time.After(patience):
			require.Fail(t, "nobody answers")
		}
	}
}

// baresip starts a telephone that registers as a user.
func baresip(t *testing.T, h *house, user, password, more string, arguments ...string) *clitest.Buffer {
	t.Helper()
	path, folder := program(t, "baresip"), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "tone.wav"), speech.Wave(make([]int16, 8000), 8000), 0o600))
	account := fmt.Sprintf("<sip:%s@%s>;auth_pass=%s;regint=60%s\n", user, h.server.Address(), password, more)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "accounts"), []byte(account), 0o600))
	config := fmt.Sprintf("poll_method poll\nsip_listen 127.0.0.1:%d\naudio_source aufile,%s\naudio_player aufile,none\naudio_alert aufile,none\n"+
		"module_path /usr/lib/baresip/modules\nmodule g711.so\nmodule aufile.so\nmodule_tmp account.so\nmodule_app menu.so\n",
		freePort(t), filepath.Join(folder, "tone.wav"))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "config"), []byte(config), 0o600))
	output, _ := run(t, "", path, append([]string{"-f", folder}, arguments...)...)
	return output
}

func hearsBaresip(t *testing.T, p *probe) {
	t.Helper()
	select {
	case <-p.frames:
	case <-time.After(patience):
		require.Fail(t, "nothing is heard of baresip")
	}
}

// TestBaresipCalls checks that baresip can register and place a call, and that its sound is received.
func TestBaresipCalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	program(t, "baresip")
	baresip(t, h, "201", "one", "", "-e", "/dial sip:441632960101@"+h.server.Address().String())
	caller, p := h.called(t)
	require.Equal(t, sip.Caller{User: "201", Called: "441632960101"}, caller)
	p.Answer()
	hearsBaresip(t, p)
	p.Hangup(voice.CauseNormal, "")
}

// TestBaresipIsCalled checks that baresip can register, be called and answer, and that its sound is received.
func TestBaresipIsCalled(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	baresip(t, h, "202", "two", ";answermode=auto")
	require.Eventually(t, func() bool { return h.server.Registered("202") }, patience, time.Millisecond, "baresip does not log in")
	p := dial(t, h, sip.Destination{From: "+441632960100", User: "202"})
	isAnswered(t, p)
	hearsBaresip(t, p)
	p.Hangup(voice.CauseNormal, "")
}

// TestLinphoneIsCalled checks that linphone can register, be called and answer.
func TestLinphoneIsCalled(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	address, config := h.server.Address(), filepath.Join(t.TempDir(), "linphonerc")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, "[sip]\nsip_port=%d\nsip_tcp_port=0\nsip_tls_port=0\ndefault_proxy=0\n[rtp]\naudio_rtp_port=%d\n"+
		"[auth_info_0]\nusername=202\npasswd=two\nrealm=%s\n[proxy_0]\nreg_proxy=<sip:%s>\nreg_identity=sip:202@%s\nreg_expires=300\nreg_sendregister=1\n",
		freePort(t), freePort(t), sip.Realm, address, address), 0o600))
	output, _ := run(t, "soundcard use files\n", program(t, "linphonec"), "-a", "-c", config)
	require.Eventually(t, func() bool { return h.server.Registered("202") }, patience, time.Millisecond, "%s", output)
	p := dial(t, h, sip.Destination{From: "+441632960100", User: "202"})
	isAnswered(t, p)
	p.Hangup(voice.CauseNormal, "")
}
