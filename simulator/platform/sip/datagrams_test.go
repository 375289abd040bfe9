package sip

import (
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emiago/sipgo"
	message "github.com/emiago/sipgo/sip"
	"github.com/stretchr/testify/require"
)

// TestOldDatagramAddressesAreDropped checks that datagrams of many addresses are answered, and that only few of the addresses
// remain in memory.
func TestOldDatagramAddressesAreDropped(t *testing.T) {
	t.Parallel()
	const addresses, atOnce = 40, 5
	agent, err := sipgo.NewUA()
	require.NoError(t, err)
	server, err := sipgo.NewServer(agent)
	require.NoError(t, err)
	server.OnOptions(func(r *message.Request, tx message.ServerTransaction) {
		if err := tx.Respond(message.NewResponseFromRequest(r, 200, "OK", nil)); err != nil {
			t.Error(err)
		}
	})
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	var working sync.WaitGroup
	working.Go(func() { serveDatagrams(&working, server, socket, atOnce, func() {}, func() {}) })
	for n := range addresses {
		conn, err := net.Dial("udp", socket.LocalAddr().String())
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "OPTIONS sip:x@%[1]s SIP/2.0\r\nVia: SIP/2.0/UDP %[2]s;branch=z9hG4bK%[3]d;rport\r\nMax-Forwards: 70\r\nFrom: <sip:y@%[2]s>;tag=1\r\n"+
			"To: <sip:x@%[1]s>\r\nCall-ID: %[3]d\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n", conn.RemoteAddr(), conn.LocalAddr(), n)
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute)))
		answer := make([]byte, 1024)
		got, err := conn.Read(answer)
		require.NoError(t, err, "address %d", n)
		require.Contains(t, string(answer[:got]), "SIP/2.0 200 OK")
		require.NoError(t, conn.Close())
	}
	require.Eventually(t, func() bool { return agent.TransportLayer().Pool("udp").Size() <= 3*atOnce }, time.Minute, time.Millisecond)
	require.NoError(t, socket.Close())
	require.NoError(t, agent.Close())
	working.Wait()
}
