package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/simulator/control"
)

// Vehicle tells of a car, by its id.
func (c *Client) Vehicle(ctx context.Context, id string) (control.Vehicle, error) {
	return ask[control.Vehicle](ctx, c, http.MethodGet, vehiclePath(id), nil)
}

// SetVehicle puts a car elsewhere, on or off duty.
func (c *Client) SetVehicle(ctx context.Context, id string, b control.VehicleBody) (control.Vehicle, error) {
	return ask[control.Vehicle](ctx, c, http.MethodPut, vehiclePath(id), b)
}

// BreakDown makes a car break down. The journey that it was on its way to is WAITING again.
func (c *Client) BreakDown(ctx context.Context, id string, b control.BreakdownBody) (control.Vehicle, error) {
	return ask[control.Vehicle](ctx, c, http.MethodPost, vehiclePath(id)+"/breakdown", b)
}

func vehiclePath(id string) string { return "/vehicles/" + url.PathEscape(id) }
