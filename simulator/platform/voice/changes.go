package voice

import (
	"context"
	"sync"
)

// Changes counts the changes of an object and lets callers wait for the next one. The
// zero value has counted none. It is safe for concurrent use.
type Changes struct {
	mu      sync.Mutex
	version int
	next    chan struct{} // closed at the next change; nil: nobody waits
}

// Version returns the number of changes so far.
func (c *Changes) Version() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Tell counts a change and wakes the goroutines in Wait.
func (c *Changes) Tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
}

// Wait returns when the version has changed, or ctx ends.
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
