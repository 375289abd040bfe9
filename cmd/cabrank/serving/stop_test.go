package serving

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

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
	_, err = slow.Write([]byte("POST /book HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"))
	require.NoError(t, err)
	s.OK("ready", url) // so that the server has taken the connection
	began := time.Now()
	said := stop()
	require.Less(t, time.Since(began), notForEver)
	require.Contains(t, said, "were cut off")
}

// TestAWorldTooFastForAnyMachine serves a city at a speed that this machine does not reach.
func TestAWorldTooFastForAnyMachine(t *testing.T) {
	s := newShell(t)
	url, stop := s.Serve("--speed", "10000", "--demand", "city", "--cars", "300")
	for range 5 {
		s.OK("ready", url, "--timeout", notForEver.String())
	}
	began := time.Now()
	stop()
	require.Less(t, time.Since(began), notForEver)
}

// TestAPlatformAsksTheClockOfItsMachine books for now, by the machine's clock, in sandboxes whose
// clock stands: that the world has moved on, or is in another year, does not matter.
func TestAPlatformAsksTheClockOfItsMachine(t *testing.T) {
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
