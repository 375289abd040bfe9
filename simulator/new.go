package simulator

import (
	"context"
	"fmt"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/simulator/road"
)

// New creates a world from its records. Journeys that are active in them continue from
// where they were; the clock then starts no earlier than the last change. Cars without a
// job are at their ranks, offers to drivers are made again, and what people have decided
// about the rest of a journey is decided again.
//
// Orders for later continue from [Options].Standing. A held journey and its car stay where
// they are, and its plans wait as before. The steps of a script happen when they were due,
// or at once if that has passed. When a hold or a script has ended before, what it has
// delayed may happen at once. Waiting scripts, cars off duty, repairs,
// and cars on duty after their driver's shift are as before.
func New(ctx context.Context, records Records, o Options) (*World, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w := &World{core: newCore(records, o), attention: attention{wake: make(chan struct{}, 1)}}
	if w.sweepAt, w.pruneAt, err = schedules(o.Sweep); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w.fares.airports = airports(o.Places)
	if w.fares.Table, err = fare.New(*o.Tariffs); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if w.assigner.Pool() == assign.PoolClearing {
		w.fleet.clearing = road.NewGrid(o.Roads, len(o.Crews))
	}
	w.now = momentOf(o.Start)
	if last := records.LatestUpdate(ctx); !last.IsZero() {
		w.now = max(w.now, momentOf(last))
	}
	w.left, w.happens = w.leave, w.happen
	w.keeping = newKeeping(o.Keep, o.Standing, func() any { return w.restart.ordersForLater() })
	w.time = timeline{wall: o.Wall, speed: int64(o.Speed)}
	w.time.move(w.now)
	serving := dispatch.Options{
		Policy:  o.Policy,
		Enter:   w.Enter,
		Clock:   func() dispatch.Clock { return dispatch.Clock{Speed: int(w.time.speed), Lives: w.pace.lives} },
		Reroute: w.rides.reroute,

		Suspended: w.operator.suspended,
		Fleet:     w.desk,
		System:    o.System,
		Area:      o.Roads.Centre().Point(),
		Places:    gazetteer(&o),
		Seed:      o.Seed,
		IDs:       o.IDs,
		Log:       o.Log,
	}
	if w.clientNow != nil {
		serving.ClientNow = w.clientClock
	}
	w.service = dispatch.New(w.records, serving)
	standing := w.restart.readStanding(o.Standing)
	w.restart.resume(standing)
	if err := w.begin(&o); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w.restart.resumeCars(standing.Cars)
	return w, nil
}

// newCore returns the state of a world, with its parts, in which no event is planned yet.
func newCore(records Records, o Options) *core {
	c := &core{
		records:   records,
		log:       o.Log,
		seed:      o.Seed,
		fleet:     newFleet(o.Seed, o.Crews, o.Roads, ranksOf(o.Town)),
		jobs:      jobs{bySerial: make(map[uint64]int32)},
		roads:     o.Roads,
		assigner:  o.Assigner,
		behaviour: o.Behaviour,
		places:    o.Places,
		town:      o.Town,
		clients:   clients{clientNow: o.Wall, callers: o.Callers},
		upkeep:    upkeep{stale: make(chan struct{}, 1)},
	}
	c.desk, c.offers, c.rides = &desk{c}, &offers{c}, &rides{c}
	c.operator, c.roster, c.restart = &operator{c}, &roster{c}, &restart{c}
	return c
}

// begin plans the events that repeat as long as the world runs.
func (w *World) begin(o *Options) error {
	if err := w.roster.planShifts(o.Shifts); err != nil {
		return err
	}
	if err := w.planDemand(o); err != nil {
		return err
	}
	w.plan(event{at: momentOf(w.sweepAt.Next(w.now.time())), kind: evSweep})
	w.plan(event{at: momentOf(w.pruneAt.Next(w.now.time())), kind: evForget})
	return nil
}
