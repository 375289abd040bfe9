package serving

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance"
)

// TestAServerThatCannotListenLeavesTheAddressOfAnother has both announce theirs
// in one file.
func TestAServerThatCannotListenLeavesTheAddressOfAnother(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve()
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", url[len("http://"):], "--url-file", "url-1"), "cannot listen")
	require.Equal(t, url+"\n", clitest.Read(t, "url-1"))
}

func TestErrorsNameTheSameFlagEachTime(t *testing.T) {
	s := newShell(t)
	for range 10 {
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--rate", "NaN"), "is a number")
		require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--rate", "-1", "--duplicate-window", "-1s", "--area", "-1"), "--rate cannot be negative")
	}
}

// TestTheConsoleChecksItsOwnServer has the page check the server that it came from: in a
// world of its own, and in the one that is shown. The clock is the aid for both.
func TestTheConsoleChecksItsOwnServer(t *testing.T) {
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
