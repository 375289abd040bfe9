package trial

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// day is a run.
type day struct {
	ctx  context.Context
	o    Options
	disk disk
	draw *rand.Rand // for the disturbances

	records *fullDisk
	world   *simulator.World
	clock   simulator.Clock
	handler http.Handler
	town    *town.Town // nil: an open plane

	agenda   agenda
	now      time.Time // time of the current event or request
	ends     time.Time
	dieAfter int      // events until the process ends; 0: that is not planned
	keys     []string // Idempotency-Keys in use
	begun    []*ride  // the rides so far, in order

	watch   watch
	outcome Outcome
}

// drawDisturbances is the number of the random stream of the disturbances. The streams
// of rides have the rides' numbers.
const drawDisturbances = 1 << 40

func newDay(ctx context.Context, o Options) (*day, error) {
	d := &day{
		ctx: ctx, o: o, disk: &memoryDisk{}, now: began,
		draw: rand.New(rand.NewPCG(o.Seed, drawDisturbances)),
		ends: began.Add(time.Duration(o.Days) * 24 * time.Hour),
	}
	d.watch.day = d
	var err error
	const real = 32 // one run in this many stores its bookings in a file
	if o.Scratch != "" && o.Seed%real == 1 {
		if d.disk, err = newFileDisk(o.Scratch); err != nil {
			return nil, err
		}
	}
	records, err := d.disk.open(ctx)
	if err != nil {
		return nil, err
	}
	err = d.start(records)
	if err == nil {
		err = d.world.Populate(ctx, refusedPeople())
	}
	if err == nil {
		d.planDisturbances()
		err = d.planRides()
	}
	if err != nil {
		return nil, errors.Join(err, d.disk.close())
	}
	return d, nil
}

// refusedPeople returns users whose bookings are refused.
func refusedPeople() (people []fixtures.Person) {
	for _, p := range fixtures.People() {
		if p.Kind == fixtures.PersonDisabled || p.Kind == fixtures.PersonBlacklisted {
			people = append(people, p)
		}
	}
	return people
}

// areaServed is the radius around the town that is served, in metres.
const areaServed = 60_000

// World returns the options of a run's worlds, without their start. The
// error names the option that is invalid.
func World(o Options) (simulator.Options, error) {
	o = o.withDefaults()
	policy := dispatch.DefaultPolicy()
	policy.AreaRadius = areaServed
	policy.RefuseLate = o.Seed%2 == 0
	w := simulator.Options{Seed: o.Seed, Start: began, Cars: o.Cars, Policy: &policy, Sweep: "*/5 * * * *"}
	var err error
	if w.Town, err = streets(o.Town); err != nil {
		return w, err
	}
	if w.Assigner, err = simulator.ParseAssigner(o.Assigner); err != nil {
		return w, fmt.Errorf("assigner: %w", err)
	}
	if w.Demand, err = demand(o.Demand); err != nil {
		return w, fmt.Errorf("demand: %w", err)
	}
	if w.Behaviour, err = simulator.ParseBehaviour(o.Behaviour); err != nil {
		return w, fmt.Errorf("behaviour: %w", err)
	}
	return w, nil
}

// start creates a world from records, which starts now.
func (d *day) start(records *store.Store) error {
	unwritten, err := unwritten()
	if err != nil {
		return err
	}
	d.records = &fullDisk{Store: records, unwritten: unwritten}
	o, err := World(d.o)
	if err != nil {
		return err
	}
	o.Start = d.now
	d.town = o.Town
	var seen simulator.Records = d.records
	if d.o.Records != nil {
		seen = d.o.Records(seen)
	}
	w, err := simulator.New(d.ctx, seen, o)
	if err != nil {
		return err
	}
	d.world, d.clock = w, w.Clock()
	d.handler = w.Service().Handler(func() time.Time { return d.now }, dispatch.HTTPOptions{})
	if d.o.Handler != nil {
		d.handler = d.o.Handler(d.handler)
	}
	d.watch.begin(w)
	return nil
}

// run runs the day: the planned requests and disturbances in order, and in between the
// events of the world, one at a time.
func (d *day) run() error {
	for !d.over() {
		at, ok := d.agenda.next()
		if !ok || at.After(d.ends) {
			at = d.ends
		}
		if err := d.advance(at); err != nil {
			return err
		}
		switch {
		case d.over():
		case d.dieAfter == dieNow:
			if err := d.crash(); err != nil {
				return err
			}
		case !at.Before(d.ends):
			d.watch.checkEnd()
			return nil
		default:
			d.agenda.pop()()
		}
	}
	return nil
}

// over reports whether a rule was broken or the run must stop here. It stops before the
// next event, so that the effects of a response still belong to this event.
func (d *day) over() bool {
	return d.outcome.Failure != nil || d.o.Event > 0 && d.outcome.Events > d.o.Event
}

// advance moves the clock to a time, or to the end of the run.
func (d *day) advance(until time.Time) error {
	first := true
	err := d.clock.Until(d.ctx, until.Sub(d.clock.Now()), func() bool {
		if first { // nothing has happened yet
			first = false
			return d.dieAfter == dieNow
		}
		d.afterEvent()
		return d.over() || d.dieAfter == dieNow
	})
	d.now = d.clock.Now()
	if errors.Is(err, simulator.ErrNotReached) {
		return nil
	}
	return err
}

// afterEvent is called after each event and each request: it counts it and checks the
// rules.
func (d *day) afterEvent() {
	d.now = d.clock.Now()
	d.outcome.Events++
	if d.dieAfter > dieNow {
		d.dieAfter--
	}
	d.watch.check()
}

// fail records a broken rule; only the first one counts.
func (d *day) fail(rule, detail string) {
	if d.outcome.Failure != nil {
		return
	}
	f := &Failure{Options: d.o, Event: d.outcome.Events, At: d.now, Rule: rule, Detail: detail}
	for _, r := range d.begun {
		f.rides = append(f.rides, r.n)
	}
	d.outcome.Failure = f
}

// setSystem changes the /config settings, as an operator would.
func (d *day) setSystem(s taxi.SystemStatus) {
	d.world.Service().SetSystem(taxi.ConfigResponse{Status: s})
}
