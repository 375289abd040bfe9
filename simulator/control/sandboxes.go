package control

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
	"github.com/cabrank/cabrank/simulator/worlds"
)

func sandboxCalls() calls {
	return calls{
		get("listSandboxes", "/sandboxes", "The sandboxes that there are; of the main world only", listSandboxes).free().mainOnly(),
		post("makeSandbox", "/sandboxes", "Make a world of its own", makeSandbox).mainOnly().created().
			more("What is left out is as in the main world. With a scenario that is not known it is refused with 422, and the answer lists those that are.").
			refuses(http.StatusConflict),
		get("readSandbox", "/sandboxes/{name}", "A sandbox", showSandbox).free().mainOnly(),
		del("endSandbox", "/sandboxes/{name}", "End a sandbox", endSandbox).free().mainOnly().says("it has ended"),
	}.tagged("Sandboxes")
}

// Limits of sandboxes.
const (
	longestTTL  = 7 * 24 * time.Hour
	largestTown = 10_000 // metres
	mostCars    = 1000
)

// sandboxName is what a sandbox may be called: it is part of a path.
var sandboxName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)

// SandboxOrder asks for a sandbox. What is left out is as in the main world.
type SandboxOrder struct {
	Name      string      `json:"name,omitempty"` // lower-case letters, digits and hyphens; left out: one is made up
	Seed      *uint64     `json:"seed,omitempty"`
	Clock     *ClockOrder `json:"clock,omitempty"` // with a "now", no mode and no speed it is moved by hand, and callers mean it unless "callers" says otherwise
	Cars      int         `json:"cars,omitempty" schema:"maximum: 1000, minimum: 1"`
	Town      string      `json:"town,omitempty"` // the side of its square in metres, or none for straight lines
	Demand    string      `json:"demand,omitempty"`
	Behaviour string      `json:"behaviour,omitempty" schema:"enum: [calm, typical, stormy]"`

	// how much answers differ in ways that the interface allows, so that clients do not depend on one:
	// 0 not at all, 1 a little, 2 as much as it goes; left out: as in the main world
	Variation *vary.Level `json:"variation,omitempty" schema:"enum: [0, 1, 2]"`
	Empty     bool        `json:"empty,omitempty"` // nobody is known at first

	// the name of one of `GET /scenarios`, which is started in it; where it cannot be started no sandbox
	// is made. With no cars given the sandbox has as many as that needs.
	Scenario string        `json:"scenario,omitempty" schema:"examples: [happy-asap]"`
	TTL      host.Duration `json:"ttl,omitzero"` // how long it stays after somebody has last asked for it, by the wall; left out: an hour
}

// Sandbox is a world of its own.
type Sandbox struct {
	Name          string     `json:"name"`
	ThirdPartyURL string     `json:"thirdPartyUrl"` // the address to give to a platform
	ControlURL    string     `json:"controlUrl"`    // where its calls are
	Made          time.Time  `json:"made"`          // by the wall
	Expires       time.Time  `json:"expires"`       // by the wall, unless somebody asks for it before
	Seed          uint64     `json:"seed"`
	Cars          int        `json:"cars"`
	Variation     vary.Level `json:"variation" schema:"enum: [0, 1, 2]"` // how much answers differ in ways that the interface allows
	Memory        int64      `json:"memory"`                             // bytes that it takes of memory, about, without the streets of its town; all sandboxes may take 1 GiB
	Clock         Clock      `json:"clock"`

	Run *SandboxRun `json:"run,omitempty"` // the run of the scenario that it was made with; left out: it was made without one
}

// SandboxRun is where to follow the scenario that a sandbox was made with.
type SandboxRun struct {
	ID       string `json:"id"` // of the run, in the sandbox
	Scenario string `json:"scenario"`
	URL      string `json:"url"` // GET tells how it stands, DELETE ends it
}

// config is what the world of a sandbox is made from.
func (o SandboxOrder) config(c host.Config) (host.Config, error) {
	from := c.GrowsFrom()
	c.TownSeed, c.Start, c.Callers = &from, nil, ""
	if o.Seed != nil {
		c.Seed = *o.Seed
	}
	if o.Town != "" && o.Town != "none" {
		// Never a file: whoever may call does not choose which are read.
		if size, err := strconv.Atoi(o.Town); err != nil || size < host.SmallestTown || size > largestTown {
			return c, taxi.InvalidField("/town", "range", "is %q, want %d to %d metres, or none", o.Town, host.SmallestTown, largestTown)
		}
	}
	if o.Cars < 0 || o.Cars > mostCars {
		return c, taxi.InvalidField("/cars", "range", "is %d, want 1 to %d", o.Cars, mostCars)
	}
	c.Town, c.Demand, c.Behaviour = cmp.Or(o.Town, c.Town), cmp.Or(o.Demand, c.Demand), cmp.Or(o.Behaviour, c.Behaviour)
	c.Cars = cmp.Or(o.Cars, c.Cars)
	if o.Variation != nil {
		c.Variation = *o.Variation
	}
	if o.Clock == nil {
		return c, nil
	}
	order := *o.Clock
	if order.Mode == "" && order.Speed == nil && order.Now != nil {
		order.Mode = Manual
	}
	speed, err := order.speed()
	if err != nil {
		return c, below("/clock", err)
	}
	if speed >= 0 {
		c.Speed = speed
	}
	c.Start, c.Callers = order.Now, order.Callers
	if c.Callers == "" && c.Speed == 0 && c.Start == nil {
		c.Callers = simulator.CallersByEither // the world begins now, and no caller's clock falls behind it unnoticed
	}
	return c, nil
}

