package simulator

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"
)

// attention is how events are attended to, by the wall.
type attention struct {
	pace        pace
	attended    bool          // Run does
	asleepUntil moment        // what Run waits for
	wake        chan struct{} // wakes Run; received from without the lock
}

// Enter begins a turn: it waits for the turn under way, lets everything happen
// that is due, and returns the time and the function that ends the turn. A world
// that cannot keep up with its clock is not held up further: Run catches up, and
// the turn is at the moment that it has come to.
func (w *World) Enter() (now time.Time, leave func()) {
	w.mu.Lock()
	if !w.attended || !w.pace.behind() {
		w.catchUp()
	}
	return w.now.time(), w.left
}

// leave ends a turn, and wakes Run if an event is due before Run would wake.
func (w *World) leave() {
	if next, ok := w.queue.next(); ok && next < w.asleepUntil {
		w.wakeRun()
	}
	w.mu.Unlock()
}

// wakeRun wakes Run, to look at the queue again.
func (w *World) wakeRun() {
	select {
	case w.wake <- struct{}{}:
	default: // it is about to wake
	}
}

// happenBy makes the next event happen, at its own moment, if that is not after until.
func (w *World) happenBy(until moment) bool {
	at, ok := w.queue.next()
	if !ok || at > until {
		return false
	}
	w.now = max(w.now, at)
	w.counts.events++
	w.happens(w.queue.pop())
	return true
}

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

// Run makes events happen on time by the wall clock, until ctx ends. Without Run a
// world catches up at each request. At the end Run logs how late events were.
func (w *World) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	w.attend(true)
	defer w.attend(false)
	var pruning sync.WaitGroup
	pruning.Go(func() { w.pruneUntil(ctx) })
	defer pruning.Wait()
	for {
		select {
		case <-ctx.Done():
			w.logLag()
			return
		case <-timer.C:
		case <-w.wake:
		}
		if wait, ok := w.runDue(); ok {
			timer.Reset(wait)
		} else {
			timer.Stop()
		}
	}
}

// attend says whether Run attends to the events.
func (w *World) attend(yes bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.attended = yes
}

// logLag logs how late events happened.
func (w *World) logLag() {
	s := w.Stats()
	w.log.Info("the clock has stopped", slog.Uint64("events", s.Events),
		slog.Duration("lag_p50", s.LagP50), slog.Duration("lag_p99", s.LagP99), slog.Duration("lag_max", s.LagMax))
}

// runDue makes the due events happen, measures how late they are, and returns how long
// to wait for the next. It returns false if the clock stands still.
func (w *World) runDue() (time.Duration, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if due, ok := w.queue.next(); ok && w.time.runs() {
		if late := w.time.now() - due; late >= 0 {
			w.counts.lag.add(time.Duration(late) * time.Millisecond / time.Duration(w.time.speed))
		}
	}
	w.catchUp()
	next, ok := w.queue.next()
	if !ok || !w.time.runs() {
		w.asleepUntil = math.MaxInt64
		return 0, false
	}
	w.asleepUntil = next
	return w.time.wallUntil(next), true
}
