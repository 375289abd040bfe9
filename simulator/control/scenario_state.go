package control

import (
	"sync"
	"time"

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

// leave ends and returns the current run; nil: there is none.
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

// state returns the state of the run.
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

// hitsOf counts the requests that some rules have hit.
func hitsOf(faults *fault.Set, ids []string) int {
	hits := 0
	for _, id := range ids {
		if l, err := faults.Get(id); err == nil {
			hits += l.Hits
		}
	}
	return hits
}
