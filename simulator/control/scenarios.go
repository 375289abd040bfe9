package control

import (
	"embed"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
)

// Calls of a [Server].
var (
	ListScenarios = Call[url.Values, ScenarioList]{get("listScenarios", "/scenarios", "The scenarios", listScenarios)}
	ReadScenario  = Call[url.Values, Scenario]{get("readScenario", "/scenarios/{name}", "A scenario, to be read or edited", readScenario)}
	StartScenario = Call[None, Run]{post("startScenario", "/scenarios/{name}/start", "Prepare the world for a scenario, and start a run", startScenario).created().
			more("The current run ends.").refuses(http.StatusConflict)}
	StartOwnScenario = Call[Scenario, Run]{post("startOwnScenario", "/scenarios/start", "Start a run of a scenario in the request", startOwn).created().refuses(http.StatusConflict)}
	ListRuns         = Call[url.Values, RunList]{get("listRuns", pathRuns, "The last twenty runs, newest first", listRuns)}
	ReadRun          = Call[url.Values, Run]{get("readRun", pathRuns+"/{id}", "The state of a run", readRun)}
	FinishRun        = Call[url.Values, Run]{del("finishRun", pathRuns+"/{id}", "End a run, and remove its settings", finishRun).
				more("Its users and bookings stay.")}
)

const codeNoScenario taxi.Code = "scenario-not-found" // 404; also for a run

// Scenario is a test that a tester runs with a platform. It is data, see the folder
// scenarios: how to prepare the world, what to do, and what should happen in the world.
type Scenario struct {
	Name  string        `json:"name" schema:"pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'"`
	Title string        `json:"title" schema:"optional: true"`
	Do    string        `json:"do" schema:"optional: true"` // instructions for the tester
	Setup ScenarioSetup `json:"setup,omitzero"`
	Play  []PlayStep    `json:"play,omitempty"` // the same as do, for a program in place of a platform
	Seen  []Expectation `json:"seen" schema:"minItems: 1"`
}

// ScenarioSetup describes how to prepare a world for a scenario.
type ScenarioSetup struct {
	Cars    int                         `json:"cars,omitempty"`  // minimum number of cars in the fleet
	Users   map[string]ScenarioUser     `json:"users,omitempty"` // by phone number, digits only
	System  *taxi.ConfigResponse        `json:"system,omitempty"`
	Faults  []jsontext.Value            `json:"faults,omitempty"`  // rules, as for POST /faults
	Scripts []simulator.NextScriptOrder `json:"scripts,omitempty"` // for the following bookings, in order
	Answers Answers                     `json:"answers,omitempty"` // required: the operations return only the members that the interface requires
}

// ScenarioUser is a user of a scenario.
type ScenarioUser struct {
	dispatch.UserChange `schema:"inline: true"`

	Bookings int `json:"bookings,omitempty" schema:"minimum: 0, maximum: 20"` // number of bookings, an hour apart, the first in an hour; at most 20
}

// PlayStep is a step of a program in place of a platform: a request, or moving the clock.
type PlayStep struct {
	Call     string         `json:"call,omitempty"`     // config, user, book, edit, cancel or status
	Caller   taxi.E164      `json:"caller,omitempty"`   // ""; 442079460020
	Of       int            `json:"of,omitempty"`       // which booking since the start, counted from 1
	Ahead    simulator.Span `json:"ahead,omitzero"`     // pickup time from now; 0: now
	Dropoffs int            `json:"dropoffs,omitempty"` // 0: one
	Times    int            `json:"times,omitempty"`    // number of repetitions, each by another caller with the next number; 0: once
	Fails    taxi.Code      `json:"fails,omitempty"`    // the code of the refusal, * for any failure, or ? if it may fail

	Has    []string          `json:"has,omitempty"`    // members that the response must have
	Lacks  []string          `json:"lacks,omitempty"`  // members that the response must not have
	Active int               `json:"active,omitempty"` // number of bookings in the response of /user
	System taxi.SystemStatus `json:"system,omitempty"` // status in the response of /config

	Until   taxi.Status    `json:"until,omitempty"`  // move the clock until the booking has this status
	Advance simulator.Span `json:"advance,omitzero"` // move the clock by this duration
}

// mostScenario limits the length of each list in a scenario.
const mostScenario = 500

