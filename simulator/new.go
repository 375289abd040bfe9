package simulator

import (
	"context"
	"fmt"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/simulator/fare"
)

// New creates a world from its records. Journeys that are active in them continue from
// where they were; the clock then starts no earlier than the last change.
func New(ctx context.Context, records Records, o Options) (*World, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w := &World{
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
		recorder:  recorder{out: o.Record, log: o.Log},
		attention: attention{wake: make(chan struct{}, 1)},
		upkeep:    upkeep{stale: make(chan struct{}, 1)},
	}
	if w.sweepAt, w.pruneAt, err = schedules(o.Sweep); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w.fares.airports = airports(o.Places)
	if w.fares.Table, err = fare.New(*o.Tariffs); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	if w.assigner.Pool() == PoolClearing {
		low, high := extent(o.Roads)
		w.fleet.clearing = newGrid(low, high, len(o.Crews))
	}
	w.now = momentOf(o.Start)
	if last := records.LatestUpdate(ctx); !last.IsZero() {
		w.now = max(w.now, momentOf(last))
	}
	w.left, w.happens = w.leave, w.happen
	w.time = timeline{wall: o.Wall, speed: int64(o.Speed)}
	w.time.move(w.now)
	serving := dispatch.Options{
		Policy:  o.Policy,
		Enter:   w.Enter,
		Clock:   func() dispatch.Clock { return dispatch.Clock{Speed: int(w.time.speed), Lives: w.pace.lives} },
		Reroute: w.reroute,

		Suspended: w.suspended,
		CheckData: checkSimulate,
		Fleet:     w,
		System:    o.System,
		Area:      o.Roads.Centre().Point(),
		Places:    gazetteer(&o),
		Seed:      o.Seed,
		IDs:       o.IDs,
		Log:       o.Log,
	}
	if err := w.beginRecording(ctx, &o, &serving); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	w.service = dispatch.New(w.records, serving)
	w.resume()
	if err := w.begin(&o); err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	return w, nil
}

// begin plans the events that repeat as long as the world runs.
func (w *World) begin(o *Options) error {
	if err := w.planShifts(o.Shifts); err != nil {
		return err
	}
	if err := w.planDemand(o); err != nil {
		return err
	}
	w.plan(event{at: momentOf(w.sweepAt.Next(w.now.time())), kind: evSweep})
	w.plan(event{at: momentOf(w.pruneAt.Next(w.now.time())), kind: evForget})
	return nil
}
