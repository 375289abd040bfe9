package dispatch

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// mostConns is how many connections a server keeps. One more takes the place of the one
// that has been idle longest; where none is idle it is closed.
const mostConns = 4096

// conns are the connections of a server.
type conns struct {
	most int
	mu   sync.Mutex
	open map[net.Conn]*list.Element // nil: not idle
	idle list.List                  // of net.Conn, the longest idle first
}

func newConns(most int) *conns { return &conns{most: most, open: make(map[net.Conn]*list.Element)} }

// changed is an [http.Server]'s ConnState.
func (c *conns) changed(conn net.Conn, to http.ConnState) {
	if surplus := c.note(conn, to); surplus != nil {
		_ = surplus.Close() // the server notices, whatever it says
	}
}

// note notes what became of a connection, and returns one that is too many, or nil.
func (c *conns) note(conn net.Conn, to http.ConnState) (surplus net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if place := c.open[conn]; place != nil {
		c.idle.Remove(place)
	}
	switch to {
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
		return nil
	case http.StateIdle:
		c.open[conn] = c.idle.PushBack(conn)
		return nil
	}
	c.open[conn] = nil
	if to != http.StateNew || len(c.open) <= c.most {
		return nil
	}
	if oldest := c.idle.Front(); oldest != nil {
		return c.idle.Remove(oldest).(net.Conn)
	}
	return conn
}
