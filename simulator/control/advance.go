package control

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

var advanceRoutes = []route{post("/advance", advance)}

// longest is how far a clock is moved for a journey: nothing is booked further ahead.
const longest = 100 * 24 * time.Hour

// Order says which journey is to be brought to which status.
type Order struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
}

// Outcome is how a journey stands after an order.
type Outcome struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
	Now       time.Time      `json:"now"` // by the world's clock
}

// way is the way of a journey on which nothing goes wrong.
var way = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete}

// advance moves the clock until a journey has a status. It is the aid that the
// conformance suite asks for.
func advance(c *call) (any, error) {
	o, err := body[Order](c)
	if err != nil {
		return nil, err
	}
	if err := c.bring(o); err != nil {
		return nil, err
	}
	return Outcome{o.JourneyID, o.Status, c.world().Clock().Now()}, nil
}

// bring brings a journey to a status. One that is behind it already, or has ended, is
// refused before the clock moves.
func (c *call) bring(o Order) error {
	if o.JourneyID == "" {
		return refuseField("/journeyId", "required", "is missing")
	}
	if !slices.Contains(way, o.Status) {
		return refuseField("/status", "range", "wants one of %v; /cancel cancels", way)
	}
	j, err := c.host.Records().Journey(c, o.JourneyID)
	if err != nil {
		return err
	}
	if j.Status.Terminal() && j.Status != o.Status || slices.Index(way, j.Status) > slices.Index(way, o.Status) {
		return conflict(j.Status, o.Status)
	}
	err = c.world().Clock().UntilStatus(c, o.JourneyID, o.Status, longest)
	if stands, ok := errors.AsType[*simulator.StatusError](err); ok && errors.Is(err, simulator.ErrNotReached) {
		return conflict(stands.Is, o.Status)
	}
	return err
}

func conflict(is, want taxi.Status) *taxi.Problem {
	p := refuse(http.StatusConflict, taxi.CodeJourneyInProgress, "the journey is %s, and will not be %s", is, want)
	if is.Terminal() {
		p.Code = taxi.CodeJourneyClosed
	}
	p.JourneyStatus = is
	return p
}
