package serving

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// TestTheConsoleChecksItsOwnServer has the page check the server that it came from: in a
// world of its own, and in the one that is shown. The clock is the aid for both.
func TestTheConsoleChecksItsOwnServer(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--control-token", "token-of-this-test", "--auth", "bearer:not-told", "--speed", "1")
	call := func(method, path, body string) string {
		req, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer token-of-this-test")
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return string(text)
	}
	latest := func() string {
		var told struct{ JourneyID string }
		require.NoError(t, json.Unmarshal([]byte(call(http.MethodGet, "/_control/v1/journeys/latest", "")), &told))
		return told.JourneyID
	}
	before := latest()
	for _, apart := range []bool{true, false} {
		var made struct{ ID string }
		require.NoError(t, json.Unmarshal([]byte(call(http.MethodPost, "/console/checks", `{"url":"`+url+`","scope":"quick","apart":`+fmt.Sprint(apart)+`}`)), &made))
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
