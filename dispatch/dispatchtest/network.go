package dispatchtest

import (
	"context"
	"fmt"
	"net"
	"sync"
	"syscall"
)

// Network is a network inside the process: its listeners have ports, and hosts mean nothing. Unlike TCP,
// it works in a testing/synctest bubble, where waiting on it lets time advance. The zero value is ready for use.
type Network struct {
	mu    sync.Mutex
	last  int            // the port that was opened last
	ports map[int]*pipes // those that are open
}

// Listen opens a port, until the listener is closed.
func (n *Network) Listen(context.Context) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ports == nil {
		n.ports = map[int]*pipes{}
	}
	n.last++
	p := &pipes{network: n, at: net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: n.last}, accept: make(chan net.Conn), closed: make(chan struct{})}
	n.ports[n.last] = p
	return p, nil
}

// Dial connects to the port of an address, whatever its host. An error of a port that is not open is
// [syscall.ECONNREFUSED].
func (n *Network) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	number, err := net.LookupPort(network, port)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	p := n.ports[number]
	n.mu.Unlock()
	if p == nil {
		return nil, fmt.Errorf("%s: %w", address, syscall.ECONNREFUSED)
	}
	near, far := net.Pipe()
	select {
	case p.accept <- far:
		return near, nil
	case <-p.closed:
		return nil, fmt.Errorf("%s: %w", address, syscall.ECONNREFUSED)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pipes is an open port.
type pipes struct {
	network *Network
	at      net.TCPAddr
	accept  chan net.Conn
	closed  chan struct{}
}

func (p *pipes) Addr() net.Addr { return &p.at }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accept:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	if p.network.ports[p.at.Port] == p {
		delete(p.network.ports, p.at.Port)
		close(p.closed)
	}
	return nil
}
