package simulator

import "time"

// A car tells where it is all the time, except that now and then its signal is
// lost in a minute, for a few seconds to twenty.
const (
	signalLostLeast = 5 * time.Second
	signalLostMost  = 20 * time.Second
)

// heardFrom is where a car last said it was: where it is, or where its signal was
// lost.
func (w *World) heardFrom(n int32) Spot {
	c := &w.fleet.cars[n]
	if w.behaviour.Silent == 0 {
		return c.at(w.now)
	}
	minute := w.now - w.now%moment(time.Minute/time.Millisecond)
	draw := newStream(w.seed, drawSignal, uint64(n), uint64(minute))
	if !draw.chance(w.behaviour.Silent) {
		return c.at(w.now)
	}
	silence := draw.between(signalLostLeast, signalLostMost)
	lost := minute.add(draw.between(0, time.Minute-signalLostMost))
	if w.now < lost || w.now >= lost.add(silence) {
		return c.at(w.now)
	}
	return c.at(lost)
}
