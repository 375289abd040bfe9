package control

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Expectation is something that should be seen in a world while a scenario is played. What
// is given must all be.
type Expectation struct {
	What string `json:"what"` // in words

	Journey  int              `json:"journey,omitempty" schema:"minimum: 1"` // which booking since the start, counted from 1
	Goes     []taxi.Status    `json:"goes,omitempty"`                        // it has these statuses, in this order, perhaps others in between
	Events   []dispatch.Event `json:"events,omitempty"`                      // these happen to it, in this order, perhaps others in between
	Vehicles int              `json:"vehicles,omitempty"`                    // how many cars at least have had it

	Bookings  *Count `json:"bookings,omitempty"`  // since the start
	Completed *Count `json:"completed,omitempty"` // of them
	Hits      *Count `json:"hits,omitempty"`      // requests that the scenario's faults have met
}

// Count is how many there should be.
type Count struct {
	Least int  `json:"least"`
	Most  *int `json:"most,omitempty"` // left out: any number
}

func (c *Count) met(n int) bool { return c == nil || n >= c.Least && !c.passed(n) }

// passed reports whether there are too many, which no time will change.
func (c *Count) passed(n int) bool { return c != nil && c.Most != nil && n > *c.Most }

// check refuses an expectation that expects nothing.
func (e *Expectation) check(pointer string) error {
	ofJourney := len(e.Goes) > 0 || len(e.Events) > 0 || e.Vehicles > 0
	switch {
	case ofJourney != (e.Journey > 0):
		return taxi.InvalidField(pointer+"/journey", "required", "and goes, events or vehicles belong together; journeys are counted from 1")
	case !ofJourney && e.Bookings == nil && e.Completed == nil && e.Hits == nil:
		return taxi.InvalidField(pointer, "required", "expects nothing")
	}
	return nil
}

// Limits of what is remembered of a run.
const (
	mostJourneys = 2000 // bookings
	mostSteps    = 200  // of each
)

// sighting is what has been seen of the journeys that were booked since a scenario began.
type sighting struct {
	order    []taxi.JourneyID
	journeys map[taxi.JourneyID]*seenJourney
	bookings int // also those that are not remembered
	complete int
}

// seenJourney is what has been seen of one of them.
type seenJourney struct {
	goes     []taxi.Status
	events   []dispatch.Event
	vehicles []string
}

// see takes in a change.
func (s *sighting) see(c Change) {
	if c.Event == dispatch.EventBook {
		s.bookings++
		if len(s.order) < mostJourneys {
			s.order = append(s.order, c.JourneyID)
			s.journeys[c.JourneyID] = &seenJourney{}
		}
	}
	j := s.journeys[c.JourneyID]
	if j == nil || len(j.events) == mostSteps {
		return
	}
	j.events = append(j.events, c.Event)
	if len(j.goes) == 0 || j.goes[len(j.goes)-1] != c.To {
		j.goes = append(j.goes, c.To)
	}
	if c.VehicleID != "" && !slices.Contains(j.vehicles, c.VehicleID) {
		j.vehicles = append(j.vehicles, c.VehicleID)
	}
	if c.To == taxi.Complete && c.From != taxi.Complete {
		s.complete++
	}
}

// meets reports whether an expectation is met.
func (s *sighting) meets(e *Expectation, hits int) bool {
	if !e.Bookings.met(s.bookings) || !e.Completed.met(s.complete) || !e.Hits.met(hits) {
		return false
	}
	if e.Journey == 0 {
		return true
	}
	if e.Journey > len(s.order) {
		return false
	}
	j := s.journeys[s.order[e.Journey-1]]
	return inOrder(e.Goes, j.goes) && inOrder(e.Events, j.events) && len(j.vehicles) >= e.Vehicles
}

// fails reports whether an expectation cannot be met any more.
func (s *sighting) fails(e *Expectation, hits int) bool {
	return e.Bookings.passed(s.bookings) || e.Completed.passed(s.complete) || e.Hits.passed(hits)
}

// inOrder reports whether all that is wanted is among what was seen, in that order.
func inOrder[T comparable](want, seen []T) bool {
	for _, one := range seen {
		if len(want) > 0 && want[0] == one {
			want = want[1:]
		}
	}
	return len(want) == 0
}
