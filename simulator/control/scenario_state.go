package control

import (
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

// RunState is the state of a scenario run.
type RunState string

// The states.
const (
	RunGoes   RunState = "running" // not all expectations are met yet
	RunSeen   RunState = "seen"    // all expectations are met
	RunMissed RunState = "missed"  // it ended before that, or an expectation cannot be met any more
)

// Run is a run of a scenario.
type Run struct {
	ID        string           `json:"id"`
	Scenario  string           `json:"scenario"`
	Do        string           `json:"do"` // instructions for the tester
	State     RunState         `json:"state"`
	Started   time.Time        `json:"started"`        // by the world's clock
	Ended     time.Time        `json:"ended,omitzero"` // by the world's clock; left out: the settings of the run are still active
	Journeys  []taxi.JourneyID `json:"journeys"`       // bookings since the start, in order; the first 2000
	Seen      []Seen           `json:"seen"`           // the expectations
	FaultIDs  []string         `json:"faults"`         // rules of the run
	EndReason string           `json:"endReason,omitempty"`
}

// Seen is an expectation and whether it is met.
type Seen struct {
	Expectation

	Met bool `json:"met"`
}

// runsKept is the number of runs that are stored for a world.
const runsKept = 20

// scenarioRuns holds the runs of a sandbox's scenarios; one runs at a time.
type scenarioRuns struct {
	starting sync.Mutex // held while a run is prepared or ended

	mu    sync.Mutex // also locked within turns of the world
	count int
	runs  []*run // oldest first
	now   *run   // nil: no current run
}

// run is a scenario run.
type run struct {
	Run

	expected []Expectation
	sighting sighting
	hits     int // final when the run has ended

	// Settings to restore or remove at the end.
	system  *taxi.ConfigResponse // before the run; nil: not changed
	scripts bool                 // the run has scripts that wait for bookings
}

// see adds a change of a journey. It may be called within a turn.
func (s *scenarioRuns) see(c Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		s.now.sighting.see(c)
	}
}

// leave ends the current run and returns it, or nil if there is none.
func (s *scenarioRuns) leave(now time.Time, why string, faults *fault.Set) *run {
	s.mu.Lock()
	r := s.now
	s.mu.Unlock()
	if r == nil {
		return nil
	}
	hits := hitsOf(faults, r.FaultIDs) // without holding mu: faults read the clock, which waits for the turn
	s.mu.Lock()
	defer s.mu.Unlock()
	r.hits = hits
	if r.State = r.state(r.hits); r.State == RunGoes {
		r.State = RunMissed
	}
	r.Ended, r.EndReason, s.now = now, why, nil
	return r
}

// state returns whether the expectations are met, can no longer be met, or are open.
func (r *run) state(hits int) RunState {
	state := RunSeen
	for i := range r.expected {
		switch e := &r.expected[i]; {
		case r.sighting.fails(e, hits):
			return RunMissed
		case !r.sighting.meets(e, hits):
			state = RunGoes
		}
	}
	return state
}

// hitsOf returns the number of requests that the listed rules have hit.
func hitsOf(faults *fault.Set, ids []string) int {
	hits := 0
	for _, id := range ids {
		if l, err := faults.Get(id); err == nil {
			hits += l.Hits
		}
	}
	return hits
}

// Expectation is what a scenario expects to happen in the world. All members that are
// given must be met.
type Expectation struct {
	What string `json:"what"` // description

	Journey  int              `json:"journey,omitempty" schema:"minimum: 1"` // which booking since the start, counted from 1
	Goes     []taxi.Status    `json:"goes,omitempty"`                        // the booking has these statuses, in this order, possibly with others in between
	Events   []dispatch.Event `json:"events,omitempty"`                      // these events happen to the booking, in this order, possibly with others in between
	Vehicles int              `json:"vehicles,omitempty"`                    // minimum number of cars that have had the booking

	Bookings  *Count `json:"bookings,omitempty"`  // since the start
	Completed *Count `json:"completed,omitempty"` // number of completed bookings
	Hits      *Count `json:"hits,omitempty"`      // requests that the scenario's faults have hit
}

// Count is a range for a number.
type Count struct {
	Least int  `json:"least"`
	Most  *int `json:"most,omitempty"` // left out: any number
}

func (c *Count) met(n int) bool { return c == nil || n >= c.Least && !c.passed(n) }

// passed reports whether n is too large, which time cannot change.
func (c *Count) passed(n int) bool { return c != nil && c.Most != nil && n > *c.Most }

// check refuses an expectation without any condition.
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

// Limits of what is stored of a run.
const (
	mostJourneys = 2000 // bookings
	mostSteps    = 200  // of each booking
)

// sighting is what has happened to the journeys that were booked since a scenario began.
type sighting struct {
	order    []taxi.JourneyID
	journeys map[taxi.JourneyID]*seenJourney
	bookings int // including those that are not stored
	complete int
}

// seenJourney is what has happened to one journey.
type seenJourney struct {
	goes     []taxi.Status
	events   []dispatch.Event
	vehicles []string
}

// see adds a change of a journey to what has happened.
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

// fails reports whether an expectation can no longer be met.
func (s *sighting) fails(e *Expectation, hits int) bool {
	return e.Bookings.passed(s.bookings) || e.Completed.passed(s.complete) || e.Hits.passed(hits)
}

// inOrder reports whether wanted is a subsequence of seen.
func inOrder[T comparable](want, seen []T) bool {
	for _, one := range seen {
		if len(want) > 0 && want[0] == one {
			want = want[1:]
		}
	}
	return len(want) == 0
}
