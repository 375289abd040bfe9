package calls

import "github.com/cabrank/cabrank/simulator/platform/voice"

// Watch tells of the events of a call, and of the calls that are placed for it. f
// must not wait. The id may be that of a call that is about to come in, or of a
// chat. stop ends it.
func (c *Calls) Watch(id string, f func(voice.Event)) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watchers[id] = f
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, id)
	}
}

// watched tells who watches.
func (c *Calls) watched(e voice.Event) {
	c.mu.Lock()
	own, parents := c.watchers[e.ID], c.watchers[e.Parent]
	c.mu.Unlock()
	for _, f := range []func(voice.Event){own, parents} {
		if f != nil {
			f(e)
		}
	}
}