func makeSandbox(c *call, o SandboxOrder) (out Sandbox, err error) {
	switch {
	case o.Name != "" && !sandboxName.MatchString(o.Name):
		return out, taxi.InvalidField("/name", "format", "wants up to 40 lower-case letters, digits and hyphens")
	case o.TTL < 0 || time.Duration(o.TTL) > longestTTL:
		return out, taxi.InvalidField("/ttl", "range", "is %v, want up to %v", time.Duration(o.TTL), longestTTL)
	}
	config, err := o.config(c.host.Config())
	if err != nil {
		return out, err
	}
	var first *Scenario
	if o.Scenario != "" {
		if first, err = o.begins(); err != nil {
			return out, err
		}
		if o.Cars == 0 {
			config.Cars = max(config.Cars, first.Setup.Cars)
		}
	}
	box, err := c.server.addSandbox(c, o, config, first)
	if err != nil {
		return out, err
	}
	c.w.Header().Set("Location", Prefix+"/sandboxes/"+box.Name)
	return c.sandboxOf(box), nil
}

// begins is the scenario that is started in a sandbox.
func (o *SandboxOrder) begins() (*Scenario, error) {
	s, err := scenarioNamed(o.Scenario)
	if err != nil {
		var names []string
		for _, s := range Scenarios() {
			names = append(names, s.Name)
		}
		return nil, taxi.InvalidField("/scenario", "range", "is %.40q, want one of %s", o.Scenario, strings.Join(names, ", "))
	}
	return &s, nil
}

// SandboxList lists those of a server, by name.
type SandboxList struct {
	Sandboxes []Sandbox `json:"sandboxes"`
}

func listSandboxes(c *call) (SandboxList, error) {
	all := []Sandbox{}
	for _, w := range c.server.worlds.All() {
		all = append(all, c.sandboxOf(boxOf(w)))
	}
	return SandboxList{all}, nil
}

func showSandbox(c *call) (Sandbox, error) {
	box, err := c.server.sandbox(c.path("name"))
	if err != nil {
		return Sandbox{}, err
	}
	return c.sandboxOf(box), nil
}

func endSandbox(c *call) (none, error) {
	box, err := c.server.sandbox(c.path("name"))
	if err != nil {
		return none{}, err
	}
	return none{}, c.server.worlds.End(box.World)
}

func (c *call) sandboxOf(box *sandbox) Sandbox {
	h, base := box.Gate.Latest(), cmp.Or(c.server.options.ControlURL, baseOf(c.r))
	out := Sandbox{
		Name: box.Name, ThirdPartyURL: cmp.Or(c.server.options.ThirdPartyURL, base) + sandboxPrefix + box.Name,
		ControlURL: base + box.calls(), Made: box.Made, Expires: box.Expires(),
		Seed: h.Config().Seed, Cars: h.Config().Cars, Variation: h.Config().Variation, Memory: box.Weight(), Clock: clockOf(h.World()),
	}
	if r := box.first; r != nil {
		out.Run = &SandboxRun{ID: r.ID, Scenario: r.Scenario, URL: out.ControlURL + pathRuns + "/" + r.ID}
	}
	return out
}

// baseOf is the address of the server as whoever asks has reached it.
func baseOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// addSandbox opens a sandbox under a name that is free, and starts a scenario in it unless
// that is nil. A sandbox in which it cannot be started is none.
func (s *Server) addSandbox(ctx context.Context, o SandboxOrder, config host.Config, first *Scenario) (*sandbox, error) {
	w, err := s.worlds.Add(ctx, worlds.Order{
		Name: o.Name, Config: config, TTL: time.Duration(o.TTL),
		Prepare: func(ctx context.Context, w *worlds.World) (err error) {
			if o.Empty {
				err = w.Gate.Latest().Reset(ctx, host.Reset{Nobody: true})
			}
			if box := boxOf(w); err == nil && first != nil {
				box.first, err = s.startFirst(ctx, box, *first)
			}
			return err
		},
	})
	if err != nil {
		return nil, below("/clock", err, "start", "now", "callers", "callers", "speed", "speed")
	}
	return boxOf(w), nil
}

// startFirst starts a scenario in a sandbox that nobody else has found yet.
func (s *Server) startFirst(ctx context.Context, box *sandbox, first Scenario) (*Run, error) {
	c := &call{Context: ctx, server: s, box: box}
	leave, err := c.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	run, err := c.start(first)
	return &run, err
}
