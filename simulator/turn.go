package simulator

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"
)

// attention is the state of [World.Run]: whether it runs, keeps up, and when it wakes.
type attention struct {
	pace        pace
	attended    bool          // Run is running
	asleepUntil moment        // the moment that Run waits for
	wake        chan struct{} // wakes Run; received from without the lock
}

// Enter begins a turn: it waits for the current turn, executes all events that are due,
// and returns the time and the function that ends the turn. If the world cannot keep up
// with its clock, Enter does not execute all of them: Run catches up, and the turn
// happens at the time that the world has reached.
func (w *World) Enter() (now time.Time, leave func()) {
	w.mu.Lock()
	if !w.attended || !w.pace.behind() {
		w.catchUp()
	}
	w.keeping.changes()
	return w.now.time(), w.left
}

// leave ends a turn, and wakes Run if an event is due before Run would wake.
func (w *World) leave() {
	w.keeping.changes()
	if next, ok := w.queue.next(); ok && next < w.asleepUntil {
		w.wakeRun()
	}
	w.mu.Unlock()
}

// wakeRun makes Run look at the queue again.
func (w *World) wakeRun() {
	select {
	case w.wake <- struct{}{}:
	default: // Run has been woken already
	}
}

// executeNextBy executes the next event, at its own moment, if that is not after until. It reports
// whether it did.
func (w *World) executeNextBy(until moment) bool {
	at, ok := w.queue.next()
	if !ok || at > until {
		return false
	}
	w.now = max(w.now, at)
	w.counts.events++
	w.happens(w.queue.pop())
	return true
}

// How much may happen in one turn, so that no turn waits long: some events take longer
// than others, and with a clock moved by hand no time passes that could end a turn.
const (
	turnTakes  = 20 * time.Millisecond
	turnEvents = 20_000
)

// judgeAfter is how long, in real time, a world may lag behind its clock before the clock has
// to wait.
const judgeAfter = time.Second

// tellEvery is the shortest interval, in real time, between log lines about a clock that
// waits.
const tellEvery = time.Minute

// pace measures how well a world keeps up with its clock.
type pace struct {
	since time.Time // when the world fell behind or was last judged, in real time; zero: it keeps up
	from  moment    // the world's time at since
	late  moment    // how far it was behind at since
	lives int       // the speed that it reached when it was last judged; 0: it has kept up for a minute
	slips time.Time // when lives was set, in real time
	told  time.Time // when the log last reported it, in real time
}

func (p *pace) behind() bool { return !p.since.IsZero() }

// catchUp executes the due events, as many as fit into a turn. If events remain, the
// world's time is that of the last executed event: the others follow in the next turns,
// and the clock waits if there are too many for this machine.
func (w *World) catchUp() {
	now, skipped := w.time.follow()
	if skipped > 0 {
		w.log.Warn("the machine slept or its clock was set forward; the world follows", slog.Duration("by", skipped.Round(time.Second)))
	}
	until := max(now, w.now)
	if w.executeUntil(until) {
		w.now = until
		w.keepUp()
		return
	}
	w.fallBehind(until)
}

// keepUp records that the world is not behind its clock. After a minute of that, the clock
// runs at its speed again.
func (w *World) keepUp() {
	p := &w.pace
	p.since = time.Time{}
	if p.lives > 0 && w.time.wall().Sub(p.slips) > time.Minute {
		p.lives = 0
	}
}

// executeUntil executes events up to a moment, and reports whether all of them happened. It
// never stops within a moment: a replay executes a command of that moment after all of
// its events.
func (w *World) executeUntil(until moment) bool {
	if !w.time.runs() {
		for w.executeNextBy(until) {
		}
		return true
	}
	const looks = 64 // the real time is read after this many events
	began := w.time.wall()
	for n := 1; w.executeNextBy(until); n++ {
		if n%looks > 0 && n < turnEvents {
			continue
		}
		if n >= turnEvents || w.time.wall().Sub(began) >= turnTakes {
			for w.executeNextBy(w.now) {
			}
			next, ok := w.queue.next()
			return !ok || next > until
		}
	}
	return true
}

// fallBehind records that a world is behind its clock. If it does not catch up, the clock
// continues from the world's time.
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
		w.logSlip(at, late)
		late = 0
	}
	p.since, p.from, p.late = at, w.now, late
}

// logSlip logs that the clock had to wait for the world.
func (w *World) logSlip(at time.Time, by moment) {
	if !w.pace.told.IsZero() && at.Sub(w.pace.told) < tellEvery {
		return
	}
	w.pace.told = at
	w.log.Warn("this machine cannot live that fast; the clock waits for the world", slog.Int64("speed", w.time.speed),
		slog.Int("lives", w.pace.lives), slog.Duration("by", by.sub(0)))
}

// Run executes events on time by the wall clock, until ctx ends. Without Run, a world
// catches up at each request. At the end Run logs how late events were.
func (w *World) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	w.setRunning(true)
	defer w.setRunning(false)
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

// setRunning sets whether Run is running.
func (w *World) setRunning(yes bool) {
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

// runDue executes the due events, measures how late they are, and returns how long to
// wait for the next. It returns false if the clock stands still.
func (w *World) runDue() (time.Duration, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if due, ok := w.queue.next(); ok && w.time.runs() {
		if late := w.time.now() - due; late >= 0 {
			w.counts.lag.Add(time.Duration(late) * time.Millisecond / time.Duration(w.time.speed))
		}
	}
	w.catchUp()
	w.keeping.changes()
	next, ok := w.queue.next()
	if !ok || !w.time.runs() {
		w.asleepUntil = math.MaxInt64
		return 0, false
	}
	w.asleepUntil = next
	return w.time.wallUntil(next), true
}
