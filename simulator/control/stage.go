package control

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/fault"
)

// RunState is how a run of a scenario stands.
type RunState string

// The states of a run.
const (
	RunGoes   RunState = "running" // not all has been seen that should be
	RunSeen   RunState = "seen"    // all has been seen
	RunMissed RunState = "missed"  // it ended before, or more happened than should
)

// Run is one play of a scenario.
type Run struct {
	ID        string           `json:"id"`
	Scenario  string           `json:"scenario"`
	Do        string           `json:"do"` // what a tester does
	State     RunState         `json:"state"`
	Started   time.Time        `json:"started"`        // by the world's clock
	Ended     time.Time        `json:"ended,omitzero"` // by the world's clock; left out: what was set up is still at work
	Journeys  []taxi.JourneyID `json:"journeys"`       // booked since the start, in their order; the first 2000
	Seen      []Seen           `json:"seen"`           // what should be seen
	FaultIDs  []string         `json:"faults"`         // rules that are at work for it
	EndReason string           `json:"endReason,omitempty"`
}

// Seen is an expectation and whether it is met.
type Seen struct {
	Expectation

	Met bool `json:"met"`
}

// runsKept is how many runs of a world are remembered.
const runsKept = 20

// stage is where the scenarios of a sandbox are played, one at a time.
type stage struct {
	starting sync.Mutex // held while one is set up or taken down

	mu    sync.Mutex // taken within turns of the world
	count int
	runs  []*run // the last at the end
	now   *run   // nil: none is played
}

// run is a scenario that is played, or was.
type run struct {
	Run

	expected []Expectation
	sighting sighting
	hits     int // at the end

	// What was set up for it.
	system  *taxi.ConfigResponse // that there was before; nil: it is as it was
	zones   []simulator.Zone     // whose supply was said
	scripts bool                 // wait for bookings
}

// see takes in a change of a journey. It may be called within a turn.
func (s *stage) see(c Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		s.now.sighting.see(c)
	}
}

// leave ends the run that is on, and returns it; nil: none is.
func (s *stage) leave(now time.Time, why string, faults *fault.Set) *run {
	s.mu.Lock()
	r := s.now
	s.mu.Unlock()
	if r == nil {
		return nil
	}
	hits := hitsOf(faults, r.FaultIDs) // not with mu held: faults read the clock, which waits for the turn
	s.mu.Lock()
	defer s.mu.Unlock()
	r.hits = hits
	if r.State = r.state(r.hits); r.State == RunGoes {
		r.State = RunMissed
	}
	r.Ended, r.EndReason, s.now = now, why, nil
	return r
}

// state is how a run stands, from what has been seen.
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

// hitsOf is how many requests some rules have hit.
func hitsOf(faults *fault.Set, ids []string) int {
	hits := 0
	for _, id := range ids {
		if l, err := faults.Get(id); err == nil {
			hits += l.Hits
		}
	}
	return hits
}
