package simulator

import (
	"log/slog"
	"time"
)

// How much may happen in one turn, so that nobody waits long for theirs: some events
// take longer than others, and a wall that stands still does not end a turn.
const (
	turnTakes  = 20 * time.Millisecond
	turnEvents = 20_000
)

// judgeAfter is how long a world may be behind its clock before the clock has to wait
// for it, by the wall.
const judgeAfter = time.Second

// tellEvery is how often a log says that the clock had to wait, by the wall.
const tellEvery = time.Minute

// pace is how a world keeps up with its clock.
type pace struct {
	since time.Time // on the wall: the world is behind and was judged last; zero: it keeps up
	from  moment    // where it was then
	late  moment    // … and how far behind
	lives int       // the speed that it managed at the last judgement; 0: it has kept up for a minute
	slips time.Time // on the wall: when that was
	told  time.Time // on the wall: when the log last said so
}

func (p *pace) behind() bool { return !p.since.IsZero() }

// catchUp makes the due events happen, as many as there is time for in a turn. If
// events are left the world's time is that of the last one: the rest come in the
// next turns, and the clock waits if they are too many for this machine.
func (w *World) catchUp() {
	now, skipped := w.time.follow()
	if skipped > 0 {
		w.log.Warn("the machine slept or its clock was set forward; the world follows", slog.Duration("by", skipped.Round(time.Second)))
	}
	until := max(now, w.now)
	if w.liveUntil(until) {
		w.now = until
		w.keepUp()
		return
	}
	w.fallBehind(until)
}

// keepUp notes that the world is not behind its clock. After a minute of that it
// manages its speed again.
func (w *World) keepUp() {
	p := &w.pace
	p.since = time.Time{}
	if p.lives > 0 && w.time.wall().Sub(p.slips) > time.Minute {
		p.lives = 0
	}
}

// liveUntil makes events happen up to a moment, and reports whether all of them did.
// It never stops within a moment: a repeated run gives a command of that moment its
// turn after all of its events.
func (w *World) liveUntil(until moment) bool {
	if !w.time.runs() {
		for w.happenBy(until) {
		}
		return true
	}
	const looks = 64 // at the wall, every so many events
	began := w.time.wall()
	for n := 1; w.happenBy(until); n++ {
		if n%looks > 0 && n < turnEvents {
			continue
		}
		if n >= turnEvents || w.time.wall().Sub(began) >= turnTakes {
			for w.happenBy(w.now) {
			}
			next, ok := w.queue.next()
			return !ok || next > until
		}
	}
	return true
}

// fallBehind judges a world that is behind its clock. If it does not gain on the
// clock, the clock goes on from where the world is.
func (w *World) fallBehind(until moment) {
	p, at, late := &w.pace, w.time.wall(), until-w.now
	if !p.behind() {
		p.since, p.from, p.late = at, w.now, late
		return
	}
	passed := at.Sub(p.since)
	if passed < judgeAfter {
		return
	}
	if late >= p.late {
		p.lives, p.slips = max(1, int(w.now.sub(p.from)/passed)), at
		w.time.move(w.now)
		w.tellSlip(at, late)
		late = 0
	}
	p.since, p.from, p.late = at, w.now, late
}

// tellSlip logs that the clock had to wait for the world.
func (w *World) tellSlip(at time.Time, by moment) {
	if !w.pace.told.IsZero() && at.Sub(w.pace.told) < tellEvery {
		return
	}
	w.pace.told = at
	w.log.Warn("this machine cannot live that fast; the clock waits for the world", slog.Int64("speed", w.time.speed),
		slog.Int("lives", w.pace.lives), slog.Duration("by", by.sub(0)))
}
