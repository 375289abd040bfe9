package client

import "context"

// abandoned reports whether the run was abandoned, so that no more calls are made.
func (r *Client) abandoned() bool {
	select {
	case <-r.Config.Abandon: // a nil channel is never closed
		return true
	default:
		return false
	}
}

// unlessAbandoned returns a context that ends with ctx, or when the run is abandoned.
// Free must be called.
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
