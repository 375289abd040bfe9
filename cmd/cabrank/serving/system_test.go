package serving

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
)

// TestFailedStartKeepsAnotherServersURLFile checks that a server that cannot listen leaves the address
// file of the running one unchanged.
func TestFailedStartKeepsAnotherServersURLFile(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve()
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", url[len("http://"):], "--url-file", "url-1"), "cannot listen")
	require.Equal(t, url+"\n", clitest.Read(t, "url-1"))
}

// TestConsoleChecksItsOwnServer checks the console's own server from its page: in a sandbox, which leaves the main
// world unchanged, and in the main world.
func TestConsoleChecksItsOwnServer(t *testing.T) {
	s := newParallelShell(t)
	url, stop := s.Serve("--control-token", "token-of-this-test", "--auth", "bearer:not-told", "--speed", "1")
	call := func(method, path, body string) string {
		return clitest.Send(t, method, url+path, body, func(r *http.Request) { r.Header.Set("Authorization", "Bearer token-of-this-test") }).Body
	}
	latest := func() string {
		told := clitest.Decode[struct{ JourneyID string }](t, call(http.MethodGet, "/_control/v1/journeys/latest", ""))
		return told.JourneyID
	}
	before := latest()
	for _, apart := range []bool{true, false} {
		made := clitest.Decode[struct{ ID string }](t, call(http.MethodPost, "/console/checks", `{"url":"`+url+`","scope":"quick","apart":`+fmt.Sprint(apart)+`}`))
		events := call(http.MethodGet, "/console/checks/"+made.ID+"/events", "")
		require.Contains(t, events, `"state":"done"`)
		var told struct {
			Exit     int
			Verdicts []struct {
				ID      string
				Outcome conformance.Outcome
			}
		}
		document := call(http.MethodGet, "/console/checks/"+made.ID, "")
		require.NoError(t, json.Unmarshal([]byte(document), &told))
		require.Equal(t, conformance.ExitPass, told.Exit, "%.2000s", document)
		require.NotContains(t, document, "not-told")
		if apart {
			require.Equal(t, before, latest(), "the world that is shown is as it was")
		} else {
			require.NotEqual(t, before, latest())
		}
	}
	require.Contains(t, call(http.MethodGet, "/_control/v1/sandboxes", ""), `"sandboxes":[]`)
	stop()
}

// TestDatabaseFlagReadsVariablesAndFiles checks that --db can refer to a variable or a file, and that no error shows
// the password.
func TestDatabaseFlagReadsVariablesAndFiles(t *testing.T) {
	s := newShell(t)
	s.Env["MY_DATABASE"] = "first.db"
	s.Write("database.txt", "second.db\n")
	s.Write("empty.txt", "\n")
	for reference, file := range map[string]string{"env:MY_DATABASE": "first.db", "@database.txt": "second.db"} {
		_, stop := s.Serve("--town", "none", "--db", reference)
		require.Contains(t, stop(), file)
		require.FileExists(t, file)
	}
	for reference, says := range map[string]string{
		"env:NONE": "--db: secret: the environment has no NONE", "@none.txt": "--db: secret: ", "@empty.txt": "--db: @empty.txt is empty",
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--db", reference), says)
	}
	s.Env["MY_DATABASE"] = "postgres://ann:tulip77@127.0.0.1:1/taxis"
	said := s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--control-token", givenToken, "--db", "env:MY_DATABASE")
	require.Contains(t, said, "no server answers")
	require.NotContains(t, said, "tulip77")
}

// TestDemoRefusesASharedDatabase checks that a demo refuses a database that replicas share, since another replica may
// run the world.
func TestDemoRefusesASharedDatabase(t *testing.T) {
	s := newShell(t)
	s.Env["MY_DATABASE"] = "postgres://ann:tulip77@127.0.0.1:1/taxis"
	for _, database := range []string{s.Env["MY_DATABASE"], "env:MY_DATABASE"} {
		said := s.Fails(cli.ExitUsage, "demo", "--headless", "--control-token", givenToken, "--db", database)
		require.Contains(t, said, "another replica may run it")
		require.NotContains(t, said, "tulip77")
	}
}

