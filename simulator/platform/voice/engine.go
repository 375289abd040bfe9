package voice

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// Engine runs calls. It is created by [New] and is safe for concurrent use.
type Engine struct {
	options Options
	ctx     context.Context // cancelled when the engine closes
	cancel  context.CancelFunc

	mu      sync.Mutex
	calls   map[string]*Call
	closed  bool
	running sync.WaitGroup // functions of Clock.Go that have begun
}

// New returns an engine. Close it when it is no longer needed.
func New(o Options) *Engine {
	e := &Engine{options: o.withDefaults(), calls: map[string]*Call{}}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e
}

// Place places a call: it calls the target, and runs the program when that has answered.
// It fails with [ErrFull] or [ErrClosed]; if the target cannot be reached, that is not an
// error but a failed call.
func (e *Engine) Place(o Outgoing) (*Call, error) {
	o.Info.Direction = Outbound
	o.Info.To = cmp.Or(o.Target.Role, o.Info.To, o.Target.Address())
	o.Info.ToShown = o.Target.Shown()
	c := &Call{e: e, next: o.Next, done: o.Done, program: o.Program}
	return e.take(c, o.Info, func() { c.place(o.Target) })
}

// Receive begins an incoming call: it rings, and runs the program. It fails with
// [ErrFull] or [ErrClosed], and does not use the leg then.
func (e *Engine) Receive(i Incoming) (*Call, error) {
	i.Info.Direction = Inbound
	c := &Call{e: e, next: i.Next, done: i.Done, program: i.Program}
	return e.take(c, i.Info, func() { c.receive(i.Leg) })
}

// take registers a call and calls begin before it returns. Until then no other goroutine has the call; one that finds
// it in the engine can only use its mailbox.
func (e *Engine) take(c *Call, info Info, begin func()) (*Call, error) {
	if info.ID == "" {
		info.ID = e.options.NewID()
	}
	info.From = cmp.Or(info.From, Anonymous)
	c.info, c.state, c.began = info, StateQueued, e.options.Clock.Now()
	c.ctx, c.cancel = context.WithCancel(e.ctx)
	var err error
	c.post(func() {
		if err = e.enter(c); err == nil {
			begin()
		}
	})
	if err != nil {
		c.cancel()
		return nil, err
	}
	return c, nil
}

// enter adds a call to the engine's calls.
func (e *Engine) enter(c *Call) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return ErrClosed
	case len(e.calls) >= e.options.MaxCalls:
		return ErrFull
	}
	e.calls[c.info.ID] = c
	return nil
}

// Call returns the call with an id, if it is up.
func (e *Engine) Call(id string) (*Call, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, ok := e.calls[id]
	return c, ok
}

// Calls returns the calls that are up, oldest first.
func (e *Engine) Calls() []*Call {
	e.mu.Lock()
	calls := make([]*Call, 0, len(e.calls))
	for _, c := range e.calls {
		calls = append(calls, c)
	}
	e.mu.Unlock()
	slices.SortFunc(calls, func(a, b *Call) int {
		return cmp.Or(a.began.Compare(b.began), strings.Compare(a.info.ID, b.info.ID))
	})
	return calls
}

// Close hangs up all calls, accepts no new ones and waits until current work, such as a
// turn, has returned, or ctx ends.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	for _, c := range e.Calls() {
		c.Hangup("the platform is stopping")
	}
	e.mu.Lock()
	e.cancel()
	e.mu.Unlock()
	idle := make(chan struct{})
	go func() { // ends with the last call
		e.running.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// forget removes a call that is over.
func (e *Engine) forget(c *Call) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.calls, c.info.ID)
}

// aside runs work that may block in a goroutine. Once the engine is closed it does nothing.
func (e *Engine) aside(work func()) {
	e.options.Clock.Go(func() {
		e.mu.Lock()
		if e.ctx.Err() != nil {
			e.mu.Unlock()
			return
		}
		e.running.Add(1)
		e.mu.Unlock()
		defer e.running.Done()
		e.guard("work beside a call", work)
	})
}

// guard runs a function of the user, and recovers from its panics.
func (e *Engine) guard(what string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			e.options.Logger.Error("voice: panic", "in", what, "panic", p)
		}
	}()
	f()
}
