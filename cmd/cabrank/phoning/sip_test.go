package phoning_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/speech"
)

// TestPhoneAddPrintsLoginDetails checks that 'phone add' prints the user, password and server of a telephone, that the server
// answers by SIP, and that invalid additions are refused.
func TestPhoneAddPrintsLoginDetails(t *testing.T) {
	s := newShell(t)
	url, stop := serve(s, "--speed", "1", "--sip", "127.0.0.1:0", "--rtp-ports", "35000-35999")
	printed := s.OK("platform", "phone", "add", "201", "--number", "+447700900123", "--platform", url)
	password := regexp.MustCompile(`user 201, password ([0-9a-z]{24})\n`).FindStringSubmatch(printed)
	require.NotNil(t, password, printed)
	server := regexp.MustCompile(`<sip:201@(127\.0\.0\.1:\d+)>;auth_pass=` + password[1]).FindStringSubmatch(printed)
	require.NotNil(t, server, printed)
	require.Contains(t, register(t, server[1]), "SIP/2.0 401 Unauthorized")

	require.Contains(t, s.Fails(cli.ExitFindings, "platform", "phone", "add", "202", "--number", "+447700900123", "--platform", url), "is another telephone's")
	require.Contains(t, s.Fails(cli.ExitFindings, "platform", "phone", "add", "202", "--number", "+441632960101", "--platform", url), "is a number of this platform")
	require.Contains(t, s.Fails(cli.ExitFindings, "platform", "phone", "add", "201", "--account", "Harbour Minicabs", "--platform", url), "name another user")
	require.Contains(t, s.OK("platform", "phone", "add", "201", "--user", "quay", "--account", "Harbour Minicabs", "--json", "--platform", url), `"user": "quay"`)
	require.Contains(t, s.OK("platform", "phone", "remove", "201", "--platform", url), "cannot log in any more")
	require.Contains(t, s.Fails(cli.ExitFindings, "platform", "phone", "remove", "201", "--platform", url), "no such telephone")
	require.Contains(t, stop(), "telephones       sip:"+server[1])

	url, stop = serve(s)
	require.Contains(t, s.OK("platform", "phone", "add", "201", "--platform", url), "start it with --sip")
	require.NotContains(t, stop(), "telephones ")
}

// register asks to log in, and returns the answer.
func register(t *testing.T, server string) string {
	t.Helper()
	conn, err := net.Dial("udp", server)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "REGISTER sip:%[1]s SIP/2.0\r\nVia: SIP/2.0/UDP %[2]s;branch=z9hG4bK1;rport\r\nFrom: <sip:201@%[1]s>;tag=1\r\nTo: <sip:201@%[1]s>\r\n"+
		"Call-ID: 1\r\nCSeq: 1 REGISTER\r\nContact: <sip:201@%[2]s>\r\nContent-Length: 0\r\n\r\n", server, conn.LocalAddr())
	require.NoError(t, err)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute)))
	answer := make([]byte, 2048)
	n, err := conn.Read(answer)
	require.NoError(t, err)
	return string(answer[:n])
}

// TestVoiceSpeaksAndRecognisesFiles checks that 'voice' speaks into a file and recognises speech from one, with programs of the test.
func TestVoiceSpeaksAndRecognisesFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are a shell's")
	}
	dir := t.TempDir()
	prompt, out := filepath.Join(dir, "prompt.wav"), filepath.Join(dir, "out.wav")
	require.NoError(t, os.WriteFile(prompt, speech.Wave(slices.Repeat([]int16{1000}, 16000), 16000), 0o600))
	res := newShell(t).OK("voice", "--json", "--say", "Where from?", "--out", out, "--rate", "8000", "--voice", "anna", "--say-with", "sh -c 'test {voice} = anna && cat "+prompt+"'",
		"--hear", out, "--hints", "town hall,the station", "--hear-with", "echo {hints}")
	var report struct {
		Programs []speech.Program
		Spoken   struct{ Seconds float64 }
		Heard    speech.Heard
	}
	require.NoError(t, json.Unmarshal([]byte(res), &report))
	require.Len(t, report.Programs, 5)
	require.InDelta(t, 1, report.Spoken.Seconds, 0.001)
	require.Equal(t, "town hall, the station", report.Heard.Text)
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	pcm, rate, err := speech.ReadWave(data)
	require.NoError(t, err)
	require.Equal(t, 8000, rate)
	require.Len(t, pcm, 8000)
}
