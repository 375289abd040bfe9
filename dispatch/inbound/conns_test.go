package inbound

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheLongestIdleConnectionMakesRoom keeps three connections: a fourth takes the
// place of the one that has been idle longest, and where none is idle it is closed.
func TestTheLongestIdleConnectionMakesRoom(t *testing.T) {
	c := newConns(3)
	conn := func() net.Conn {
		one, other := net.Pipe()
		t.Cleanup(func() { _, _ = one.Close(), other.Close() })
		return one
	}
	a, b, busy, fourth := conn(), conn(), conn(), conn()
	for _, is := range []net.Conn{a, b, busy} {
		require.Nil(t, c.note(is, http.StateNew))
		require.Nil(t, c.note(is, http.StateActive))
	}
	require.Equal(t, fourth, c.note(fourth, http.StateNew), "nobody is idle")
	require.Nil(t, c.note(fourth, http.StateClosed))
	require.Nil(t, c.note(b, http.StateIdle))
	require.Nil(t, c.note(a, http.StateIdle))
	require.Equal(t, b, c.note(conn(), http.StateNew))
	require.Nil(t, c.note(b, http.StateClosed))
	require.Nil(t, c.note(a, http.StateActive))
	require.Nil(t, c.note(a, http.StateClosed))
	require.Nil(t, c.note(conn(), http.StateNew))
	require.Len(t, c.open, 3)
}

// TestIdleConnectionsMakeRoomForNewClients checks that new clients are served when idle connections have reached the
// limit.
func TestIdleConnectionsMakeRoomForNewClients(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ConnState = newConns(5).changed
	server.Start()
	defer server.Close()
	for range 20 {
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		resp, err := client.Get(server.URL)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
}
