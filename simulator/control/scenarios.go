package control

import (
	"embed"
	"fmt"
	"net/http"
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

func scenarioCalls() calls {
	return calls{
		get("listScenarios", "/scenarios", "What can be played", listScenarios),
		get("readScenario", "/scenarios/{name}", "A scenario, to be read or edited", readScenario),
		post("startScenario", "/scenarios/{name}/start", "Set the world up for a scenario, and watch it", startScenario).created().
			more("A scenario that is being played ends.").refuses(http.StatusConflict),
		post("startOwnScenario", "/scenarios/start", "Play a scenario of your own", startOwn).created().refuses(http.StatusConflict),
		get("listRuns", pathRuns, "The last twenty plays, the last first", listRuns),
		get("readRun", pathRuns+"/{id}", "How a play stands", readRun),
		del("finishRun", pathRuns+"/{id}", "End a play and take down what was set up for it", finishRun).
			more("Its users and bookings stay."),
	}.tagged("Scenarios").where(parameter{name: "id", means: "its id, or `latest`"})
}

const codeNoScenario taxi.Code = "scenario-not-found" // 404; nor a run

// Scenario is a story that a tester plays with a platform. It is data, see the folder scenarios: what
// is set up, what to do, and what should be seen in the world.
type Scenario struct {
	Name  string        `json:"name" schema:"pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'"`
	Title string        `json:"title" schema:"optional: true"`
	Do    string        `json:"do" schema:"optional: true"` // what a tester does, in words
	Setup ScenarioSetup `json:"setup,omitzero"`
	Play  []PlayStep    `json:"play,omitempty"` // the same as do for a program that plays the platform's part
	Seen  []Expectation `json:"seen" schema:"minItems: 1"`
}

// ScenarioSetup is how a world is set up for a scenario.
type ScenarioSetup struct {
	Cars    int                     `json:"cars,omitempty"`  // at least so many in the fleet
	Users   map[string]ScenarioUser `json:"users,omitempty"` // by phone number, in digits
	System  *taxi.ConfigResponse    `json:"system,omitempty"`
	Supply  []SupplyBody            `json:"supply,omitempty"`
	Faults  []jsontext.Value        `json:"faults,omitempty"`  // rules, as POST /faults takes them
	Scripts []NextScriptBody        `json:"scripts,omitempty"` // for the bookings to come, in their order
	Answers Answers                 `json:"answers,omitempty"` // required: the operations tell what the interface requires, and nothing more
}

// ScenarioUser is somebody who is set up for a scenario.
type ScenarioUser struct {
	dispatch.UserChange `schema:"inline: true"`

	Bookings int `json:"bookings,omitempty" schema:"minimum: 0, maximum: 20"` // that they have, an hour apart, the first in an hour; at most 20
}

// PlayStep is one thing that a program does which plays the platform's part: a call, or a
// move of the clock.
type PlayStep struct {
	Call     string         `json:"call,omitempty"`     // config, user, book, edit, cancel or status
	Caller   taxi.E164      `json:"caller,omitempty"`   // ""; 442079460020
	Of       int            `json:"of,omitempty"`       // which booking since the start, counted from 1
	Ahead    simulator.Span `json:"ahead,omitzero"`     // of the pickup time; 0: now
	Dropoffs int            `json:"dropoffs,omitempty"` // 0: one
	Times    int            `json:"times,omitempty"`    // by as many callers, whose numbers follow one another; 0: once
	Fails    taxi.Code      `json:"fails,omitempty"`    // the code of the refusal, or * for any failure

	Has    []string          `json:"has,omitempty"`    // members that the answer has
	Lacks  []string          `json:"lacks,omitempty"`  // … and has not
	Active int               `json:"active,omitempty"` // how many bookings /user tells
	System taxi.SystemStatus `json:"system,omitempty"` // what /config says

	Until   taxi.Status    `json:"until,omitempty"`  // the clock is moved until the booking has a status
	Advance simulator.Span `json:"advance,omitzero"` // the clock is moved by so much
}

// mostScenario bounds what a scenario lists of anything.
const mostScenario = 500

//go:embed scenarios/*.json
var scenarioFiles embed.FS

// Scenarios returns the scenarios, by name. They are read once, and not to be changed.
var Scenarios = sync.OnceValue(func() []Scenario {
	files, err := scenarioFiles.ReadDir("scenarios")
	if err != nil {
		panic(err) // they are part of the program
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

// ScenarioTitle is a line of the list of scenarios.
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

func startScenario(c *call, _ empty) (Run, error) {
	s, err := scenarioNamed(c.path("name"))
	if err != nil {
		return Run{}, err
	}
	return c.play(s)
}

// startOwn starts a scenario of the caller's own, such as one that was read and edited.
func startOwn(c *call, s Scenario) (Run, error) {
	if err := s.check(); err != nil {
		return Run{}, err
	}
	return c.play(s)
}

// pathRuns is where runs are, below [Prefix].
const pathRuns = "/scenarios/runs"

// play starts a scenario and answers where it can be followed.
func (c *call) play(s Scenario) (Run, error) {
	run, err := c.start(s)
	if err != nil {
		return Run{}, err
	}
	c.w.Header().Set("Location", c.box.calls()+pathRuns+"/"+run.ID)
	return run, nil
}

// check refuses a scenario that means nothing.
func (s *Scenario) check() error {
	switch {
	case !sandboxName.MatchString(s.Name):
		return taxi.InvalidField("/name", "format", "wants up to 40 lower-case letters, digits and hyphens")
	case len(s.Seen) == 0:
		return taxi.InvalidField("/seen", "required", "is missing: a scenario says what should be seen")
	case max(len(s.Seen), len(s.Setup.Users), len(s.Setup.Supply), len(s.Setup.Faults), len(s.Setup.Scripts)) > mostScenario:
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

// needs refuses to play a scenario in a world that is too small for it.
func (s *Scenario) needs(c host.Config) error {
	if c.Cars >= s.Setup.Cars {
		return nil
	}
	return taxi.NewProblem(http.StatusConflict, codeConflict, `%s needs %d cars, and this world has %d; POST %s/sandboxes {"cars":%d} makes one that has`,
		s.Name, s.Setup.Cars, c.Cars, Prefix, s.Setup.Cars)
}
