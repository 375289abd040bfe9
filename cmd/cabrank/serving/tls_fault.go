package serving

import (
	"encoding/pem"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/callingside"
)

// tlsFaultFlags serve the operations over TLS with a fault.
type tlsFaultFlags struct {
	kind, caOut string
	own         tlsFlags
}

// The faults of TLS.
const (
	tlsExpired    = "expired"
	tlsSelfSigned = "self-signed"
	tlsWrongHost  = "wrong-host"
	tlsSlow       = "slow"
)

var tlsFaults = []string{tlsExpired, tlsSelfSigned, tlsWrongHost, tlsSlow}

// slowTLS is the length of a slow handshake; a server gives up after five seconds.
const slowTLS = 4 * time.Second

func (f *tlsFaultFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.kind, "tls-fault", "", "serve HTTPS with a fault: "+strings.Join(tlsFaults, ", "))
	f.own.add(fs)
	fs.StringVar(&f.caOut, "ca-out", "", "with --tls-fault or --tls: write the CA certificate for clients to this PEM file")
}

// https reports whether connections use TLS, with or without a fault.
func (f *tlsFaultFlags) https() bool { return f.kind != "" || f.own.on() }

// check refuses flags that do not go together.
func (f *tlsFaultFlags) check() error {
	switch {
	case f.kind != "" && f.own.on():
		return cli.UsageError("--tls-fault: a certificate of one's own has no fault; leave out --tls, --tls-cert and --tls-key")
	case f.kind == "" && f.own.made == "" && f.caOut != "":
		return cli.UsageError("--ca-out needs --tls-fault or --tls self-signed")
	case f.kind != "" && !slices.Contains(tlsFaults, f.kind):
		return cli.UsageError("--tls-fault is %q, want one of %s", f.kind, strings.Join(tlsFaults, ", "))
	case f.kind != "" && f.kind != tlsSelfSigned && f.caOut == "":
		return cli.UsageError("--tls-fault %s needs --ca-out: without a trusted certificate clients would not reach the fault", f.kind)
	}
	return f.own.check()
}

// secure wraps a listener in TLS if a flag asks for it.
func (f *tlsFaultFlags) secure(l net.Listener) (net.Listener, error) {
	if f.own.certFile != "" {
		return f.own.secure(l)
	}
	if !f.https() {
		return l, nil
	}
	host, _, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, err
	}
	all, ca, err := callingside.ThrowAway(cli.Now(), host, "localhost", "127.0.0.1")
	if err != nil {
		return nil, err
	}
	if f.caOut != "" {
		text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca})
		if err := cli.Replace("--ca-out", f.caOut, text, 0o644); err != nil {
			return nil, err
		}
	}
	shown := &all.Good
	switch f.kind {
	case tlsExpired:
		shown = all.Expired
	case tlsSelfSigned:
		shown = all.SelfSigned
	case tlsWrongHost:
		shown = all.WrongHost
	case tlsSlow:
		l = &slowListener{l, slowTLS}
	}
	return secured(l, *shown), nil
}

// slowListener delays the first byte sent to each client.
type slowListener struct {
	net.Listener
	by time.Duration
}

// Accept implements [net.Listener].
func (l *slowListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &slowConn{Conn: conn, by: l.by}, nil
}

// slowConn waits before its first write.
type slowConn struct {
	net.Conn
	by    time.Duration
	first sync.Once
}

// Write implements [net.Conn].
func (c *slowConn) Write(b []byte) (int, error) {
	c.first.Do(func() { <-time.After(c.by) })
	return c.Conn.Write(b)
}

// NetConn returns the underlying connection, for code that resets it instead of closing
// it.
func (c *slowConn) NetConn() net.Conn { return c.Conn }
