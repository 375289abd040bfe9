package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
)

// RunList lists the latest runs of a world, newest first.
type RunList struct {
	Runs []Run `json:"runs"`
}

// start prepares a world for a scenario and begins to watch it. It ends the current run.
func (c *call) start(s Scenario) (Run, error) {
	if err := s.needs(c.host.Config()); err != nil {
		return Run{}, err
	}
	ctx := context.WithoutCancel(c.Context) // the preparation must not stop half-way
	st := &c.box.scenarios
	st.starting.Lock()
	defer st.starting.Unlock()
	if err := c.end(ctx, "another scenario was started"); err != nil {
		return Run{}, err
	}
	r := &run{expected: s.Seen}
	r.sighting.journeys = make(map[taxi.JourneyID]*seenJourney)
	now := c.world().Clock().Now() // without holding mu: the call waits for a turn, and a turn may wait for mu
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
	if err := c.setUp(ctx, r, &s); err != nil {
		return Run{}, errors.Join(err, c.end(ctx, "it could not be set up"))
	}
	return c.told(r), nil
}

// setUp makes the users, settings, faults and scripts of a scenario.
func (c *call) setUp(ctx context.Context, r *run, s *Scenario) error {
	set, world := &s.Setup, c.world()
	for _, phone := range slices.Sorted(maps.Keys(set.Users)) {
		if err := c.setUpUser(ctx, phone, set.Users[phone]); err != nil {
			return inSetup(err, "/users/"+phone)
		}
	}
	if set.System != nil {
		r.system = new(world.Service().System())
		if err := c.host.SetSystem(ctx, *set.System); err != nil {
			return err
		}
	}
	for i, text := range set.Faults {
		id := fmt.Sprintf("%s-%d", s.Name, i+1)
		if err := c.setUpFault(text, id); err != nil {
			return inSetup(err, pointerTo("faults", i))
		}
		c.box.scenarios.mu.Lock()
		r.FaultIDs = append(r.FaultIDs, id)
		c.box.scenarios.mu.Unlock()
	}
	r.scripts = len(set.Scripts) > 0
	for i, b := range set.Scripts {
		if _, err := world.ScriptNext(ctx, b); err != nil {
			return inSetup(err, pointerTo("scripts", i))
		}
	}
	c.box.setAnswers(set.Answers)
	return c.box.memory.wait(ctx)
}

// inSetup prefixes the pointers of a refusal with a place in the scenario.
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
	return c.host.Populate(ctx, []fixtures.Person{{EndUser: is, Bookings: u.Bookings}})
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

// end ends the current run, and removes its settings. Its users and bookings stay.
// starting is held.
func (c *call) end(ctx context.Context, why string) error {
	r := c.box.scenarios.leave(c.world().Clock().Now(), why, c.box.faults)
	if r == nil {
		return nil
	}
	for _, id := range r.FaultIDs {
		_ = c.box.faults.Remove(id) // the tester may have removed it
	}
	var all error
	if r.scripts {
		all = errors.Join(all, c.world().ForgetScripts(ctx))
	}
	if r.system != nil {
		all = errors.Join(all, c.host.SetSystem(ctx, *r.system))
	}
	c.box.setAnswers(AnswersAll)
	return errors.Join(all, c.box.memory.wait(ctx))
}

// told returns the state of a run for clients.
func (c *call) told(r *run) Run {
	c.box.scenarios.mu.Lock()
	ids := slices.Clone(r.FaultIDs)
	c.box.scenarios.mu.Unlock()
	hits := hitsOf(c.box.faults, ids)
	c.box.scenarios.mu.Lock()
	defer c.box.scenarios.mu.Unlock()
	shown := r.Run
	shown.FaultIDs = append([]string{}, r.FaultIDs...)
	if !r.Ended.IsZero() {
		hits = r.hits
	} else {
		shown.State = r.state(hits)
	}
	shown.Journeys = append([]taxi.JourneyID{}, r.sighting.order...)
	shown.Seen = make([]Seen, len(r.expected))
	for i := range r.expected {
		e := &r.expected[i]
		shown.Seen[i] = Seen{*e, r.sighting.meets(e, hits)}
	}
	return shown
}

func listRuns(c *call) (RunList, error) {
	c.box.scenarios.mu.Lock()
	runs := slices.Clone(c.box.scenarios.runs)
	c.box.scenarios.mu.Unlock()
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

// findRun returns the run that the path names, or the newest for "latest".
func (c *call) findRun() (*run, error) {
	s := &c.box.scenarios
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range slices.Backward(s.runs) {
		if id := c.path("id"); id == r.ID || id == "latest" {
			return r, nil
		}
	}
	return nil, taxi.NewProblem(http.StatusNotFound, codeNoScenario, "there is no such run; the last %d are kept", runsKept)
}

// finishRun ends a run and returns its result. A run that has ended is unchanged.
func finishRun(c *call) (Run, error) {
	c.box.scenarios.starting.Lock()
	defer c.box.scenarios.starting.Unlock()
	r, err := c.findRun()
	if err != nil {
		return Run{}, err
	}
	c.box.scenarios.mu.Lock()
	goes := r.Ended.IsZero()
	c.box.scenarios.mu.Unlock()
	if goes {
		err = c.end(context.WithoutCancel(c.Context), "")
	}
	return c.told(r), err
}