// notForEver is longer than a loaded machine takes to end a server, and shorter than a test
// would wait for one that does not end.
const notForEver = time.Minute

// TestStoppingDoesNotWaitForHalfARequest stops a server while a caller has sent half a request.
func TestStoppingDoesNotWaitForHalfARequest(t *testing.T) {
	s := newParallelShell(t)
	url, stop := s.Serve()
	slow, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer slow.Close()
	_, err = slow.Write([]byte("POST /book HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n"))
	require.NoError(t, err)
	answer, err := bufio.NewReader(slow).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, answer, "100 Continue", "the server reads the request")
	_, err = slow.Write([]byte("{"))
	require.NoError(t, err)
	began := time.Now()
	said := stop()
	require.Less(t, time.Since(began), notForEver)
	require.Contains(t, said, "were cut off")
}

// TestOverloadedWorldStaysReadyAndStops serves a city at a speed that this machine does not reach: the server stays ready,
// and stops in time.
func TestOverloadedWorldStaysReadyAndStops(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--speed", "10000", "--demand", "city", "--cars", "300")
	for range 5 {
		s.OK("ready", url, "--timeout", notForEver.String())
	}
	began := time.Now()
	stop()
	require.Less(t, time.Since(began), notForEver)
}

// TestBookingsByMachineClockAreAccepted books for now, by the machine's clock, in sandboxes whose
// clock stands: that the world has moved on, or is in another year, does not matter.
func TestBookingsByMachineClockAreAccepted(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve("--town", "none")
	for name, clock := range map[string]string{
		"frozen":  `{"mode":"manual"}`,
		"another": `{"mode":"manual","now":"2026-06-01T08:00:00Z","callers":"wall"}`,
	} {
		answer := clitest.Post(t, url+"/_control/v1/sandboxes", fmt.Sprintf(`{"name":%q,"clock":%s}`, name, clock))
		require.Equal(t, http.StatusCreated, answer.Status, answer.Body)
		made := clitest.Decode[struct{ ThirdPartyURL, ControlURL string }](t, answer.Body)
		for _, moved := range []string{"", "24h"} {
			if moved != "" {
				answer := clitest.Post(t, made.ControlURL+"/clock/advance", fmt.Sprintf(`{"by":%q}`, moved))
				require.Equal(t, http.StatusOK, answer.Status, answer.Body)
			}
			answer := clitest.Post(t, made.ThirdPartyURL+"/book", fmt.Sprintf(`{"name":"Hester Vane","phoneNumber":"442079460020",
				"pickup":{"address":"1 Park Row, Leeds","location":{"latitude":53.797,"longitude":-1.546}},
				"dropoffs":[{"address":"2 Park Row, Leeds","location":{"latitude":53.8,"longitude":-1.55}}],"pickupTime":%q}`, cli.Now().UTC().Format(time.RFC3339)))
			require.Equal(t, http.StatusOK, answer.Status, "%s after %q: %s", name, moved, answer.Body)
		}
	}
}

func TestConsoleIsServedWithControl(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve()
	index := browse(t, url+"/", "text/html")
	require.Contains(t, index, `src="/console/app.js"`, "a browser is sent there")
	require.NotContains(t, browse(t, url+"/", "*/*"), "<html", "a program is not")
	require.Contains(t, browse(t, url+"/console/requests", "text/html"), `src="/console/app.js"`, "every screen is the page")
	require.Contains(t, stop(), "console          "+url+"/console/", "the banner says where it is")

	url, stop = s.Serve("--no-console")
	require.NotContains(t, browse(t, url+"/", "text/html"), "<html")
	require.NotContains(t, stop(), "console ")
}

// browse reads a page as somebody who accepts a media type.
func browse(t *testing.T, url, accept string) string {
	t.Helper()
	return clitest.Get(t, url, func(r *http.Request) { r.Header.Set("Accept", accept) }).Body
}
