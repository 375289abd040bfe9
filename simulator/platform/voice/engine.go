package voice

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// Engine runs calls. It is made by [New] and may be used from anywhere at once.
type Engine struct {
	options Options
	ctx     context.Context // ends when the engine closes
	cancel  context.CancelFunc

	mu      sync.Mutex
	calls   map[string]*Call
	closed  bool
	running sync.WaitGroup // work that was handed to Clock.Go and has begun
}

// New returns an engine. Close it when it is no longer needed.
func New(o Options) *Engine {
	e := &Engine{options: o.withDefaults(), calls: map[string]*Call{}}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e
}

// Place places a call: it rings the target, and runs the program once that has
// answered. It fails with [ErrFull] or [ErrClosed]; a target that cannot be reached
// is no error but a call that failed.
func (e *Engine) Place(o Outgoing) (*Call, error) {
	o.Info.Direction = Outbound
	o.Info.To = cmp.Or(o.Target.Role, o.Info.To, o.Target.Address())
	o.Info.ToShown = o.Target.Shown()
	c := &Call{e: e, next: o.Next, done: o.Done, program: o.Program}
	return e.take(c, o.Info, func() { c.place(o.Target) })
}

// Receive takes a call that has come in: it rings, and runs the program. It fails
// with [ErrFull] or [ErrClosed], and leaves the leg alone then.
func (e *Engine) Receive(i Incoming) (*Call, error) {
	i.Info.Direction = Inbound
	c := &Call{e: e, next: i.Next, done: i.Done, program: i.Program}
	return e.take(c, i.Info, func() { c.receive(i.Leg) })
}

// take enters a call in the engine's book and begins it. Nobody else knows the
// call yet, so it happens before take returns; and who finds it in the book finds
// its mailbox at work.
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

// enter writes a call into the book.
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

// Call returns the call of that id, if it is up.
func (e *Engine) Call(id string) (*Call, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, ok := e.calls[id]
	return c, ok
}

// Calls returns the calls that are up, the oldest first.
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

// Close hangs up all calls, takes no more and waits until what is under way, such
// as a turn, has returned, or ctx ends.
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

// forget strikes a call that is over out of the book.
func (e *Engine) forget(c *Call) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.calls, c.info.ID)
}

// aside runs work that may take its time. Once the engine is closed it runs none.
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

// guard runs what was handed in, and survives its panics.
func (e *Engine) guard(what string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			e.options.Logger.Error("voice: panic", "in", what, "panic", p)
		}
	}()
	f()
}
