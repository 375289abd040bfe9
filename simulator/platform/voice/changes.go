package voice

import (
	"context"
	"sync"
)

// Changes counts the changes of something that people look at, and lets them wait for
// the next one. The zero value has counted none. It is safe for concurrent use.
type Changes struct {
	mu      sync.Mutex
	version int
	next    chan struct{} // closed at the next change; nil: nobody waits
}

// Version counts the changes so far.
func (c *Changes) Version() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Tell counts a change and tells those who wait.
func (c *Changes) Tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
}

// Wait returns once the version is another one, or ctx ends.
func (c *Changes) Wait(ctx context.Context, version int) {
	c.mu.Lock()
	if c.version != version {
		c.mu.Unlock()
		return
	}
	if c.next == nil {
		c.next = make(chan struct{})
	}
	next := c.next
	c.mu.Unlock()
	select {
	case <-next:
	case <-ctx.Done():
	}
}
