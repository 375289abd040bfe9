package serving

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
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
	"github.com/cabrank/cabrank/cmd/cabrank/room"
)

// roomAddress is where the demo prints that the room is.
var roomAddress = regexp.MustCompile(`https://127\.0\.0\.1:\d+/j/(\w+)`)

// roomGuest is a browser in the room, which has accepted its certificate.
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

// Who scans the code has a phone, books a taxi under their name, and reaches nothing else.
func TestDemoWithARoom(t *testing.T) {
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

func TestRoomFlags(t *testing.T) {
	s := newShell(t)
	for message, args := range map[string][]string{
		"leave out --headless":             {"--headless"},
		"--room-for is 1s, want 1m to 24h": {"--room-for", "1s"},
		"--room-guests is 0, want 1":       {"--room-guests", "0"},
		"--room-listen is \"nowhere\"":     {"--room-listen", "nowhere", "--listen", "127.0.0.1:0", "--no-open"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"demo", "--room"}, args...)...), message)
	}
}
