package control

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control/metrics"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// Calls of a [Server].
var (
	ListSandboxes = Call[url.Values, SandboxList]{get("listSandboxes", "/sandboxes", "The sandboxes; only in the main world", listSandboxes).shared().takes(
		parameter{name: "owner", means: "those of this owner"},
		parameter{name: "label", means: "those with this label, such as team=checkout; several: with all of them", schema: object{"type": "array", "items": object{"type": "string"}}},
	)}
	MakeSandbox = Call[SandboxOrder, Sandbox]{post("makeSandbox", "/sandboxes", "Create a sandbox", makeSandbox).shared().needs(tokens.MaySandboxes).created().
			more("Members that are left out are as in the main world. An unknown scenario is refused with 422; the response lists the known ones. " +
			"A token that owns as many sandboxes as it may is refused with the code `sandbox-quota`.").
		refuses(http.StatusConflict)}
	ReadSandbox = Call[url.Values, Sandbox]{get("readSandbox", "/sandboxes/{name}", "A sandbox", showSandbox).shared()}
	EndSandbox  = Call[url.Values, None]{del("endSandbox", "/sandboxes/{name}", "Remove a sandbox", endSandbox).shared().needs(tokens.MaySandboxes).says("the sandbox is removed")}
)

// Limits of sandboxes.
const (
	longestTTL = 7 * 24 * time.Hour
	mostCars   = 1000
)

// sandboxName matches the name of a sandbox, which is part of a path.
var sandboxName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)

// SandboxOrder describes a new sandbox. For members that are left out, the settings of
// the main world apply.
type SandboxOrder struct {
	Name      string      `json:"name,omitempty"` // lower-case letters, digits and hyphens; left out: a generated name
	Seed      *uint64     `json:"seed,omitempty"`
	Clock     *ClockOrder `json:"clock,omitempty"` // with "now" but no mode or speed, the clock is stopped, and callers use it unless "callers" is given
	Cars      int         `json:"cars,omitempty" schema:"maximum: 1000, minimum: 1"`
	Town      string      `json:"town,omitempty" schema:"enum: [otterbridge, none]"` // none: straight lines; left out: as in the main world
	Demand    string      `json:"demand,omitempty"`
	Behaviour string      `json:"behaviour,omitempty" schema:"enum: [calm, typical, stormy]"`

	// how much responses vary within the limits of the interface, so that clients do not
	// depend on one form: 0 not at all, 1 a little, 2 as much as possible; left out: as
	// in the main world
	Variation *vary.Level `json:"variation,omitempty" schema:"enum: [0, 1, 2]"`
	Empty     bool        `json:"empty,omitempty"` // start without users

	// name of a scenario of `GET /scenarios`, which is started in the sandbox; if it
	// cannot be started, no sandbox is created. Without "cars", the scenario sets the
	// number of cars.
	Scenario string        `json:"scenario,omitempty" schema:"examples: [happy-asap]"`
	TTL      host.Duration `json:"ttl,omitzero"` // real time without requests after which it is removed; left out: an hour

	// of whom it is; left out: the name of the token that creates it. Only a token with the
	// right to everything can name somebody else.
	Owner string `json:"owner,omitempty" schema:"pattern: '^[a-z0-9-]{1,40}$'"`

	// names of up to 40 letters, digits and _, with values of up to 100 characters
	Labels map[string]string `json:"labels,omitempty" schema:"maxProperties: 10"`

	// when it is removed even if it is used, in real time: a moment, or the time until
	// then such as 8h or 3d, at most 30 days ahead; left out: never
	Ends string `json:"ends,omitempty" schema:"examples: [8h]"`
}

// Sandbox is a separate world.
type Sandbox struct {
	Name          string     `json:"name"`
	ThirdPartyURL string     `json:"thirdPartyUrl"` // the address for a platform
	ControlURL    string     `json:"controlUrl"`    // the address of its control API
	Owner         string     `json:"owner,omitempty"`
	Made          time.Time  `json:"made"`    // in real time
	Expires       time.Time  `json:"expires"` // in real time, unless it is used before
	Seed          uint64     `json:"seed"`
	Cars          int        `json:"cars"`
	Variation     vary.Level `json:"variation" schema:"enum: [0, 1, 2]"` // how much responses vary within the limits of the interface
	Clock         *Clock     `json:"clock,omitempty"`                    // left out: the sandbox does not run in the process that answers
	Replica       string     `json:"replica,omitempty"`                  // address of another process that runs it

	Labels map[string]string `json:"labels,omitempty"`
	Ends   time.Time         `json:"ends,omitzero"` // in real time, when it is removed even if it is used; left out: never

	Run *SandboxRun `json:"run,omitempty"` // the run of the scenario that it was created with; left out: none
}

