package serving

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/cmd/cabrank/room"
	"github.com/cabrank/cabrank/simulator/platform"
)

// roomAddress is where the demo prints that the room is.
var roomAddress = regexp.MustCompile(`https://127\.0\.0\.1:\d+/j/(\w+)`)

// roomGuest is the HTTP client of a guest of the demo room. It has its own cookies and trusts the room's certificate.
type roomGuest struct {
	t      *testing.T
	client *http.Client
	origin string
}

func (g *roomGuest) send(method, path, body string) (int, string) {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), method, g.origin+path, strings.NewReader(body))
	require.NoError(g.t, err)
	resp, err := g.client.Do(req)
	require.NoError(g.t, err)
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	require.NoError(g.t, err)
	return resp.StatusCode, string(said)
}

// view is what the guest sees once it is as wanted.
func (g *roomGuest) view(wanted func(room.View) bool) (v room.View) {
	g.t.Helper()
	require.Eventually(g.t, func() bool {
		status, said := g.send(http.MethodGet, "/api/phone", "")
		require.Equal(g.t, http.StatusOK, status, said)
		v = room.View{}
		require.NoError(g.t, json.Unmarshal([]byte(said), &v))
		return wanted(v)
	}, time.Minute, 300*time.Millisecond, "the phone is never as wanted")
	return v
}

// says is a phone on which the firm said something last.
func says(words string) func(room.View) bool {
	return func(v room.View) bool {
		return v.Call != nil && len(v.Call.Lines) > 0 && strings.Contains(v.Call.Lines[len(v.Call.Lines)-1].Text, words)
	}
}

// A guest who joins the room of a demo books a taxi under their name, and reaches no other API; ending the room stops
// its server.
func TestRoomGuestOfADemoBooksATaxi(t *testing.T) {
	s := newParallelShell(t)
	var out clitest.Buffer
	url, stop := s.Listen(cli.Outside{Stdout: &out, Stderr: &out}, "demo", "--no-open", "--listen", "127.0.0.1:0", "--speed", "5",
		"--room", "--room-listen", "127.0.0.1:0", "--room-guests", "2", "--room-for", "1h")
	require.Eventually(t, func() bool { return roomAddress.MatchString(out.String()) }, time.Minute, 10*time.Millisecond, "no room is announced")
	address := roomAddress.FindStringSubmatch(out.String())
	require.Contains(t, out.String(), "The room ends after 1h0m0s")
	folder, err := os.UserConfigDir()
	require.NoError(t, err)
	authorities := x509.NewCertPool()
	require.True(t, authorities.AppendCertsFromPEM([]byte(clitest.Read(t, filepath.Join(folder, "cabrank", "room.pem")))))
	comes := func() *roomGuest {
		jar, err := cookiejar.New(nil)
		require.NoError(t, err)
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}}
		t.Cleanup(transport.CloseIdleConnections)
		return &roomGuest{t: t, client: &http.Client{Transport: transport, Jar: jar}, origin: strings.TrimSuffix(address[0], "/j/"+address[1])}
	}
	join := func(g *roomGuest, name string) int {
		status, _ := g.send(http.MethodPost, "/api/join", `{"key":"`+address[1]+`","name":"`+name+`"}`)
		return status
	}
	zoe, max := comes(), comes()
	require.Equal(t, http.StatusNoContent, join(zoe, "Zoë"))
	require.Equal(t, http.StatusNoContent, join(max, "Max"))
	require.Equal(t, http.StatusServiceUnavailable, join(comes(), "Third"))
	for _, path := range []string{"/sim/v1/calls", "/_control/v1/users", "/console/", "/config"} {
		status, _ := zoe.send(http.MethodGet, path, "")
		require.Equal(t, http.StatusNotFound, status, path)
	}

	status, _ := zoe.send(http.MethodPost, "/api/call", "")
	require.Equal(t, http.StatusNoContent, status)
	zoe.view(says("Where"))
	status, _ = zoe.send(http.MethodPost, "/api/act", `{"say":"from the town hall to the harbour now"}`)
	require.Equal(t, http.StatusNoContent, status)
	zoe.view(says("book it?"))
	status, _ = zoe.send(http.MethodPost, "/api/act", `{"say":"yes"}`)
	require.Equal(t, http.StatusNoContent, status)
	zoe.view(func(v room.View) bool { return v.Ride != nil })
	journeys := clitest.Get(t, url+"/_control/v1/journeys?limit=100").Body
	require.Contains(t, journeys, `"Zoë"`)
	require.Contains(t, journeys, room.Numbers, "from which the map knows a guest")
	require.Nil(t, max.view(func(room.View) bool { return true }).Call, "somebody else's call is not theirs")

	open := clitest.Decode[console.RoomView](t, clitest.Get(t, url+"/console/room").Body)
	require.Equal(t, []any{true, address[0], 2, 2}, []any{open.Open, open.URL, open.Guests, open.Most})
	require.Equal(t, http.StatusNoContent, clitest.Send(t, http.MethodDelete, url+"/console/room", "").Status)
	require.False(t, clitest.Decode[console.RoomView](t, clitest.Get(t, url+"/console/room").Body).Open)
	_, err = zoe.client.Get(zoe.origin + "/") //nolint:bodyclose // there is none
	require.Error(t, err, "nobody listens any more")
	require.Equal(t, cli.ExitOK, stop(), out.String())
}

