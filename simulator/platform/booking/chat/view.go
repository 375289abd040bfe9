package chat

import (
	"context"
	"slices"
)

// View is a chat as it is at one moment.
type View struct {
	Messages  []Message `json:"messages"`
	First     int       `json:"first"`     // the number of the first of Messages; a long chat keeps only the latest
	Version   int       `json:"version"`   // counts messages, with those that are kept no more
	Following bool      `json:"following"` // there may be news of a journey without a word of the customer
}

// View returns the messages from one on, as far as they are kept. The first message of
// a chat has the number 0.
func (c *Chat) View(from int) View {
	c.mu.Lock()
	defer c.mu.Unlock()
	version := c.changes.Version()
	gone := version - len(c.messages)
	first := min(max(from, gone), version)
	v := View{Messages: slices.Clone(c.messages[first-gone:]), First: first, Version: version, Following: c.follow != nil}
	if v.Messages == nil {
		v.Messages = []Message{}
	}
	return v
}

// Wait returns once there are other messages than at a version, or ctx ends.
func (c *Chat) Wait(ctx context.Context, version int) { c.changes.Wait(ctx, version) }

// Close ends the chat: no more news is asked for.
func (c *Chat) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
	c.closed = true
	if c.session != nil {
		c.opts.Clock.Go(c.session.Leave) // it may be waiting for the third party
	}
}