// SandboxRun is the scenario run that a sandbox was created with.
type SandboxRun struct {
	ID       string `json:"id"` // of the run, within the sandbox
	Scenario string `json:"scenario"`
	URL      string `json:"url"` // GET returns its state, DELETE ends it
}

// config returns the configuration of the sandbox's world.
func (o SandboxOrder) config(c host.Config) (host.Config, error) {
	c.Start, c.Callers = nil, ""
	if o.Seed != nil {
		c.Seed = *o.Seed
	}
	if o.Town != "" && o.Town != "none" && o.Town != host.DefaultTown {
		// Never a file: clients must not choose which files are read.
		return c, taxi.InvalidField("/town", "range", "is %q, want %s or none", o.Town, host.DefaultTown)
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
		c.Callers = simulator.CallersByEither // the world begins now, and a caller whose clock falls behind it gets an error
	}
	return c, nil
}

func makeSandbox(c *call, o SandboxOrder) (out Sandbox, err error) {
	order, err := c.named(&o)
	if err != nil {
		return out, err
	}
	main, err := c.server.mainConfig(c)
	if err != nil {
		return out, err
	}
	if order.Config, err = o.config(main); err != nil {
		return out, err
	}
	var first *Scenario
	if o.Scenario != "" {
		if first, err = o.begins(); err != nil {
			return out, err
		}
		if o.Cars == 0 {
			order.Config.Cars = max(order.Config.Cars, first.Setup.Cars)
		}
	}
	box, err := c.addSandbox(order, o.Empty, first)
	if err != nil {
		return out, err
	}
	c.w.Header().Set("Location", c.server.options.ControlURL+Prefix+"/sandboxes/"+box.Name)
	return c.sandboxOf(box), nil
}

// begins returns the scenario that the order names, or an error if there is none.
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

// SandboxList lists the sandboxes of a server, by name.
type SandboxList struct {
	Sandboxes []Sandbox `json:"sandboxes"`
}

func listSandboxes(c *call) (SandboxList, error) {
	filter, err := c.namesFilter()
	if err != nil {
		return SandboxList{}, err
	}
	here, others, err := c.server.worlds.Everywhere(c)
	if err != nil {
		return SandboxList{}, err
	}
	all := []Sandbox{}
	for _, w := range here {
		if filter.takes(w.Owner, w.Labels) {
			all = append(all, c.sandboxOf(boxOf(w)))
		}
	}
	for _, listed := range others {
		if filter.takes(listed.Facts.Owner, listed.Facts.Labels) {
			all = append(all, c.sandboxFrom(listed))
		}
	}
	slices.SortFunc(all, func(a, b Sandbox) int { return strings.Compare(a.Name, b.Name) })
	return SandboxList{all}, nil
}

func showSandbox(c *call) (Sandbox, error) {
	box, err := c.server.sandbox(c, c.path("name"))
	if err != nil {
		return Sandbox{}, err
	}
	return c.sandboxOf(box), nil
}

func endSandbox(c *call) (None, error) {
	box, err := c.server.sandbox(c, c.path("name"))
	if err != nil {
		return None{}, err
	}
	if !c.who.owns(box.World) {
		return None{}, c.who.forbidden(tokens.MayEverything, box.World)
	}
	return None{}, c.server.worlds.End(c, box.World)
}

// mainConfig returns the configuration of the main world, wherever it runs.
func (s *Server) mainConfig(ctx context.Context) (host.Config, error) {
	if h := s.Host(); h != nil {
		return h.Config(), nil
	}
	main, err := s.worlds.Find(ctx, "")
	if err == nil && main.Facts.Config.Cars == 0 { // another process is opening it for the first time
		return s.options.Config, nil
	}
	return main.Facts.Config, err
}

