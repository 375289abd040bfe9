package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/conformance/journal/live/query"
)

// Requests returns the matching requests to the five operations, in the order in which
// they ended. A server without a journal refuses it.
func (c *Client) Requests(ctx context.Context, q query.Question) (out query.Listing, err error) {
	err = c.post(ctx, q, &out, "requests", "find")
	return out, err
}

// ListRequests returns the last requests that match the parameters of GET /requests. The
// response is decoded into a [*query.Listing], or into a json.RawMessage, which keeps it
// unchanged.
func (c *Client) ListRequests(ctx context.Context, parameters url.Values, into any) error {
	return c.do(ctx, http.MethodGet, at("requests")+"?"+parameters.Encode(), nil, into)
}

// FollowRequests streams requests as they end, as server-sent events; the caller reads
// and closes the stream.
func (c *Client) FollowRequests(ctx context.Context, parameters url.Values) (io.ReadCloser, error) {
	resp, err := c.send(ctx, http.MethodGet, at("requests", "stream")+"?"+parameters.Encode(), nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// CountRequests counts the matching requests.
func (c *Client) CountRequests(ctx context.Context, q query.Question) (int, error) {
	var found struct{ Count int }
	err := c.post(ctx, q, &found, "requests", "count")
	return found.Count, err
}

// WaitForRequests waits until enough requests match, including earlier ones. After the
// timeout, the error is a [*Problem] with status 408, which contains the closest
// requests.
func (c *Client) WaitForRequests(ctx context.Context, w query.Waiting) (out query.Listing, err error) {
	err = c.post(ctx, w, &out, "requests", "wait")
	return out, err
}

// ReadRequest returns one request in full, by its id or X-Cabrank-Request. It is decoded
// into a [*live.Document], or into a json.RawMessage, which keeps it unchanged.
func (c *Client) ReadRequest(ctx context.Context, id string, into any) error {
	return c.do(ctx, http.MethodGet, at("requests", id), nil, into)
}

// RequestAs returns one request as curl, har or http.
func (c *Client) RequestAs(ctx context.Context, id, form string) ([]byte, error) {
	return c.text(ctx, at("requests", id)+"?as="+url.QueryEscape(form))
}

// Verify compares the requests with expectations. If they are not met, the error is a
// [*Problem] with status 409.
func (c *Client) Verify(ctx context.Context, v query.Verification) (out query.Verified, err error) {
	err = c.post(ctx, v, &out, "verify")
	return out, err
}

// Rule returns the check that findings refer to.
func (c *Client) Rule(ctx context.Context, id string) (out query.Rule, err error) {
	err = c.get(ctx, &out, "rules", id)
	return out, err
}

// ReadReport returns the findings by check. They are decoded into a [*live.Summary], or
// into a json.RawMessage, which keeps them unchanged.
func (c *Client) ReadReport(ctx context.Context, into any) error {
	return c.do(ctx, http.MethodGet, at("report"), nil, into)
}

// ReportAs returns the report in the format that the parameters of GET /report select.
func (c *Client) ReportAs(ctx context.Context, parameters url.Values) ([]byte, error) {
	return c.text(ctx, at("report")+"?"+parameters.Encode())
}

// ClearRequests deletes all requests; their ids continue.
func (c *Client) ClearRequests(ctx context.Context) error {
	return c.del(ctx, "requests")
}
