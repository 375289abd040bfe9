package client

import (
	"context"
	"net/http"
	"strconv"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
)

// AddFault puts a rule behind those that there are, and returns it with its id and what it
// left out. It is a [fault.Rule], or what is written as one in JSON.
func (c *Client) AddFault(ctx context.Context, rule any) (out fault.Listed, err error) {
	err = c.post(ctx, rule, &out, "faults")
	return out, err
}

// AddPreset adds the rules of a preset, such as "flaky".
func (c *Client) AddPreset(ctx context.Context, name string, o control.PresetOrder) ([]fault.Listed, error) {
	var list control.Faults
	err := c.post(ctx, o, &list, "faults", "presets", name)
	return list.Faults, err
}

// Faults lists the rules in the order in which they are tried.
func (c *Client) Faults(ctx context.Context) ([]fault.Listed, error) {
	var list control.Faults
	err := c.get(ctx, &list, "faults")
	return list.Faults, err
}

// Fault tells of a rule, and what is left of it.
func (c *Client) Fault(ctx context.Context, id string) (out fault.Listed, err error) {
	err = c.get(ctx, &out, "faults", id)
	return out, err
}

// ChangeFault changes members of a rule by a JSON merge patch (RFC 7396), such as a map.
func (c *Client) ChangeFault(ctx context.Context, id string, change any) (out fault.Listed, err error) {
	err = c.do(ctx, http.MethodPatch, at("faults", id), change, &out)
	return out, err
}

// RemoveFault ends a rule and forgets it.
func (c *Client) RemoveFault(ctx context.Context, id string) error {
	return c.del(ctx, "faults", id)
}

// ClearFaults forgets all rules.
func (c *Client) ClearFaults(ctx context.Context) error {
	return c.del(ctx, "faults")
}

// FaultCatalogue lists what can go wrong, and the presets.
func (c *Client) FaultCatalogue(ctx context.Context) (out control.FaultCatalogue, err error) {
	err = c.get(ctx, &out, "faults", "catalogue")
	return out, err
}

// Magic tells what callers' numbers mean by their last three digits.
func (c *Client) Magic(ctx context.Context) (out control.Magic, err error) {
	err = c.get(ctx, &out, "magic")
	return out, err
}

// DefineMagic gives a number, 900 to 999, a fault.
func (c *Client) DefineMagic(ctx context.Context, number int, do fault.Do) (out fault.Magic, err error) {
	err = c.put(ctx, do, &out, "magic", strconv.Itoa(number))
	return out, err
}
