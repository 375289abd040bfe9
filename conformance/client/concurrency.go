package client

import (
	"context"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// patience is the minimum time that a server has to answer on a second connection while the first one is
// idle. Slow servers get three times the duration of their slowest call.
const patience = time.Second

// ProbeConcurrency finds out whether the server answers on two connections at the same time. If not, it
// sets OneConnection and uses a single connection from then on.
func (r *Client) ProbeConcurrency(ctx context.Context) {
	own, ok := r.Config.Transport.(*http.Transport)
	if !ok {
		return
	}
	hello := r.Config.Hello
	hello.ExtraConnection, hello.Within = true, max(patience, 3*r.Slowest())
	x := r.Once(ctx, conformance.ProbePreflight, hello)
	if x.Response != nil || ctx.Err() != nil {
		return
	}
	r.OneConnection = true
	one := own.Clone()
	one.MaxConnsPerHost = 1
	own.CloseIdleConnections()
	r.Config.Transport = one
	r.http.Transport = one
}

// Slowest returns the duration of the slowest call so far; 0: there was none.
func (r *Client) Slowest() (longest time.Duration) {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	for _, x := range r.History {
		longest = max(longest, x.Took)
	}
	return longest
}

// abandoned reports whether the run was abandoned, so that no more calls are made.
func (r *Client) abandoned() bool {
	select {
	case <-r.Config.Abandon: // a nil channel is never closed
		return true
	default:
		return false
	}
}

// unlessAbandoned returns a context that ends with ctx, or when the run is abandoned. The caller must call
// free.
func (r *Client) unlessAbandoned(ctx context.Context) (limited context.Context, free func()) {
	ctx, end := context.WithCancel(ctx)
	if r.Config.Abandon == nil {
		return ctx, end
	}
	go func() { // ends with free
		select {
		case <-r.Config.Abandon:
			end()
		case <-ctx.Done():
		}
	}()
	return ctx, end
}