// sandboxFrom describes a world that does not run in this process.
func (c *call) sandboxFrom(l worlds.Listed) Sandbox {
	out, f := c.addressed(l.Name), l.Facts
	out.Made, out.Expires = f.Made, f.Expires()
	out.Owner, out.Labels, out.Ends = f.Owner, f.Labels, f.Until
	out.Seed, out.Cars, out.Variation, out.Replica = f.Config.Seed, f.Config.Cars, f.Config.Variation, l.Address
	return out
}

// addressed returns a [Sandbox] with only its name and addresses set.
func (c *call) addressed(name string) Sandbox {
	base := c.server.baseOf(c.r)
	return Sandbox{
		Name: name, ThirdPartyURL: cmp.Or(c.server.options.ThirdPartyURL, base) + sandboxPrefix + name,
		ControlURL: base + sandboxPrefix + name + Prefix,
	}
}

func (c *call) sandboxOf(box *sandbox) Sandbox {
	h, out := box.Gate.Latest(), c.addressed(box.Name)
	clock := clockOf(h.World())
	out.Made, out.Expires = box.Made, box.Expires()
	out.Owner, out.Labels, out.Ends = box.Owner, box.Labels, box.Until
	out.Seed, out.Cars, out.Variation, out.Clock = h.Config().Seed, h.Config().Cars, h.Config().Variation, &clock
	if r := box.first; r != nil {
		out.Run = &SandboxRun{ID: r.ID, Scenario: r.Scenario, URL: out.ControlURL + pathRuns + "/" + r.ID}
	}
	return out
}

// baseOf returns the address of the control API for clients: the public one, or the one
// that the client used.
func (s *Server) baseOf(r *http.Request) string {
	switch {
	case s.options.ControlURL != "":
		return s.options.ControlURL
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// addSandbox opens a sandbox with a free name, and starts a scenario in it unless first
// is nil. If the scenario cannot be started, the sandbox is removed.
func (c *call) addSandbox(order worlds.Order, empty bool, first *Scenario) (*sandbox, error) {
	made, done, err := c.server.making.count(c, c.who, c.server.worlds)
	if err != nil {
		return nil, err
	}
	defer done()
	order.Prepare = func(ctx context.Context, w *worlds.World) (err error) {
		made(w)
		if empty {
			err = w.Gate.Latest().Reset(ctx, host.Reset{Nobody: true})
		}
		if box := boxOf(w); err == nil && first != nil {
			box.first, err = c.server.startFirst(ctx, box, *first)
		}
		return err
	}
	w, err := c.server.worlds.Add(c, order)
	if err != nil {
		return nil, below("/clock", err, "start", "now", "callers", "callers", "speed", "speed")
	}
	return boxOf(w), nil
}

// StartScenario starts a scenario in the main world. The error is a [*taxi.Problem] if there
// is no such scenario.
func (s *Server) StartScenario(ctx context.Context, name string) error {
	first, err := scenarioNamed(name)
	if err == nil {
		_, err = s.startFirst(ctx, boxOf(s.worlds.Main()), first)
	}
	return err
}

// startFirst starts a scenario in a world before other clients can find it.
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

// sandbox is a world with its control data: the main one, or one that a client created.
type sandbox struct {
	*worlds.World

	clock         chan struct{} // of length one: held while a client moves the clock
	faults        *fault.Set
	positionFeeds positionFeeds
	scenarios     scenarioRuns
	first         *Run // the scenario run that it was created with, or nil
	answers       answersOf
	memory        memory
	metrics       *metrics.Metrics
	journal       Journal      // nil: there is none
	handler       http.Handler // the five operations, through metrics, journal, faults and host
}

// boxOf returns the sandbox of a world.
func boxOf(w *worlds.World) *sandbox { return w.Beside.(*sandbox) }

// operations returns the handler of the five operations in a sandbox.
func (s *Server) operations(box *sandbox) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visit, err := box.Gate.Enter(r.Context())
		if err != nil {
			s.fail(w, r, err)
			return
		}
		defer visit.Leave()
		w = s.confirmed(w, r, box)
		if box.answers.Load() == AnswersRequired {
			answerRequired(w, r, visit.Host)
			return
		}
		visit.Host.ServeHTTP(w, r)
	})
}

// calls returns the path of the world's control API.
func (b *sandbox) calls() string {
	if b.Name == "" {
		return Prefix
	}
	return sandboxPrefix + b.Name + Prefix
}
