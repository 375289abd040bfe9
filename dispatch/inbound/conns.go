package inbound

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// mostConns is how many connections a server keeps.
const mostConns = 4096

// conns tracks the connections of a server. Each request makes its connection busy and idle
// again, so this takes no lock of its own; the connection that has been idle longest is
// searched for only when there are too many.
type conns struct {
	most  int
	turns atomic.Int64 // counts how often one became idle
	mu    sync.RWMutex
	open  map[net.Conn]*atomic.Int64 // the turn at which it became idle; busy: it is not
}

// busy is the turn of a connection that is not idle.
const busy = 0

// LimitConns returns the ConnState of an [http.Server] that keeps 4096 connections. A further
// one replaces the one that has been idle longest; if none is idle, the new one is closed.
func LimitConns() func(net.Conn, http.ConnState) { return newConns(mostConns).changed }

func newConns(most int) *conns { return &conns{most: most, open: make(map[net.Conn]*atomic.Int64)} }

func (c *conns) changed(conn net.Conn, to http.ConnState) {
	if surplus := c.note(conn, to); surplus != nil {
		_ = surplus.Close() // the server notices, whatever it says
	}
}

// note records the new state of a connection, and returns a connection to close, or nil.
func (c *conns) note(conn net.Conn, to http.ConnState) (surplus net.Conn) {
	switch to {
	case http.StateNew:
		return c.add(conn)
	case http.StateClosed, http.StateHijacked:
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, conn)
		return nil
	}
	turn := int64(busy)
	if to == http.StateIdle {
		turn = c.turns.Add(1)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if idle := c.open[conn]; idle != nil {
		idle.Store(turn)
	}
	return nil
}

// add adds a new connection. If there are too many, it returns the one to close, otherwise nil.
func (c *conns) add(conn net.Conn) (surplus net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn] = new(atomic.Int64)
	if len(c.open) <= c.most {
		return nil
	}
	var longest *atomic.Int64
	surplus = conn
	for other, idle := range c.open {
		if since := idle.Load(); since != busy && (longest == nil || since < longest.Load()) {
			surplus, longest = other, idle
		}
	}
	if longest != nil {
		longest.Store(busy) // it is closed once
	}
	return surplus
}
