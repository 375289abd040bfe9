package cli

import (
	"context"
	"net"
)

// Listen listens on the address of --listen. Its error gives the right form, or the
// reason why the address cannot be used.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	return ListenAs(ctx, "--listen", address)
}

// ListenAs is [Listen] for a flag of another name.
func ListenAs(ctx context.Context, flag, address string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err == nil {
		return listener, nil
	}
	if _, _, odd := net.SplitHostPort(address); odd != nil {
		return nil, UsageError("%s is %q, want HOST:PORT such as 127.0.0.1:8080, or 127.0.0.1:0 for a free port", flag, address)
	}
	return nil, UsageError("cannot listen on %s: %w; choose another with %s HOST:PORT such as 127.0.0.1:0, or stop what listens there", address, err, flag)
}

// Reachable returns a listener's address in the form that a program on this machine
// dials.
func Reachable(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}).String()
	}
	return a.String()
}

// Loopback reports whether only this machine can reach a listener.
func Loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