//go:embed scenarios/*.json
var scenarioFiles embed.FS

// Scenarios returns the scenarios, by name. They are read once, and must not be changed.
var Scenarios = sync.OnceValue(func() []Scenario {
	files, err := scenarioFiles.ReadDir("scenarios")
	if err != nil {
		panic(err) // they are embedded
	}
	all := make([]Scenario, len(files))
	for i, file := range files {
		text, err := scenarioFiles.ReadFile(path.Join("scenarios", file.Name()))
		if err == nil {
			err = jsonv2.Unmarshal(text, &all[i], jsonv2.RejectUnknownMembers(true))
		}
		if err != nil {
			panic(fmt.Sprintf("control: %s: %v", file.Name(), err))
		}
	}
	return all
})

// ScenarioTitle is an item of the list of scenarios.
type ScenarioTitle struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Do    string `json:"do"`
}

// ScenarioList lists the scenarios.
type ScenarioList struct {
	Scenarios []ScenarioTitle `json:"scenarios"`
}

func listScenarios(*call) (list ScenarioList, err error) {
	for _, s := range Scenarios() {
		list.Scenarios = append(list.Scenarios, ScenarioTitle{s.Name, s.Title, s.Do})
	}
	return list, nil
}

func readScenario(c *call) (Scenario, error) { return scenarioNamed(c.path("name")) }

func scenarioNamed(name string) (Scenario, error) {
	all := Scenarios()
	at := slices.IndexFunc(all, func(s Scenario) bool { return s.Name == name })
	if at < 0 {
		return Scenario{}, taxi.NewProblem(http.StatusNotFound, codeNoScenario, "there is no scenario %q; GET %s/scenarios lists them", name, Prefix)
	}
	return all[at], nil
}

func startScenario(c *call, _ None) (Run, error) {
	s, err := scenarioNamed(c.path("name"))
	if err != nil {
		return Run{}, err
	}
	return c.play(s)
}

// startOwn starts a scenario from the request, for example an edited one.
func startOwn(c *call, s Scenario) (Run, error) {
	if err := s.check(); err != nil {
		return Run{}, err
	}
	return c.play(s)
}

// pathRuns is the path of runs, below [Prefix].
const pathRuns = "/scenarios/runs"

// play starts a scenario and returns its run.
func (c *call) play(s Scenario) (Run, error) {
	run, err := c.start(s)
	if err != nil {
		return Run{}, err
	}
	c.w.Header().Set("Location", c.server.options.ControlURL+c.box.calls()+pathRuns+"/"+run.ID)
	return run, nil
}

// check refuses an invalid scenario.
func (s *Scenario) check() error {
	switch {
	case !sandboxName.MatchString(s.Name):
		return taxi.InvalidField("/name", "format", "wants up to 40 lower-case letters, digits and hyphens")
	case len(s.Seen) == 0:
		return taxi.InvalidField("/seen", "required", "is missing: a scenario says what should be seen")
	case max(len(s.Seen), len(s.Setup.Users), len(s.Setup.Faults), len(s.Setup.Scripts)) > mostScenario:
		return taxi.NewProblem(http.StatusUnprocessableEntity, taxi.CodeValidationFailed, "it lists more than %d of something", mostScenario)
	}
	for i := range s.Seen {
		if err := s.Seen[i].check(pointerTo("seen", i)); err != nil {
			return err
		}
	}
	for phone, u := range s.Setup.Users {
		if u.Bookings < 0 || u.Bookings > 20 {
			return taxi.InvalidField("/setup/users/"+phone+"/bookings", "range", "is %d, want 0 to 20", u.Bookings)
		}
	}
	if a := s.Setup.Answers; a != AnswersAll && a != AnswersRequired {
		return taxi.InvalidField("/setup/answers", "range", `is %q, want "required" or nothing`, a)
	}
	return nil
}

// needs returns an error if a world has fewer cars than the scenario needs.
func (s *Scenario) needs(c host.Config) error {
	if c.Cars >= s.Setup.Cars {
		return nil
	}
	return taxi.NewProblem(http.StatusConflict, codeConflict, `%s needs %d cars, and this world has %d; POST %s/sandboxes {"cars":%d} makes one that has`,
		s.Name, s.Setup.Cars, c.Cars, Prefix, s.Setup.Cars)
}
