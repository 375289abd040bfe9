package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
)

// AddFault puts a rule behind those that there are, and returns it with its id and what it
// left out.
func (c *Client) AddFault(ctx context.Context, r fault.Rule) (fault.Listed, error) {
	return ask[fault.Listed](ctx, c, http.MethodPost, "/faults", r)
}

// Faults lists the rules in the order in which they are tried.
func (c *Client) Faults(ctx context.Context) ([]fault.Listed, error) {
	list, err := ask[control.Faults](ctx, c, http.MethodGet, "/faults", nil)
	return list.Faults, err
}

// RemoveFault ends a rule and forgets it.
func (c *Client) RemoveFault(ctx context.Context, id string) error {
	return c.Do(ctx, http.MethodDelete, "/faults/"+url.PathEscape(id), nil, nil)
}

// ClearFaults forgets all rules.
func (c *Client) ClearFaults(ctx context.Context) error {
	return c.Do(ctx, http.MethodDelete, "/faults", nil, nil)
}