// dials rings a number by SIP as a telephone of this machine does, and hangs up when the test ends.
func dials(t *testing.T, server, from, to string) {
	t.Helper()
	conn, err := net.Dial("tcp", server)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	sdp := "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n"
	_, err = fmt.Fprintf(conn, "INVITE sip:%[1]s@%[2]s SIP/2.0\r\nVia: SIP/2.0/TCP %[3]s;branch=z9hG4bK1\r\nMax-Forwards: 70\r\nFrom: <sip:+%[4]s@%[2]s>;tag=1\r\nTo: <sip:%[1]s@%[2]s>\r\n"+
		"Call-ID: 1\r\nCSeq: 1 INVITE\r\nContact: <sip:%[4]s@%[3]s;transport=tcp>\r\nContent-Type: application/sdp\r\nContent-Length: %[5]d\r\n\r\n%[6]s", to, server, conn.LocalAddr(), from, len(sdp), sdp)
	require.NoError(t, err)
	for in := bufio.NewReader(conn); ; {
		line, err := in.ReadString('\n')
		require.NoError(t, err, "the call is not answered")
		if strings.HasPrefix(line, "SIP/2.0 2") {
			return
		}
		require.NotRegexp(t, `^SIP/2.0 [3-6]`, line)
	}
}

// TestDemoAcceptsSIPCalls checks that a demo with --sip and --room accepts a call by SIP, and prints what to enter
// in a telephone.
func TestDemoAcceptsSIPCalls(t *testing.T) {
	s := newParallelShell(t)
	var out clitest.Buffer
	url, stop := s.Listen(cli.Outside{Stdout: &out, Stderr: &out}, "demo", "--no-open", "--listen", "127.0.0.1:0", "--sip", "127.0.0.1:0", "--room", "--room-listen", "127.0.0.1:0")
	server := regexp.MustCompile(`<sip:201@(127\.0\.0\.1:\d+)>;auth_pass=[0-9a-z]{24};`)
	require.Eventually(t, func() bool { return roomAddress.MatchString(out.String()) }, time.Minute, 10*time.Millisecond, "no room is announced")
	require.Regexp(t, server, out.String())
	require.Contains(t, out.String(), "the taxi number is "+platform.TaxiNumber)
	dials(t, server.FindStringSubmatch(out.String())[1], softphone, platform.TaxiNumber)
	calls := clitest.Get(t, url+"/console/platform/sim/v1/calls").Body
	require.Contains(t, calls, `"from":"+`+softphone+`"`)
	require.Equal(t, cli.ExitOK, stop(), out.String())

	require.Contains(t, s.Fails(cli.ExitUsage, "demo", "--headless", "--sip", "127.0.0.1:0"), "--sip needs somebody who calls")
	require.Contains(t, s.Fails(cli.ExitUsage, "demo", "--no-open", "--listen", "127.0.0.1:0", "--sip", "192.0.2.7:5060"), "--sip: ")
}

// TestConsoleShowsAnExternalPlatform checks that the console of a server shows the calls of a separate voice
// platform, whose address --platform gives with the token.
func TestConsoleShowsAnExternalPlatform(t *testing.T) {
	s := newShell(t)
	const token = "0123456789abcdef"
	other, err := phoning.Beside{Listen: "127.0.0.1:0", Speed: 1, ControlToken: token, Log: slog.New(slog.DiscardHandler), Failed: make(chan error, 1)}.Run(t.Context())
	require.NoError(t, err)
	s.Env["PLATFORM"] = strings.Replace(other.URL, "http://", "http://:"+token+"@", 1)
	url, stop := s.Serve("--platform", "env:PLATFORM")
	require.JSONEq(t, `{"there":true}`, clitest.Get(t, url+"/console/platform/about").Body)
	began := clitest.Send(t, "POST", url+"/console/platform/sim/v1/phones", `{"from":"`+otherCaller+`","to":"taxi"}`)
	require.Equal(t, 201, began.Status, began.Body)
	require.Contains(t, clitest.Get(t, url+"/console/platform/sim/v1/calls").Body, otherCaller)
	require.Equal(t, 404, clitest.Get(t, url+"/console/platform/api/v1/account").Status, "the platform's own API is at its own address")
	require.NoError(t, other.Close())
	away := clitest.Get(t, url+"/console/platform/sim/v1/calls")
	require.Equal(t, 502, away.Status)
	require.Contains(t, away.Body, "does not answer")
	require.NotContains(t, stop()+away.Body, token)

	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--platform", other.URL, "--no-console"), "leave out --no-console")
	require.NotContains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--platform", "ftp://:"+token+"@x"), token)
}
