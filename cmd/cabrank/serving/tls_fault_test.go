package serving

import (
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestTLSThatGoesWrong is called by somebody who looks at certificates.
func TestTLSThatGoesWrong(t *testing.T) {
	s := newShell(t)
	for kind, says := range map[string]string{
		"expired":     "certificate has expired",
		"self-signed": "certificate signed by unknown authority",
		"wrong-host":  "it doesn't contain any IP SANs",
	} {
		url, stop := s.Serve("--town", "none", "--tls-fault", kind, "--ca-out", "ca.pem")
		require.Contains(t, s.Fails(cli.ExitUnreachable, "book", "--url", url, "--ca", "ca.pem"), says, kind)
		stop()
	}
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--tls-fault", "old"), `--tls-fault is "old", want one of expired`)
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--tls-fault", "slow"), "needs --ca-out")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--ca-out", "ca.pem"), "--ca-out needs --tls-fault")
}

// TestASlowHandshake has the first word wait, and no other.
func TestASlowHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		slow := &slowConn{Conn: here, by: slowTLS}
		began := time.Now()
		go func() { _, _ = slow.Write([]byte("x")); _, _ = slow.Write([]byte("y")) }()
		for range 2 {
			_, err := there.Read(make([]byte, 1))
			require.NoError(t, err)
			require.Equal(t, slowTLS, time.Since(began))
		}
		require.Same(t, here, slow.NetConn())
	})
}
