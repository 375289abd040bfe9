package phoning_test

import (
	"fmt"
	"net"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestATelephoneIsAdded: what phone add prints is enough to log in with, and the platform listens.
func TestATelephoneIsAdded(t *testing.T) {
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

func TestSIPFlagsThatAreRefused(t *testing.T) {
	s := newShell(t)
	for _, row := range []struct {
		exit int
		args []string
		says string
	}{
		{cli.ExitUsage, []string{"--allow-external-calls"}, "--allow-external-calls wants --sip"},
		{cli.ExitUsage, []string{"--sip", "127.0.0.1:0", "--speed", "2"}, "--speed cannot be 2"},
		{cli.ExitUsage, []string{"--sip", "127.0.0.1:0", "--rtp-ports", "9"}, "want two ports"},
		{cli.ExitUsage, []string{"--sip", "192.0.2.7:5060"}, "that wants --allow-external-calls"},
		{cli.ExitUsage, []string{"--sip", "0.0.0.0:5060", "--allow-external-calls"}, "names no address that others can be told"},
	} {
		require.Contains(t, s.Fails(row.exit, append([]string{"platform", "--listen", "127.0.0.1:0"}, row.args...)...), row.says)
	}
}
