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
func (r *run) probeConcurrency(ctx context.Context) {
	own, ok := r.target.Transport.(*http.Transport)
	if !ok {
		return
	}
	x := r.once(ctx, probePreflight, call{op: OpConfig, body: encode(object{}), extraConnection: true, within: max(patience, 3*r.slowest())})
	if x.Response != nil || ctx.Err() != nil {
		return
	}
	r.oneConnection = true
	one := own.Clone()
	one.MaxConnsPerHost = 1
	own.CloseIdleConnections()
	r.target.Transport, r.target.Width = one, 1
	r.http.Transport = one
}

// slowest returns the time of the slowest call so far.
func (r *run) slowest() (longest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.history {
		longest = max(longest, x.Took)
	}
	return longest
}
