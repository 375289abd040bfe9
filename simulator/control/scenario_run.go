package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
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

// RunList lists the latest runs of a world, the last first.
type RunList struct {
	Runs []Run `json:"runs"`
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

	scenario Scenario
	sighting sighting
	hits     int // at the end
	before   taxi.ConfigResponse
}

// see takes in a change of a journey. It may be called within a turn.
func (s *stage) see(c Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		s.now.sighting.see(c)
	}
}

// start sets a world up for a scenario and begins to watch. One that is being played ends.
func (c *call) start(s Scenario) (Run, error) {
	if err := s.needs(c.host.Config()); err != nil {
		return Run{}, err
	}
	ctx := context.WithoutCancel(c.Context) // half a set-up is none
	st := &c.box.stage
	st.starting.Lock()
	defer st.starting.Unlock()
	if err := c.end(ctx, "another scenario was started"); err != nil {
		return Run{}, err
	}
	r := &run{scenario: s, before: c.world().Service().System()}
	r.sighting.journeys = make(map[taxi.JourneyID]*seenJourney)
	now := c.world().Clock().Now() // not with mu held: it waits for the turn, which may wait for mu
	st.mu.Lock()
	st.count++
	r.Run = Run{
		ID: "run-" + strconv.Itoa(st.count), Scenario: s.Name, Do: s.Do, State: RunGoes,
		Started: now, FaultIDs: []string{},
	}
	st.now = r
	if st.runs = append(st.runs, r); len(st.runs) > runsKept {
		st.runs = slices.Delete(st.runs, 0, 1)
	}
	st.mu.Unlock()
	if err := c.setUp(ctx, r); err != nil {
		return Run{}, errors.Join(err, c.end(ctx, "it could not be set up"))
	}
	return c.told(r), nil
}

// setUp sets the world up.
func (c *call) setUp(ctx context.Context, r *run) error {
	set, world := &r.scenario.Setup, c.world()
	for _, phone := range slices.Sorted(maps.Keys(set.Users)) {
		if err := c.setUpUser(ctx, phone, set.Users[phone]); err != nil {
			return inSetup(err, "/users/"+phone)
		}
	}
	if set.System != nil {
		world.Service().SetSystem(*set.System)
	}
	for i, b := range set.Supply {
		s, err := b.supply(world)
		if err == nil {
			err = world.SetSupply(ctx, s)
		}
		if err != nil {
			return inSetup(err, pointerTo("supply", i))
		}
	}
	for i, text := range set.Faults {
		id := fmt.Sprintf("%s-%d", r.scenario.Name, i+1)
		if err := c.setUpFault(text, id); err != nil {
			return inSetup(err, pointerTo("faults", i))
		}
		c.box.stage.mu.Lock()
		r.FaultIDs = append(r.FaultIDs, id)
		c.box.stage.mu.Unlock()
	}
	for i, b := range set.Scripts {
		if _, err := world.ScriptNext(ctx, simulator.NextScriptOrder{Phone: b.Phone, Steps: b.Steps}); err != nil {
			return inSetup(err, pointerTo("scripts", i))
		}
	}
	c.box.answers.Store(set.Answers)
	return nil
}

// inSetup says where in a scenario something is that a world refuses.
func inSetup(err error, pointer string) error {
	if r, ok := asRefusal(err); ok {
		return taxi.InvalidField("/setup"+pointer+r.Field, "range", "%s", r.Detail)
	}
	return below("/setup"+pointer, err)
}

func (c *call) setUpUser(ctx context.Context, phone string, u ScenarioUser) error {
	is, _, err := c.world().PutUser(ctx, phone, u.UserChange)
	if err != nil || u.Bookings == 0 {
		return err
	}
	return c.world().Populate(ctx, []fixtures.Person{{EndUser: is, Bookings: u.Bookings}})
}

func (c *call) setUpFault(text []byte, id string) error {
	rule, err := fault.Read(text)
	if err != nil {
		return faultProblem(err)
	}
	rule.ID = id
	_ = c.box.faults.Remove(id) // of an earlier run
	_, err = c.box.faults.AddScenario(rule)
	return faultProblem(err)
}

// end ends the scenario that is being played, and takes down what was set up for it. Its
// users and its bookings stay. starting is held.
func (c *call) end(ctx context.Context, why string) error {
	r := c.box.stage.leave(c.world().Clock().Now(), why, c.box.faults)
	if r == nil {
		return nil
	}
	set := &r.scenario.Setup
	for _, id := range r.FaultIDs {
		_ = c.box.faults.Remove(id) // the tester may have
	}
	var all error
	for i := range set.Supply {
		all = errors.Join(all, c.world().EndSupply(ctx, &set.Supply[i].Zone))
	}
	if len(set.Scripts) > 0 {
		all = errors.Join(all, c.world().ForgetScripts(ctx))
	}
	if set.System != nil {
		c.world().Service().SetSystem(r.before)
	}
	c.box.answers.Store(AnswersAll)
	return all
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
	for i := range r.scenario.Seen {
		switch e := &r.scenario.Seen[i]; {
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

// told is a run as its caller sees it.
func (c *call) told(r *run) Run {
	c.box.stage.mu.Lock()
	ids := slices.Clone(r.FaultIDs)
	c.box.stage.mu.Unlock()
	hits := hitsOf(c.box.faults, ids)
	c.box.stage.mu.Lock()
	defer c.box.stage.mu.Unlock()
	shown := r.Run
	shown.FaultIDs = append([]string{}, r.FaultIDs...)
	if !r.Ended.IsZero() {
		hits = r.hits
	} else {
		shown.State = r.state(hits)
	}
	shown.Journeys = append([]taxi.JourneyID{}, r.sighting.order...)
	shown.Seen = make([]Seen, len(r.scenario.Seen))
	for i := range r.scenario.Seen {
		e := &r.scenario.Seen[i]
		shown.Seen[i] = Seen{*e, r.sighting.meets(e, hits)}
	}
	return shown
}

func listRuns(c *call) (RunList, error) {
	c.box.stage.mu.Lock()
	runs := slices.Clone(c.box.stage.runs)
	c.box.stage.mu.Unlock()
	list := RunList{Runs: []Run{}}
	for _, r := range slices.Backward(runs) {
		list.Runs = append(list.Runs, c.told(r))
	}
	return list, nil
}

func readRun(c *call) (Run, error) {
	r, err := c.findRun()
	if err != nil {
		return Run{}, err
	}
	return c.told(r), nil
}

// findRun is the run of the path; "latest" is the last.
func (c *call) findRun() (*run, error) {
	s := &c.box.stage
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range slices.Backward(s.runs) {
		if id := c.path("id"); id == r.ID || id == "latest" {
			return r, nil
		}
	}
	return nil, taxi.NewProblem(http.StatusNotFound, codeNoScenario, "there is no such run; the last %d are kept", runsKept)
}

// finishRun ends a run and answers how it went. One that has ended stays as it is.
func finishRun(c *call) (Run, error) {
	c.box.stage.starting.Lock()
	defer c.box.stage.starting.Unlock()
	r, err := c.findRun()
	if err != nil {
		return Run{}, err
	}
	c.box.stage.mu.Lock()
	goes := r.Ended.IsZero()
	c.box.stage.mu.Unlock()
	if goes {
		err = c.end(context.WithoutCancel(c.Context), "")
	}
	return c.told(r), err
}
