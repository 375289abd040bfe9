package sip

import (
	"net"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// limited is a listener that allows a limited number of connections at one time.
type limited struct {
	net.Listener
	slots chan struct{}
	after func(time.Duration, func()) voice.Timer
	known func(net.Addr) bool
}

// Accept implements [net.Listener]. It closes connections beyond the limit.
func (l *limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.slots <- struct{}{}:
			c := &counted{Conn: conn, after: l.after, free: sync.OnceFunc(func() { <-l.slots })}
			c.heard()
			c.wait(l.known)
			return c, nil
		default:
			_ = conn.Close()
		}
	}
}

// counted is a connection that counts towards the limit until it is closed. It is closed if it sends nothing for too
// long, or if its other side is not known after a while.
type counted struct {
	net.Conn
	free  func()
	after func(time.Duration, func()) voice.Timer

	mu     sync.Mutex
	idle   voice.Timer
	known  voice.Timer
	closed bool
}

// wait closes the connection after a while, unless known reports by then that its other side is a telephone or trunk.
func (c *counted) wait(known func(net.Addr) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.known = c.after(strangerWithin, func() {
		if !known(c.RemoteAddr()) {
			_ = c.Close()
		}
	})
}

// mostIdle is how long a connection may send nothing: longer than the longest lifetime of a registration.
const mostIdle = mostBound + time.Minute

// heard restarts the idle timeout.
func (c *counted) heard() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle != nil {
		c.idle.Stop()
	}
	if !c.closed {
		c.idle = c.after(mostIdle, func() { _ = c.Close() })
	}
}

// Read implements [net.Conn].
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil {
		c.heard()
	}
	return n, err
}

// Close implements [net.Conn].
func (c *counted) Close() error {
	c.mu.Lock()
	c.closed = true
	c.idle.Stop()
	if c.known != nil {
		c.known.Stop()
	}
	c.mu.Unlock()
	c.free()
	return c.Conn.Close()
}
