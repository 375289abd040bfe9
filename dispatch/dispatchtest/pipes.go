package dispatchtest

import (
	"context"
	"net"
	"sync"
)

// pipes is a listener with connections inside the process. Unlike TCP, they work in a
// testing/synctest bubble, where waiting on them lets time advance.
type pipes struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// dial makes a connection, ignoring the address.
func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.accept <- far:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for the next connection.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accept:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close stops accepting; open connections continue.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr returns the listener's address.
func (p *pipes) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "cabrank.invalid" }
