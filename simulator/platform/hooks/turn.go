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

// TurnWithin is how long a flow hook has to answer a turn, a second attempt
// included.
const TurnWithin = 10 * time.Second

// ErrTurn means that a flow hook did not answer as it must.
var ErrTurn = errors.New("the flow hook failed")

// Ask makes a turn: it posts body to a flow hook, or to an address that a
// redirect named, and returns the document it answered with; an empty one means
// that there is nothing more to do. A hook that cannot be reached or answers 502,
// 503 or 504 is asked once more, under the same id and within the same time.
func (c *Client) Ask(ctx context.Context, h api.Hook, redirect, id string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, TurnWithin)
	defer cancel()
	address, trusted, err := resolve(h.URL, redirect)
	if err != nil {
		return nil, err
	}
	answer, err := c.post(ctx, address, h, trusted, id, body)
	if worthAnother(answer, err) && ctx.Err() == nil {
		answer, err = c.post(ctx, address, h, trusted, id, body)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTurn, err)
	}
	return document(answer)
}

// resolve returns the address of a redirect, relative to the hook's own, and
// whether it is of the same origin: only there may the hook's credentials go.
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

// worthAnother reports whether a turn may be made again: nothing was answered by
// the hook itself.
func worthAnother(answer Answer, err error) bool {
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return true
	}
	switch answer.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// document returns the verbs of an answer.
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
