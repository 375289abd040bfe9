package client

import (
	"context"
	"net/http"
	"strconv"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
)

// AddFault adds a rule after the existing ones, and returns it with its id and defaults.
// rule is a [fault.Rule], or a value with the same JSON.
func (c *Client) AddFault(ctx context.Context, rule any) (out fault.Listed, err error) {
	err = c.post(ctx, rule, &out, "faults")
	return out, err
}

// Faults lists the rules in the order in which they are applied.
func (c *Client) Faults(ctx context.Context) ([]fault.Listed, error) {
	var list control.Faults
	err := c.get(ctx, &list, "faults")
	return list.Faults, err
}

// Fault returns a rule and its remaining hits and time.
func (c *Client) Fault(ctx context.Context, id string) (out fault.Listed, err error) {
	err = c.get(ctx, &out, "faults", id)
	return out, err
}

// ChangeFault changes a rule by a JSON merge patch (RFC 7396), such as a map.
func (c *Client) ChangeFault(ctx context.Context, id string, change any) (out fault.Listed, err error) {
	err = c.do(ctx, http.MethodPatch, at("faults", id), change, &out)
	return out, err
}

// RemoveFault removes a rule.
func (c *Client) RemoveFault(ctx context.Context, id string) error {
	return c.del(ctx, "faults", id)
}

// ClearFaults removes all rules.
func (c *Client) ClearFaults(ctx context.Context) error {
	return c.del(ctx, "faults")
}

// FaultCatalogue returns the faults, with examples of their parameters.
func (c *Client) FaultCatalogue(ctx context.Context) (out control.FaultCatalogue, err error) {
	err = c.get(ctx, &out, "faults", "catalogue")
	return out, err
}

// Magic returns the meaning of the last three digits of callers' numbers.
func (c *Client) Magic(ctx context.Context) (out control.Magic, err error) {
	err = c.get(ctx, &out, "magic")
	return out, err
}

// DefineMagic assigns a fault to a number from 900 to 999.
func (c *Client) DefineMagic(ctx context.Context, number int, do fault.Do) (out fault.Magic, err error) {
	err = c.put(ctx, do, &out, "magic", strconv.Itoa(number))
	return out, err
}
