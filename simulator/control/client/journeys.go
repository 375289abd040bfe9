package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
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
func (c *Client) Journeys(ctx context.Context, q JourneyQuery) (control.JourneyList, error) {
	values := url.Values{}
	for _, id := range q.IDs {
		values.Add("id", string(id))
	}
	for _, s := range q.Statuses {
		values.Add("status", string(s))
	}
	if q.Phone != "" {
		values.Set("phone", string(q.Phone))
	}
	if !q.Since.IsZero() {
		values.Set("since", q.Since.Format(time.RFC3339Nano))
	}
	if q.Limit != 0 {
		values.Set("limit", strconv.Itoa(q.Limit))
	}
	if q.After != "" {
		values.Set("after", q.After)
	}
	return ask[control.JourneyList](ctx, c, http.MethodGet, "/journeys?"+values.Encode(), nil)
}

// Journey tells of a journey; of the one booked last, if id is "latest".
func (c *Client) Journey(ctx context.Context, id taxi.JourneyID) (simulator.JourneyView, error) {
	return ask[simulator.JourneyView](ctx, c, http.MethodGet, journeyPath(id), nil)
}

// JourneyRoute tells the way of a journey's car: a line for each drive, two for the one
// under way.
func (c *Client) JourneyRoute(ctx context.Context, id taxi.JourneyID) (*geojson.FeatureCollection, error) {
	return ask[*geojson.FeatureCollection](ctx, c, http.MethodGet, journeyPath(id)+"/route", nil)
}

// Transition takes a journey into a status, along the table or, forced, beside it.
func (c *Client) Transition(ctx context.Context, id taxi.JourneyID, b control.TransitionBody) (simulator.JourneyView, error) {
	return ask[simulator.JourneyView](ctx, c, http.MethodPost, journeyPath(id)+"/transition", b)
}

// Hold keeps a journey as it is until it is released.
func (c *Client) Hold(ctx context.Context, id taxi.JourneyID) (simulator.JourneyView, error) {
	return ask[simulator.JourneyView](ctx, c, http.MethodPost, journeyPath(id)+"/hold", nothing{})
}

// Release lets a journey that was held go on.
func (c *Client) Release(ctx context.Context, id taxi.JourneyID) (simulator.JourneyView, error) {
	return ask[simulator.JourneyView](ctx, c, http.MethodPost, journeyPath(id)+"/release", nothing{})
}

func journeyPath(id taxi.JourneyID) string { return "/journeys/" + url.PathEscape(string(id)) }
