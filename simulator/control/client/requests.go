package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/conformance/journal/live/query"
)

// Requests finds the requests that callers have made of the five operations, in the order
// in which they ended. A server without a journal refuses it.
func (c *Client) Requests(ctx context.Context, q query.Question) (out query.Listing, err error) {
	err = c.post(ctx, q, &out, "requests", "find")
	return out, err
}

// ListRequests lists the last requests that fit the parameters of GET /requests. The answer is
// read into a [*query.Listing], or into a json.RawMessage, which keeps it as it was told.
func (c *Client) ListRequests(ctx context.Context, parameters url.Values, into any) error {
	return c.do(ctx, http.MethodGet, at("requests")+"?"+parameters.Encode(), nil, into)
}

// FollowRequests tells requests as they end, as server-sent events; the caller reads and closes them.
func (c *Client) FollowRequests(ctx context.Context, parameters url.Values) (io.ReadCloser, error) {
	resp, err := c.send(ctx, http.MethodGet, at("requests", "stream")+"?"+parameters.Encode(), nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// CountRequests counts the requests that fit.
func (c *Client) CountRequests(ctx context.Context, q query.Question) (int, error) {
	var found struct{ Count int }
	err := c.post(ctx, q, &found, "requests", "count")
	return found.Count, err
}

// WaitForRequests waits until so many requests fit, those that were before included. When
// they do not come in time the error is a [*Problem] with status 408, which tells the
// nearest.
func (c *Client) WaitForRequests(ctx context.Context, w query.Waiting) (out query.Listing, err error) {
	err = c.post(ctx, w, &out, "requests", "wait")
	return out, err
}

// ReadRequest tells all of one request, by its id or X-Cabrank-Request. It is read into a
// [*live.Document], or into a json.RawMessage, which keeps it as it was told.
func (c *Client) ReadRequest(ctx context.Context, id string, into any) error {
	return c.do(ctx, http.MethodGet, at("requests", id), nil, into)
}

// RequestAs writes one request as curl, har or http.
func (c *Client) RequestAs(ctx context.Context, id, form string) ([]byte, error) {
	return c.text(ctx, at("requests", id)+"?as="+url.QueryEscape(form))
}

// ReplayRequest sends a request once more, and tells how the answer differs.
func (c *Client) ReplayRequest(ctx context.Context, id string, o query.Replay) (out query.Replayed, err error) {
	err = c.post(ctx, o, &out, "requests", id, "replay")
	return out, err
}

// Verify holds the requests against what is expected of them. What is not met is told by a
// [*Problem] with status 409.
func (c *Client) Verify(ctx context.Context, v query.Verification) (out query.Verified, err error) {
	err = c.post(ctx, v, &out, "verify")
	return out, err
}

// Rule tells of the check that findings are filed under.
func (c *Client) Rule(ctx context.Context, id string) (out query.Rule, err error) {
	err = c.get(ctx, &out, "rules", id)
	return out, err
}

// ReadReport tells what was found, by check. It is read into a [*live.Summary], or into a
// json.RawMessage, which keeps it as it was told.
func (c *Client) ReadReport(ctx context.Context, into any) error {
	return c.do(ctx, http.MethodGet, at("report"), nil, into)
}

// ReportAs writes the report in the form that the parameters of GET /report ask for.
func (c *Client) ReportAs(ctx context.Context, parameters url.Values) ([]byte, error) {
	return c.text(ctx, at("report")+"?"+parameters.Encode())
}

// ClearRequests forgets all requests; their ids go on counting.
func (c *Client) ClearRequests(ctx context.Context) error {
	return c.del(ctx, "requests")
}
