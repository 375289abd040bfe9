// Package dispatchtest provides a working dispatch system for Go tests: the reference
// itself, with a fleet, people and a clock that the test controls.
//
//	d := dispatchtest.New(t, dispatchtest.Options{})
//	platform := mine.New(d.URL())                // whatever calls a third party
//	platform.Ring(d.Person(fixtures.PersonRich)) // … and books a taxi for somebody
//	err := d.Clock().UntilStatus(t.Context(), d.Latest().JourneyID, taxi.Arrived, time.Hour)
//
// The clock stands still until the test advances it, so tests need not wait. It starts at
// the real time, and a platform may use time.Now for a taxi "now", even after the test has
// advanced the world's clock: a pickup is as far ahead in the world as it is in real time.
// For identical runs, to the minute, set [Options].VirtualClock and give the platform
// [Fake.Clock]. Everything ends with the test; if the test failed, the last calls and the
// events since New are logged.
//
// The fake has everything that 'cabrank serve' has:
//
//   - [Fake.Journal] keeps and judges the requests of the platform: it lists, waits for and verifies
//     them, and reports those that break a rule of the interface.
//   - [Fake.Control] calls the control API, which the server of [Fake.URL] serves too: journeys, vehicles,
//     scenarios, snapshots, and sandboxes, which are further worlds below /s/NAME.
//
// Faults of answers, cars and drivers are set by rules: [Fake.Faults]. [simulator.Behaviour] has
// shares of drivers and passengers who do not do as agreed.
package dispatchtest

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/control/journals"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// Options configures a fake. The zero value is a town with ten cars and the people of the
// fixtures, without faults, on a loopback port.
type Options struct {
	// World is the options of the main world. No cars: ten. No wall: the clock is moved
	// by hand. Sandboxes have its seed, its number of cars and its clock, unless they are
	// ordered otherwise.
	World simulator.Options

	// CallersClock is the clock of the platform under test. The world starts at its time, and
	// a pickup is as far ahead in the world as on this clock, even after the test has advanced
	// the world's clock. Nil: time.Now.
	CallersClock func() time.Time

	// VirtualClock says that the platform under test uses [Fake.Clock], which starts at
	// World.Start, or else at [simulator.Epoch], so that all runs are identical. Setting
	// World.Start or World.Wall implies it.
	VirtualClock bool

	HTTP dispatch.HTTPOptions // credentials and rate limits

	// Variation is how much answers vary in ways that the interface allows, so that the
	// platform under test does not depend on one form; the zero value: not at all. The
	// variations and ids are derived from World.Seed.
	Variation vary.Level

	// People are the users known at first. Nil: those of the fixtures; empty:
	// nobody.
	People []fixtures.Person

	// InMemory serves through pipes instead of TCP, as a testing/synctest bubble needs. Only
	// [Fake.HTTPClient] and [Fake.Client] can then reach the fake.
	InMemory bool
}

// Fake is a running dispatch system.
type Fake struct {
	t      testing.TB
	url    string
	server *control.Server
	client *http.Client
	pipes  bool      // they are what client calls through
	auth   taxi.Auth // what callers have to show
	now    func() time.Time
	people []fixtures.Person
	kept   *Journal
	faults *Faults
	known  uint64 // the serial of the last journey before the test
}

// New starts a dispatch system that ends with the test.
func New(t testing.TB, o Options) *Fake {
	t.Helper()
	o.World.Cars = cmp.Or(o.World.Cars, 10)
	o.setClock()
	log := &diary{}
	t.Cleanup(func() { log.logIfFailed(t) }) // faults are told there in any case
	f := &Fake{t: t, pipes: o.InMemory, auth: o.HTTP.Credentials.Auth(), people: o.People, now: o.World.Wall}
	kept := f.open(o, log)
	f.kept = &Journal{t: t, live: kept.Main()}
	f.faults = &Faults{t, f.server.Faults()}
	if f.people == nil {
		f.people = fixtures.People()
	}
	if f.now == nil {
		f.now = f.Clock().Now
	}
	if all := f.Journeys(); len(all) > 0 {
		f.known = all[len(all)-1].Serial
	}
	f.server.Host().Follow(func(w *simulator.World) { w.Watch(log.change) })
	t.Cleanup(f.kept.logIfFailed)
	f.serve(o, kept)
	return f
}

// open makes the main world with its journal.
func (f *Fake) open(o Options, log *diary) *journals.Journals {
	f.t.Helper()
	kept := journals.New(journals.Options{Now: time.Now})
	var err error
	f.server, err = control.New(f.t.Context(), control.Options{
		Config: o.config(), Open: o.openHost, Journal: kept.Of, Now: wall(o), NoMagic: true, FaultTold: log.fault,
	})
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	f.t.Cleanup(func() { _ = f.server.Close() }) // memory has nothing to lose
	return kept
}

// config is what worlds are made from, as far as [Options].World does not say it.
func (o *Options) config() host.Config {
	config := host.Default()
	config.Speed = 0 // a world that is to run by itself is told so by the test
	config.Cars = min(o.World.Cars, fixtures.FleetSize)
	config.Variation, config.Seed = o.Variation, o.World.Seed
	return config
}

