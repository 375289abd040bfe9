package client

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
)

// JourneyQuery selects journeys. The zero value selects the fifty newest.
type JourneyQuery struct {
	IDs      []taxi.JourneyID // only these journeys, up to 500, on one page; empty: all
	Statuses []taxi.Status    // empty: all
	Phone    taxi.E164        // of the user or the passenger, in any notation
	Since    time.Time        // changed at this time or later, by the world's clock
	Limit    int              // maximum number, up to 500; 0: fifty
	After    string           // Next of the previous page
}

// Journeys lists journeys, newest booking first.
func (c *Client) Journeys(ctx context.Context, q JourneyQuery) (out control.JourneyList, err error) {
	since := ""
	if !q.Since.IsZero() {
		since = q.Since.Format(time.RFC3339Nano)
	}
	err = c.do(ctx, http.MethodGet, page(at("journeys"), q.Limit, map[string]string{
		"id": listed(q.IDs), "status": listed(q.Statuses), "phone": string(q.Phone), "since": since, "after": q.After,
	}), nil, &out)
	return out, err
}

// listed joins the values of a parameter.
func listed[S ~string](all []S) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = string(s)
	}
	return strings.Join(words, ",")
}

// Journey returns a journey; the id "latest" is the newest booking.
func (c *Client) Journey(ctx context.Context, id taxi.JourneyID) (out simulator.JourneyView, err error) {
	err = c.get(ctx, &out, "journeys", string(id))
	return out, err
}

// JourneyRoute returns the route of a journey's car: a line for each drive, and two for
// the current one.
func (c *Client) JourneyRoute(ctx context.Context, id taxi.JourneyID) (out *control.FeatureCollection, err error) {
	err = c.get(ctx, &out, "journeys", string(id), "route")
	return out, err
}

// order posts an order about a journey.
func (c *Client) order(ctx context.Context, id taxi.JourneyID, order string, in any) (out simulator.JourneyView, err error) {
	err = c.post(ctx, in, &out, "journeys", string(id), order)
	return out, err
}

// Transition changes the status of a journey, by a transition of the table or, if forced,
// to any status.
func (c *Client) Transition(ctx context.Context, id taxi.JourneyID, b control.TransitionBody) (simulator.JourneyView, error) {
	return c.order(ctx, id, "transition", b)
}

// Hold stops a journey until it is released.
func (c *Client) Hold(ctx context.Context, id taxi.JourneyID) (simulator.JourneyView, error) {
	return c.order(ctx, id, "hold", nothing{})
}

// Release ends the hold of a journey.
func (c *Client) Release(ctx context.Context, id taxi.JourneyID) (simulator.JourneyView, error) {
	return c.order(ctx, id, "release", nothing{})
}

// Reassign assigns another car to a journey.
func (c *Client) Reassign(ctx context.Context, id taxi.JourneyID, b control.ReassignBody) (simulator.JourneyView, error) {
	return c.order(ctx, id, "reassign", b)
}

// Script sets the script of a journey's driver. Without steps, it ends the current
// script.
func (c *Client) Script(ctx context.Context, id taxi.JourneyID, b control.ScriptBody) (simulator.JourneyView, error) {
	return c.order(ctx, id, "script", b)
}

// ScriptNext sets the script for the next booking.
func (c *Client) ScriptNext(ctx context.Context, b control.NextScriptBody) (out control.ScriptsWaiting, err error) {
	err = c.post(ctx, b, &out, "journeys", "next", "script")
	return out, err
}

// ForgetScripts removes the scripts that wait for a booking.
func (c *Client) ForgetScripts(ctx context.Context) error {
	return c.del(ctx, "journeys", "next", "script")
}
