package control

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
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

// sandboxPrefix is where sandboxes are, each below its name.
const sandboxPrefix = "/s/"

// Limits of sandboxes.
const (
	MostSandboxes = 200
	longestTTL    = 7 * 24 * time.Hour
	defaultTTL    = time.Hour
	largestTown   = 10_000 // metres
	mostCars      = 1000
	tidyEvery     = time.Minute
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
	c.w.Header().Set("Location", Prefix+"/sandboxes/"+box.name)
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
	for _, box := range c.server.sandboxes() {
		all = append(all, c.sandboxOf(box))
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
	c.server.forget(box)
	return none{}, box.close()
}

func (c *call) sandboxOf(box *sandbox) Sandbox {
	h, base := box.gate.latest(), cmp.Or(c.server.options.ControlURL, baseOf(c.r))
	out := Sandbox{
		Name: box.name, ThirdPartyURL: cmp.Or(c.server.options.ThirdPartyURL, base) + sandboxPrefix + box.name,
		ControlURL: base + box.calls(), Made: box.made, Expires: box.expires(),
		Seed: h.Config().Seed, Cars: h.Config().Cars, Variation: h.Config().Variation, Memory: box.weight(), Clock: clockOf(h.World()),
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
	s.tidyUp()
	name, err := s.reserve(o.Name, config)
	if err != nil {
		return nil, err
	}
	box, err := s.open(context.WithoutCancel(ctx), name, config)
	if err == nil && o.Empty {
		if err = box.gate.latest().Reset(ctx, host.Reset{Nobody: true}); err != nil {
			_ = box.close() // the failure says more
		}
	}
	if err == nil && first != nil {
		if box.first, err = s.startFirst(ctx, box, *first); err != nil {
			_ = box.close() // the failure says more
		}
	}
	if err != nil {
		s.drop(name)
		return nil, below("/clock", err, "start", "now", "callers", "callers", "speed", "speed")
	}
	box.made, box.ttl = s.options.Now(), cmp.Or(time.Duration(o.TTL), defaultTTL)
	box.touch(box.made)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.orders, name)
	if s.ended {
		return nil, fmt.Errorf("%w: %w", errEnded, box.close())
	}
	s.boxes[name] = box
	return box, nil
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

// reserve takes a name, or makes one up, and the memory that the order is for.
func (s *Server) reserve(name string, c host.Config) (string, error) {
	weights := s.weigh()
	s.mu.Lock()
	name, err := s.free(name)
	var ends []*sandbox
	if err == nil {
		ends, err = s.makeRoom(c, weights)
	}
	if err == nil {
		s.boxes[name], s.orders[name] = nil, c
	}
	s.mu.Unlock()
	s.endSurplus(ends)
	return name, err
}

// free is a name that no sandbox has; mu is held.
func (s *Server) free(name string) (string, error) {
	if len(s.boxes) >= MostSandboxes {
		return "", taxi.NewProblem(http.StatusConflict, codeTooMany, "there are %d sandboxes already; DELETE one, or wait until one has not been asked for in a while", MostSandboxes)
	}
	if _, taken := s.boxes[name]; taken {
		return "", taxi.NewProblem(http.StatusConflict, codeSandboxExists, "there is a sandbox %s already", name)
	}
	for n := 1; name == ""; n++ {
		if _, taken := s.boxes["box-"+strconv.Itoa(n)]; !taken {
			name = "box-" + strconv.Itoa(n)
		}
	}
	return name, nil
}

func (s *Server) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.boxes, name)
	delete(s.orders, name)
}

// forget takes a sandbox out, so that nobody finds it any more.
func (s *Server) forget(box *sandbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.boxes[box.name] == box {
		delete(s.boxes, box.name)
	}
}

// takeAll takes all sandboxes out, for good.
func (s *Server) takeAll() []*sandbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.opened()
	s.ended, s.boxes = true, make(map[string]*sandbox)
	return all
}

// sandboxes returns the sandboxes that are open, by name.
func (s *Server) sandboxes() []*sandbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened()
}

// opened is sandboxes; mu is held.
func (s *Server) opened() []*sandbox {
	all := make([]*sandbox, 0, len(s.boxes))
	for _, name := range slices.Sorted(maps.Keys(s.boxes)) {
		if box := s.boxes[name]; box != nil {
			all = append(all, box)
		}
	}
	return all
}

// sandbox finds a sandbox, unless nobody has asked for it in too long a time.
func (s *Server) sandbox(name string) (*sandbox, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unexpired(name)
}

// unexpired is sandbox; mu is held.
func (s *Server) unexpired(name string) (*sandbox, error) {
	box := s.boxes[name]
	if box == nil || box.expired(s.options.Now()) {
		return nil, taxi.NewProblem(http.StatusNotFound, codeNoSandbox, "there is no sandbox %.40q; it may not have been asked for in a while, or have made room for others", name)
	}
	return box, nil
}

// sandboxAt finds the sandbox of a path that begins with its name, and the path in it. The
// sandbox does not expire until leave is called.
func (s *Server) sandboxAt(path string) (box *sandbox, inner string, leave func(), err error) {
	name, rest, _ := strings.Cut(path, "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	if box, err = s.unexpired(name); err != nil {
		return nil, "", nil, err
	}
	if inner = "/" + rest; inner == PathMetrics { // whoever reads those comes for ever, and would keep every sandbox
		return box, inner, func() {}, nil
	}
	box.touch(s.options.Now())
	box.inside.Add(1)
	return box, inner, func() {
		box.touch(s.options.Now())
		box.inside.Add(-1)
	}, nil
}

// relocated is a request as the world of a sandbox sees it, with the path below its own.
func relocated(r *http.Request, escaped string) *http.Request {
	inner, at := *r, *r.URL
	at.RawPath = escaped
	at.Path, _ = url.PathUnescape(escaped) // it is a piece of a path that was parsed
	inner.URL = &at
	return &inner
}

// tidyUp ends the sandboxes that nobody has asked for in too long a time, and some more if all
// take too much memory.
func (s *Server) tidyUp() {
	for _, box := range s.takeExpired() {
		s.end(box)
	}
	s.shrink()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.tidy.Reset(tidyEvery)
	}
}

// end ends a sandbox that was taken out.
func (s *Server) end(box *sandbox) {
	if err := box.close(); err != nil {
		s.log.Warn("a sandbox that nobody asked for could not be ended", "sandbox", box.name, "error", err)
	}
}

// takeExpired takes out the sandboxes that nobody has asked for in too long a time.
func (s *Server) takeExpired() (expired []*sandbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	for _, box := range s.opened() {
		if box.expired(now) {
			expired = append(expired, box)
			delete(s.boxes, box.name)
		}
	}
	return expired
}

// touch notes that somebody asks for a sandbox.
func (b *sandbox) touch(now time.Time) { b.asked.Store(now.UnixMilli()) }

// expired reports whether nobody is being answered, or was in too long a time.
func (b *sandbox) expired(now time.Time) bool {
	return b.inside.Load() == 0 && now.After(b.expires())
}

// expires is when a sandbox ends unless somebody asks for it.
func (b *sandbox) expires() time.Time { return time.UnixMilli(b.asked.Load()).Add(b.ttl).UTC() }