// openHost opens the main world, whose name is "", or a sandbox.
func (o *Options) openHost(ctx context.Context, opening worlds.Opening) (*host.Host, error) {
	c := opening.Config
	deps := host.Deps{Now: wall(*o), HTTP: o.HTTP, People: o.People}
	switch {
	case opening.Name == "":
		deps.World = o.mainWorld
	case c.Start != nil:
	case o.World.Wall == nil: // it begins as the main world does, in every run
		start := o.World.Start
		if start.IsZero() {
			start = simulator.Epoch
		}
		c.Start = &start
	case c.Callers == "":
		c.Callers = simulator.CallersByWall // as those of the main world
	}
	return host.Open(ctx, c, deps)
}

// mainWorld replaces the options of the main world by [Options].World, except for the form of ids if answers vary.
func (o *Options) mainWorld(w *simulator.Options) {
	ids := w.IDs
	*w = o.World
	if o.Variation != vary.None {
		w.IDs = ids
	}
}

// setClock makes the world follow the callers' clock, unless the callers follow the world's.
func (o *Options) setClock() {
	switch {
	case o.CallersClock != nil:
		o.World.Wall = o.CallersClock
	case !o.VirtualClock && o.World.Wall == nil && o.World.Start.IsZero():
		o.World.Wall = time.Now
	}
}

// wall returns the callers' clock, which is the machine's by default.
func wall(o Options) func() time.Time {
	if o.World.Wall == nil {
		return time.Now
	}
	return o.World.Wall
}

// serve listens and answers until the test ends.
func (f *Fake) serve(o Options, kept *journals.Journals) {
	listener, transport := f.listen(o.InMemory)
	f.url = "http://" + listener.Addr().String()
	f.client = &http.Client{Transport: transport}
	server := dispatch.Server(f.server)
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(listener) }) // ends with Close
	f.t.Cleanup(func() {
		f.server.Quit()
		kept.Release()
		transport.CloseIdleConnections()
		_ = server.Close()
		served.Wait()
	})
}

func (f *Fake) listen(inMemory bool) (net.Listener, *http.Transport) {
	if inMemory {
		var inside Network
		listener, _ := inside.Listen(f.t.Context()) // never fails
		return listener, &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return inside.Dial(ctx, network, listener.Addr().String()) // whatever the address
		}}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	return listener, http.DefaultTransport.(*http.Transport).Clone()
}

// URL returns the third-party address for the platform under test.
func (f *Fake) URL() string { return f.url }

// HTTPClient returns an HTTP client that reaches the fake also with [Options].InMemory, for a
// platform under test that makes its own calls.
func (f *Fake) HTTPClient() *http.Client { return f.client }

// Client returns a client for the five operations.
func (f *Fake) Client(o taxi.ClientOptions) *taxi.Client {
	f.t.Helper()
	if o.Transport == nil {
		o.Transport = f.client.Transport
	}
	c, err := taxi.NewClient(f.url, o)
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	return c
}

// Clock is the fake's clock: Advance, AdvanceTo, UntilStatus and the like move
// it, and let happen what is due on the way.
func (f *Fake) Clock() simulator.Clock { return f.World().Clock() }

// Control returns a client of the control API, which moves clocks, changes journeys, vehicles and
// users, and makes sandboxes. It is served at [Fake.URL] for programs in other languages, too; with
// [Options].InMemory only this client reaches it.
func (f *Fake) Control() *client.Client {
	f.t.Helper()
	base := f.url
	if f.pipes {
		base = "http://localhost" // the API answers to names of this machine only, and pipes to all
	}
	c, err := client.New(base, client.Options{HTTP: f.client})
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	return c
}

// Journal returns the record of the platform's calls.
func (f *Fake) Journal() *Journal { return f.kept }

// Faults returns the rules for faults in answers to the platform under test; initially there
// are none.
func (f *Fake) Faults() *Faults { return f.faults }

// World is the whole town, for tests that want to change how people behave or
// watch the cars.
func (f *Fake) World() *simulator.World { return f.server.Host().World() }

// Booked returns the journeys booked since New, in the order of booking, without those that
// the fixtures booked before.
func (f *Fake) Booked() []*store.Journey {
	f.t.Helper()
	all := f.Journeys()
	first := slices.IndexFunc(all, func(j *store.Journey) bool { return j.Serial > f.known })
	if first < 0 {
		return nil
	}
	return all[first:]
}

// Latest returns the journey booked last, and fails the test if none was booked since
// New.
func (f *Fake) Latest() *store.Journey {
	f.t.Helper()
	booked := f.Booked()
	if len(booked) == 0 {
		f.t.Fatalf("dispatchtest: nothing was booked since New")
	}
	return booked[len(booked)-1]
}

// Journeys returns every journey in the order of booking, including those that the fixtures
// booked before, which [Fake.Booked] omits.
func (f *Fake) Journeys() []*store.Journey {
	f.t.Helper()
	latest, err := f.server.Host().Records().Journeys(f.t.Context(), 1<<20)
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	journeys := make([]*store.Journey, len(latest))
	for i, s := range latest {
		journeys[i] = s.Journey
	}
	slices.Reverse(journeys)
	return journeys
}

// Journey returns one journey, and fails the test if there is none.
func (f *Fake) Journey(id taxi.JourneyID) *store.Journey {
	f.t.Helper()
	s, err := f.server.Host().Records().Journey(f.t.Context(), id)
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	return s.Journey
}
