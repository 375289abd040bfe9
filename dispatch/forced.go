package dispatch

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// EventForce puts a journey into any status on request of the operator, whether or not a
// row of [Transitions] leads there. It is in no row.
const EventForce Event = "force"

// Ways returns the rows that lead from a status to another, in the order of the table.
func Ways(from taxi.Status) []Transition {
	var ways []Transition
	for _, t := range transitions {
		if t.From == from && t.To != from {
			ways = append(ways, t)
		}
	}
	return ways
}

// Allows reports whether the table has a row for an event of a journey, and the row's guard
// holds at now.
func (s *Service) Allows(now time.Time, j *store.Journey, ev Event) bool {
	_, ok := next(j.Status, ev, facts{Now: now, Journey: j, Policy: &s.policy, Offered: j.Revision})
	return ok
}

// rowFor returns the transition for a step of a journey; false: there is none. A forced step ignores guards.
func (s *Service) rowFor(now time.Time, j *store.Journey, step Step) (Transition, bool) {
	switch {
	case step.Event == EventForce:
		return forcedTo(j.Status, step.To), step.To.Known()
	case step.Forced:
		for _, t := range transitions {
			if t.From == j.Status && t.Event == step.Event {
				return t, true
			}
		}
		return Transition{}, false
	default:
		return next(j.Status, step.Event, facts{Now: now, Journey: j, Policy: &s.policy, Offered: step.Offered})
	}
}

// forcedTo returns a transition for EventForce, with the effects that a journey needs in the
// new status.
func forcedTo(from, to taxi.Status) Transition {
	row := Transition{From: from, Event: EventForce, To: to}
	if from == taxi.Cancelled && to != taxi.Cancelled {
		row.Effects = append(row.Effects, reopen)
	}
	switch to {
	case taxi.Cancelled:
		row.Effects = append(row.Effects, reasonDispatch)
	case taxi.Waiting:
		row.Effects = append(row.Effects, priceIfNone, startSearch, estimateWait)
	case taxi.Accepted, taxi.EnRoute:
		row.Effects = append(row.Effects, priceIfNone, forgetArrival)
	case taxi.Arrived:
		row.Effects = append(row.Effects, priceIfNone, forgetArrival, noteArrival)
	default:
		row.Effects = append(row.Effects, priceIfNone)
	}
	return row
}

// The effects of forced steps only.
var (
	reopen = Effect{
		"nothing is left of the cancellation",
		func(_ *Service, _ time.Time, j *store.Journey) { j.Data, j.Price = nil, nil },
	}
	priceIfNone = Effect{
		"the journey is priced unless it has a price",
		func(s *Service, now time.Time, j *store.Journey) {
			if j.Price == nil {
				j.Price, _ = s.fleet.Quote(now, j)
			}
		},
	}
	forgetArrival = Effect{
		"the driver has not waited for the passenger yet",
		func(_ *Service, _ time.Time, j *store.Journey) { j.ArrivedAt, j.Contacts = time.Time{}, 0 },
	}
	reasonDispatch = endsFor(taxi.ReasonDispatch)
)
