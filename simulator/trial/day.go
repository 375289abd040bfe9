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

// day is a run under way.
type day struct {
	ctx  context.Context
	o    Options
	disk disk
	draw *rand.Rand // when what befalls the whole system

	records *fullDisk
	world   *simulator.World
	clock   simulator.Clock
	desk    http.Handler
	town    *town.Town // nil: an open plane

	agenda agenda
	now    time.Time // as of the event or call being looked at
	ends   time.Time
	doomed int      // events until the process dies; 0: it is not about to
	keys   []string // Idempotency-Keys used
	made   []*ride  // the rides that were asked for, by when they were

	watch   watch
	outcome Outcome
}

// drawTroubles is the stream of chance beside those of the rides, whose numbers
// are their own.
const drawTroubles = 1 << 40

func newDay(ctx context.Context, o Options) (*day, error) {
	d := &day{
		ctx: ctx, o: o, disk: &memoryDisk{}, now: began,
		draw: rand.New(rand.NewPCG(o.Seed, drawTroubles)),
		ends: began.Add(time.Duration(o.Days) * 24 * time.Hour),
	}
	d.watch.day = d
	var err error
	const real = 32 // one run in so many keeps its bookings in a file
	if o.Scratch != "" && o.Seed%real == 1 {
		if d.disk, err = newFileDisk(o.Scratch); err != nil {
			return nil, err
		}
	}
	records, err := d.disk.open(ctx)
	if err != nil {
		return nil, err
	}
	err = d.wake(records)
	if err == nil {
		err = d.world.Populate(ctx, marked())
	}
	if err == nil {
		d.planTroubles()
		err = d.planRides()
	}
	if err != nil {
		return nil, errors.Join(err, d.disk.close())
	}
	return d, nil
}

// marked are the people whose bookings are not taken.
func marked() (people []fixtures.Person) {
	for _, p := range fixtures.People() {
		if p.Kind == fixtures.PersonDisabled || p.Kind == fixtures.PersonBlacklisted {
			people = append(people, p)
		}
	}
	return people
}

// areaServed is how far around the town the office drives, in metres.
const areaServed = 60_000

// World returns what the worlds of a run are made from, but for when they start
// and where their recording goes. The error says which of the options is none.
func World(o Options) (simulator.Options, error) {
	o = o.withDefaults()
	policy := dispatch.DefaultPolicy()
	policy.AreaRadius = areaServed
	policy.RefuseLate = o.Seed%2 == 0
	w := simulator.Options{Seed: o.Seed, Start: began, Cars: o.Cars, Policy: &policy, Sweep: "*/5 * * * *", Recipe: o.recipe()}
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

// wake makes a world over records, as of now.
func (d *day) wake(records *store.Store) error {
	unwritten, err := unwritten()
	if err != nil {
		return err
	}
	d.records = &fullDisk{Store: records, unwritten: unwritten}
	o, err := World(d.o)
	if err != nil {
		return err
	}
	o.Start, o.Record = d.now, d.o.Record
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
	d.desk = w.Service().Handler(func() time.Time { return d.now }, dispatch.HTTPOptions{})
	if d.o.Handler != nil {
		d.desk = d.o.Handler(d.desk)
	}
	d.watch.begin(w)
	return nil
}

// pass lets the day pass: what comes from outside in its turn, and in between
// whatever happens in the world, one event at a time.
func (d *day) pass() error {
	for !d.over() {
		at, ok := d.agenda.next()
		if !ok || at.After(d.ends) {
			at = d.ends
		}
		if err := d.live(at); err != nil {
			return err
		}
		switch {
		case d.over():
		case d.doomed == dies:
			if err := d.die(); err != nil {
				return err
			}
		case !at.Before(d.ends):
			d.watch.last()
			return nil
		default:
			d.agenda.take()()
		}
	}
	return nil
}

// over reports whether a rule was broken or the run was to stop here: before the
// next event, since what the platform makes of an answer still belongs to it.
func (d *day) over() bool {
	return d.outcome.Failure != nil || d.o.Event > 0 && d.outcome.Events > d.o.Event
}

// live moves the clock to a time, unless something stops it.
func (d *day) live(until time.Time) error {
	first := true
	err := d.clock.Until(d.ctx, until.Sub(d.clock.Now()), func() bool {
		if first { // nothing has happened yet
			first = false
			return d.doomed == dies
		}
		d.happened()
		return d.over() || d.doomed == dies
	})
	d.now = d.clock.Now()
	if errors.Is(err, simulator.ErrNotReached) {
		return nil
	}
	return err
}

// happened follows each event and each call: it is counted, and everything is
// looked over.
func (d *day) happened() {
	d.now = d.clock.Now()
	d.outcome.Events++
	if d.doomed > dies {
		d.doomed--
	}
	d.watch.look()
}

// broke notes that a rule is broken; the first is what counts.
func (d *day) broke(rule, detail string) {
	if d.outcome.Failure != nil {
		return
	}
	f := &Failure{Options: d.o, Event: d.outcome.Events, At: d.now, Rule: rule, Detail: detail}
	for _, r := range d.made {
		f.rides = append(f.rides, r.n)
	}
	d.outcome.Failure = f
}

// set changes what /config answers, as an office would.
func (d *day) set(s taxi.SystemStatus) {
	d.world.Service().SetSystem(taxi.ConfigResponse{Status: s})
}
