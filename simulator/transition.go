package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Transition is one change of a journey: a step along the table, or an edit.
type Transition struct {
	Seq       uint64 // 1, 2, 3, … without gaps in one world
	At        time.Time
	Journey   taxi.JourneyID
	Event     dispatch.Event
	From, To  taxi.Status // From is [dispatch.Unbooked] for a new journey
	VehicleID string      // the car that has the journey, or has just lost it; "" if there is none
	Resident  bool        // a resident of the town has just booked it, see [Options].Demand
}
