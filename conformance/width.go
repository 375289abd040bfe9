package conformance

import (
	"context"
	"net/http"
	"time"
)

// patience is the least time that a second connection has to be answered while a first
// one is idle. Slow servers get three times as long as their slowest call.
const patience = time.Second

// probeConcurrency finds out whether the server answers on two connections at a time.
// If it does not, probes run one at a time, and checks that need two connections are
// not verified.
func (r *client) probeConcurrency(ctx context.Context) {
	own, ok := r.config.Transport.(*http.Transport)
	if !ok {
		return
	}
	hello := r.config.Hello
	hello.extraConnection, hello.within = true, max(patience, 3*r.slowest())
	x := r.once(ctx, probePreflight, hello)
	if x.Response != nil || ctx.Err() != nil {
		return
	}
	r.oneConnection = true
	one := own.Clone()
	one.MaxConnsPerHost = 1
	own.CloseIdleConnections()
	r.config.Transport = one
	r.http.Transport = one
}

// slowest returns the time of the slowest call so far.
func (r *client) slowest() (longest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.history {
		longest = max(longest, x.Took)
	}
	return longest
}
