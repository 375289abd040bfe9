package simulator

import "time"

// A car reports its position all the time, but in some minutes its signal is lost for
// so long.
const (
	signalLostLeast = 5 * time.Second
	signalLostMost  = 20 * time.Second
)

// reportedPosition is the last position that a car reported: where it is, or where its
// signal was lost.
func (w *World) reportedPosition(n int32) Spot {
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
