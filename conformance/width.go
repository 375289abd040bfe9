package conformance

import (
	"context"
	"net/http"
	"time"
)

// patience is how long a second connection may take to be answered while a first
// one is idle, at least: slow servers get three times what they take otherwise.
const patience = time.Second

// probeConcurrency finds out whether the server answers on a second connection while a
// first one is kept open. Simple servers do not: they are told one probe after
// another over one connection, and what needs two is not verified.
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

// slowest returns how long the slowest call so far took.
func (r *run) slowest() (longest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.history {
		longest = max(longest, x.Took)
	}
	return longest
}
