package hooks

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// TurnWithin is the time limit of a turn, including a second attempt.
const TurnWithin = 10 * time.Second

// ErrTurn means that a flow hook did not return a valid response.
var ErrTurn = errors.New("the flow hook failed")

// Ask makes a turn: it posts body to a flow hook, or to the address of a redirect, and
// returns the document in the response; an empty one means that nothing is left to do. If
// the hook cannot be reached or returns 502, 503 or 504, Ask repeats the request once,
// with the same id and within the same time limit.
func (c *Client) Ask(ctx context.Context, h api.Hook, redirect, id string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, TurnWithin)
	defer cancel()
	address, trusted, err := resolve(h.URL, redirect)
	if err != nil {
		return nil, err
	}
	answer, err := c.post(ctx, address, h, trusted, id, body)
	if isRetryable(answer, err) && ctx.Err() == nil {
		answer, err = c.post(ctx, address, h, trusted, id, body)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTurn, err)
	}
	return document(answer)
}

// resolve returns the address of a redirect, relative to the hook's own, and whether it
// has the same origin: only then may the hook's credentials be sent.
func resolve(hook, redirect string) (address string, trusted bool, err error) {
	base, err := url.Parse(hook)
	if err != nil || redirect == "" {
		return hook, true, err
	}
	to, err := base.Parse(redirect)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return "", false, fmt.Errorf("%w: it redirected to what is no http address", ErrTurn)
	}
	return to.String(), to.Scheme == base.Scheme && to.Host == base.Host, nil
}

// isRetryable reports whether a turn may be repeated: the connection failed, or the status is 502, 503 or 504.
func isRetryable(answer Answer, err error) bool {
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return true
	}
	switch answer.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// document returns the verbs of a response.
func document(answer Answer) ([]byte, error) {
	if answer.Status == http.StatusNoContent {
		return []byte("[]"), nil
	}
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("%w: it answered %d", ErrTurn, answer.Status)
	}
	if media, _, err := mime.ParseMediaType(answer.ContentType); err != nil || media != "application/json" {
		return nil, fmt.Errorf("%w: it answered with the type %.80q, want application/json", ErrTurn, answer.ContentType)
	}
	return answer.Body, nil
}
