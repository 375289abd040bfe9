package client

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
)

// VehicleQuery selects cars. The zero value selects the first fifty.
type VehicleQuery struct {
	States []simulator.CarState // empty: all
	Limit  int                  // maximum number, up to 500; 0: fifty
	After  string               // Next of the previous page
}

// Vehicles lists the cars, the firm's own first.
func (c *Client) Vehicles(ctx context.Context, q VehicleQuery) (out control.VehicleList, err error) {
	err = c.do(ctx, http.MethodGet, page(at("vehicles"), q.Limit, map[string]string{"state": listed(q.States), "after": q.After}), nil, &out)
	return out, err
}

// Vehicle returns a car by its id.
func (c *Client) Vehicle(ctx context.Context, id string) (out control.Vehicle, err error) {
	err = c.get(ctx, &out, "vehicles", id)
	return out, err
}

// SetVehicle moves a car, or puts it on or off duty.
func (c *Client) SetVehicle(ctx context.Context, id string, b control.VehicleBody) (out control.Vehicle, err error) {
	err = c.put(ctx, b, &out, "vehicles", id)
	return out, err
}

// PlaceVehicle moves a car.
func (c *Client) PlaceVehicle(ctx context.Context, id string, to taxi.Point) (out control.Vehicle, err error) {
	err = c.post(ctx, to, &out, "vehicles", id, "position")
	return out, err
}

// BreakDown makes a car break down. If it was on the way to a passenger, the journey is
// WAITING again.
func (c *Client) BreakDown(ctx context.Context, id string, b control.BreakdownBody) (out control.Vehicle, err error) {
	err = c.post(ctx, b, &out, "vehicles", id, "breakdown")
	return out, err
}
