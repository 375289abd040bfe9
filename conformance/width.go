package conformance

import (
	"context"
	"net/http"
	"time"
)

// patience is how long a second connection may take to be answered while a first
// one is idle, at least: slow servers get three times what they take otherwise.
const patience = time.Second

// fitWidth finds out whether the server answers on a second connection while a
// first one is kept open. Simple servers do not: they are told one story after
// another over one connection, and what needs two is not verified.
func (r *run) fitWidth(ctx context.Context) {
	own, ok := r.target.Transport.(*http.Transport)
	if !ok {
		return
	}
	x := r.once(ctx, preflightProbe, letter{op: OpConfig, body: encode(object{}), beside: true, within: max(patience, 3*r.slowest())})
	if x.Response != nil || ctx.Err() != nil {
		return
	}
	r.single = true
	one := own.Clone()
	one.MaxConnsPerHost = 1
	own.CloseIdleConnections()
	r.target.Transport, r.target.Width = one, 1
	r.http.Transport = one
}

// slowest returns how long the slowest call so far took.
func (r *run) slowest() (longest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.history {
		longest = max(longest, x.Took)
	}
	return longest
}

// together makes calls at the same time, each for the caller that it is from, and
// returns them in the order given.
func (c *caller) together(letters ...letter) []*Exchange {
	if c.run.single {
		c.block("the server takes one connection at a time")
	}
	calls := make([]*Exchange, len(letters))
	if !c.going() {
		for i := range calls {
			calls[i] = nothing
		}
		return calls
	}
	done := make(chan struct{})
	for i, l := range letters {
		go func() {
			calls[i] = c.run.send(c.ctx, c.probe.name, l)
			done <- struct{}{}
		}()
	}
	for range letters {
		<-done
	}
	for i, x := range calls {
		if by := letters[i].from; by != nil {
			by.learn(x)
		} else {
			c.learn(x)
		}
	}
	return calls
}
