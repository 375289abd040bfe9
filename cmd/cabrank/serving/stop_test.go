package serving

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// notForEver is longer than a loaded machine takes to end a server, and shorter than a test
// would wait for one that does not end.
const notForEver = 30 * time.Second

// TestStoppingDoesNotWaitForHalfARequest stops a server while a caller has sent half a request.
func TestStoppingDoesNotWaitForHalfARequest(t *testing.T) {
	s := newShell(t)
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
