package client

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/conformance/journal/live"
)

// Requests finds the requests that callers have made of the five operations, in the order
// in which they ended. A server without a journal refuses it.
func (c *Client) Requests(ctx context.Context, q live.Question) (live.Listing, error) {
	return ask[live.Listing](ctx, c, http.MethodPost, "/requests/find", q)
}

// WaitForRequests waits until so many requests fit, those that were before included. When
// they do not come in time the error is a [*Problem] with status 408, which tells the
// nearest.
func (c *Client) WaitForRequests(ctx context.Context, w live.Waiting) (live.Listing, error) {
	return ask[live.Listing](ctx, c, http.MethodPost, "/requests/wait", w)
}

// Verify holds the requests against what is expected of them. What is not met is told by a
// [*Problem] with status 409.
func (c *Client) Verify(ctx context.Context, v live.Verification) (live.Verified, error) {
	return ask[live.Verified](ctx, c, http.MethodPost, "/verify", v)
}

// ClearRequests forgets all requests; their ids go on counting.
func (c *Client) ClearRequests(ctx context.Context) error {
	return c.Do(ctx, http.MethodDelete, "/requests", nil, nil)
}
