package client

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/paulmach/orb/geojson"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
)

// JourneyQuery says which journeys are asked for. The zero value is the fifty that were
// booked last.
type JourneyQuery struct {
	IDs      []taxi.JourneyID // those of them that there are, up to 500, on one page; none: any
	Statuses []taxi.Status    // none: any
	Phone    taxi.E164        // of the user or the passenger, however it is written
	Since    time.Time        // changed then or later, by the world's clock
	Limit    int              // at most so many, up to 500; 0: fifty
	After    string           // Next of the page before
}

// Journeys lists journeys, those booked last first.
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

// listed writes values as a parameter takes several.
func listed[S ~string](all []S) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = string(s)
	}
	return strings.Join(words, ",")
}

// Journey tells of a journey; of the one booked last, if id is "latest".
func (c *Client) Journey(ctx context.Context, id taxi.JourneyID) (out simulator.JourneyView, err error) {
	err = c.get(ctx, &out, "journeys", string(id))
	return out, err
}

// JourneyRoute tells the way of a journey's car: a line for each drive, two for the one
// under way.
func (c *Client) JourneyRoute(ctx context.Context, id taxi.JourneyID) (out *geojson.FeatureCollection, err error) {
	err = c.get(ctx, &out, "journeys", string(id), "route")
	return out, err
}

// order gives an order about a journey.
func (c *Client) order(ctx context.Context, id taxi.JourneyID, order string, in any) (out simulator.JourneyView, err error) {
	err = c.post(ctx, in, &out, "journeys", string(id), order)
	return out, err
}

// Transition takes a journey into a status, along the table or, forced, beside it.
func (c *Client) Transition(ctx context.Context, id taxi.JourneyID, b control.TransitionBody) (simulator.JourneyView, error) {
	return c.order(ctx, id, "transition", b)
}

// Hold keeps a journey as it is until it is released.
func (c *Client) Hold(ctx context.Context, id taxi.JourneyID) (simulator.JourneyView, error) {
	return c.order(ctx, id, "hold", nothing{})
}

// Release lets a journey that was held go on.
func (c *Client) Release(ctx context.Context, id taxi.JourneyID) (simulator.JourneyView, error) {
	return c.order(ctx, id, "release", nothing{})
}

// Reassign gives a journey to another driver.
func (c *Client) Reassign(ctx context.Context, id taxi.JourneyID, b control.ReassignBody) (simulator.JourneyView, error) {
	return c.order(ctx, id, "reassign", b)
}

// Script says what the driver of a journey will do. No steps end a script.
func (c *Client) Script(ctx context.Context, id taxi.JourneyID, b control.ScriptBody) (simulator.JourneyView, error) {
	return c.order(ctx, id, "script", b)
}

// ScriptNext says what the driver of the next booking will do.
func (c *Client) ScriptNext(ctx context.Context, b control.NextScriptBody) (out control.ScriptsWaiting, err error) {
	err = c.post(ctx, b, &out, "journeys", "next", "script")
	return out, err
}

// ForgetScripts drops the scripts that wait for a booking.
func (c *Client) ForgetScripts(ctx context.Context) error {
	return c.del(ctx, "journeys", "next", "script")
}
