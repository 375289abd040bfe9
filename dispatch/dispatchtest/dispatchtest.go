// Package dispatchtest gives any Go test a dispatch system that behaves: the
// reference itself, with a fleet, people and a clock that the test owns.
//
//	d := dispatchtest.New(t, dispatchtest.Options{})
//	platform := mine.New(d.URL())                // whatever calls a third party
//	platform.Ring(d.Person(fixtures.PersonRich)) // … and books a taxi for somebody
//	err := d.Clock().UntilStatus(t.Context(), d.Latest().JourneyID, taxi.Arrived, time.Hour)
//
// The clock stands still until the test moves it, so nothing has to be waited
// for. It begins at the wall's time, and a platform may ask time.Now when a taxi is wanted
// "now", also after the test has moved the world's clock: a pickup time is as far ahead in the
// world as it is by the wall. A test whose every run is to be the same run, to the
// minute, sets [Options].VirtualClock and gives the platform [Fake.Clock]. Everything
// ends with the test; what was called last, and what happened since New, is logged if the
// test failed.
//
// [Fake.Journal] has what the platform called: it lists, waits for and verifies requests.
// It judges nothing: 'cabrank serve' and the suites do.
//
// What goes wrong in the town is asked for by the booking, as with any cabrank:
// data.simulate.behaviour ([simulator.BookedFaults]) for the first driver or one passenger, the
// shares of [simulator.Behaviour] for all of them. What goes wrong with an answer is asked for
// by a rule: [Fake.Faults].
package dispatchtest

import (
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
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
	"github.com/cabrank/cabrank/store"
)

// Options is what a fake may be given; the zero value is a calm town of ten cars
// with the people of the fixtures, served on a loopback port.
type Options struct {
	// World is the world's own options. No cars: ten. No wall: the clock is moved
	// by hand. No recording: one that is logged if the test fails.
	World simulator.Options

	// CallersClock is the clock by which the platform under test says when. The world
	// begins at its time, and a pickup time is as far ahead in the world as it is by
	// this clock, however the test has moved the world's. Nil: time.Now.
	CallersClock func() time.Time

	// VirtualClock says that the platform under test goes by [Fake.Clock], which begins
	// at World.Start, or else at [simulator.Epoch]: every run is the same run. A
	// World.Start or World.Wall that is given means the same.
	VirtualClock bool

	HTTP dispatch.HTTPOptions // credentials and rate limits

	// Variation is how much answers differ in ways that the interface allows, so that the
	// platform under test does not depend on one; the zero value: not at all. What is
	// varied, and ids, follow from World.Seed.
	Variation vary.Level

	// People are the users known at first. Nil: those of the fixtures; empty:
	// nobody.
	People []fixtures.Person

	// InMemory serves through pipes in place of TCP, which is what a
	// testing/synctest bubble needs. Only [Fake.HTTPClient] and [Fake.Client]
	// reach the fake then.
	InMemory bool
}

// Fake is a running dispatch system.
type Fake struct {
	t      testing.TB
	url    string
	host   *host.Host
	client *http.Client
	auth   taxi.Auth // what callers have to show
	now    func() time.Time
	people []fixtures.Person
	kept   *Journal
	faults *Faults
	known  uint64 // the serial of the last journey that there was at first
}

// New starts a dispatch system that ends with the test.
func New(t testing.TB, o Options) *Fake {
	t.Helper()
	if o.World.Cars == 0 {
		o.World.Cars = 10
	}
	o.setClock()
	log := &diary{}
	if o.World.Record == nil {
		o.World.Record = log
	}
	t.Cleanup(func() { log.logIfFailed(t) }) // faults are told there in any case
	config := host.Default()
	config.Speed = 0 // a world that is to run by itself is told so by the test
	config.Variation = o.Variation
	if o.Variation != vary.None {
		config.Seed = o.World.Seed
	}
	h, err := host.Open(t.Context(), config, host.Deps{
		Now: wall(o), HTTP: o.HTTP, People: o.People,
		World: func(w *simulator.Options) {
			ids := w.IDs
			*w = o.World
			if o.Variation != vary.None {
				w.IDs = ids
			}
		},
	})
	if err != nil {
		t.Fatalf("dispatchtest: %v", err)
	}
	t.Cleanup(func() { _ = h.Close() }) // memory has nothing to lose
	f := &Fake{t: t, host: h, kept: newJournal(t), auth: o.HTTP.Credentials.Auth(), people: o.People, now: o.World.Wall}
	if f.people == nil {
		f.people = fixtures.People()
	}
	if f.now == nil {
		f.now = f.Clock().Now
	}
	if all := f.Journeys(); len(all) > 0 {
		f.known = all[len(all)-1].Serial
	}
	f.faults = f.newFaults(o.World.Seed, log)
	log.begin()
	t.Cleanup(f.kept.logIfFailed)
	f.serve(o)
	return f
}

// setClock has the world follow the callers' clock, unless they are to follow its own.
func (o *Options) setClock() {
	switch {
	case o.CallersClock != nil:
		o.World.Wall = o.CallersClock
	case !o.VirtualClock && o.World.Wall == nil && o.World.Start.IsZero():
		o.World.Wall = time.Now
	}
}

// wall is the clock that callers live by.
func wall(o Options) func() time.Time {
	if o.World.Wall == nil {
		return time.Now
	}
	return o.World.Wall
}

// serve listens and answers until the test ends.
func (f *Fake) serve(o Options) {
	listener, transport := f.listen(o.InMemory)
	f.url = "http://" + listener.Addr().String()
	f.client = &http.Client{Transport: transport}
	server := dispatch.Server(f.kept.listening(fault.Handler(f.faults.set, f.host), f.Clock().Now))
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(listener) }) // ends with Close
	f.t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		served.Wait()
	})
}

func (f *Fake) listen(inMemory bool) (net.Listener, *http.Transport) {
	if inMemory {
		pipes := newPipes()
		return pipes, &http.Transport{DialContext: pipes.dial}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	return listener, http.DefaultTransport.(*http.Transport).Clone()
}

// URL is the third-party address to give to whatever is under test.
func (f *Fake) URL() string { return f.url }

// HTTPClient reaches the fake however it is served: it is for a platform under test that
// makes its own calls, with [Options].InMemory.
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
func (f *Fake) Clock() simulator.Clock { return f.host.World().Clock() }

// Journal is what the platform under test has called.
func (f *Fake) Journal() *Journal { return f.kept }

// Faults is what goes wrong with the answers to the platform under test: nothing, unless the
// test adds a rule.
func (f *Fake) Faults() *Faults { return f.faults }

// World is the whole town, for tests that want to change how people behave or
// watch the cars.
func (f *Fake) World() *simulator.World { return f.host.World() }

// Booked returns the journeys booked since New, in the order of booking: not those of
// the people who had booked before.
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

// Journeys returns every journey, in the order of booking, with those that the people
// of the fixtures have booked before: [Fake.Booked] leaves them out.
func (f *Fake) Journeys() []*store.Journey {
	f.t.Helper()
	latest, err := f.host.Records().Journeys(f.t.Context(), 1<<20)
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
	s, err := f.host.Records().Journey(f.t.Context(), id)
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	return s.Journey
}
