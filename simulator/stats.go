package simulator

import (
	"time"

	"github.com/cabrank/cabrank/simulator/lags"
)

// Stats describes the state and load of a world.
type Stats struct {
	Journeys int    // active or booked ahead
	Events   uint64 // that have happened
	Void     uint64 // events that the table of transitions did not allow
	Lost     uint64 // transitions not sent because a subscriber was too slow
	Planned  int    // events in the queue

	// How late events happened while Run was running, in real time: half of them at most
	// LagP50 late, and so on, to within an eighth.
	LagP50, LagP99, LagMax time.Duration
}

// counts are the counters of a world.
type counts struct {
	events, voided, lost uint64
	lag                  lags.Counter
}

// Stats returns the state and load of the world.
func (w *World) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &w.counts
	return Stats{
		Journeys: len(w.jobs.bySerial), Events: c.events, Void: c.voided, Lost: c.lost,
		Planned: len(w.queue.heap),
		LagP50:  c.lag.Quantile(50), LagP99: c.lag.Quantile(99), LagMax: c.lag.Most(),
	}
}

// idle reports whether no journey is active or booked ahead.
func (w *World) idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.jobs.bySerial) == 0
}

// Lags returns how late events happened while [World.Run] was running, in real time. Of
// events that were due together, the first is counted.
func (w *World) Lags() lags.Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts.lag.Read()
}
