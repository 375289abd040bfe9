package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// A random walk makes calls in an order that nobody thought of. The rules are
// its model: they remember what each call asked for and hold every answer
// against it. Three walkers go at the same time, each under a user of their own.

// walkers and steps make up the two hundred calls of a walk.
const (
	walkers = 3
	paces   = 67 // of each walker
	atOnce  = 8  // active journeys of a walker, at most
)

// pace is one step of a walk. It means something wherever it stands, so that a
// story stays a story when steps are taken out of it.
type pace struct {
	kind  paceKind
	which int // of the journeys there are
	what  int // of the changes there are
}

type paceKind int

const (
	paceBook paceKind = iota
	paceLook
	paceRead
	paceEdit
	paceCancel
	paceReadGone // read a journey that was cancelled
	paceCancelGone
)

// odds are how many of twenty steps are of each kind.
var odds = []paceKind{
	paceBook, paceBook, paceBook, paceBook, paceLook, paceLook, paceLook, paceLook,
	paceRead, paceRead, paceRead, paceRead, paceEdit, paceEdit, paceEdit, paceEdit,
	paceCancel, paceCancel, paceReadGone, paceCancelGone,
}

func paved(in *rand.Rand, n int) []pace {
	steps := make([]pace, n)
	for i := range steps {
		steps[i] = pace{odds[in.IntN(len(odds))], in.IntN(atOnce), in.IntN(7)}
	}
	return steps
}

func walkProbes() []probe {
	var all []probe
	for i := range walkers {
		all = append(all, probe{name: probeWalk.with(fmt.Sprintf(" %d", i+1)), checks: ids("JRN-15"), run: takeAWalk})
	}
	return all
}

// takeAWalk takes the steps of one walker.
func takeAWalk(c *caller) { c.walk(c.target.paces(c.probe.name)) }

// paces returns the steps of a walker: the same for the same seed.
func (t *Target) paces(walker ProbeName) []pace {
	return paved(newInventor(t, string(walker)+"/steps").Rand, paces)
}

// walk takes the steps one after another; one that has no journey to be about is
// left out.
func (c *caller) walk(steps []pace) {
	c.settle()
	var alive, gone []*ride
	for _, s := range steps {
		switch {
		case !c.going():
			return
		case s.kind == paceBook && len(alive) < atOnce:
			alive = append(alive, c.book())
		case s.kind == paceLook:
			c.look()
		case s.kind == paceRead && len(alive) > 0:
			alive[s.which%len(alive)].status()
		case s.kind == paceEdit && len(alive) > 0:
			alive[s.which%len(alive)].edit(c.changes(s.what))
		case s.kind == paceCancel && len(alive) > 0:
			i := s.which % len(alive)
			alive[i].cancel()
			gone = append(gone, alive[i])
			alive = slices.Delete(alive, i, i+1)
		case s.kind == paceReadGone && len(gone) > 0:
			gone[s.which%len(gone)].status()
		case s.kind == paceCancelGone && len(gone) > 0:
			gone[s.which%len(gone)].cancel()
		}
	}
}

// changes makes up an edit of one or more fields: what counts in binary.
func (c *caller) changes(what int) object {
	changes := object{}
	if bits := what + 1; bits&1 != 0 {
		changes["pickup"] = c.place()
	}
	if bits := what + 1; bits&2 != 0 {
		changes["dropoffs"] = []taxi.Address{c.place(), c.place()}[:1+what%2]
	}
	if bits := what + 1; bits&4 != 0 {
		changes["pickupTime"] = c.pickup().Format(time.RFC3339)
	}
	return changes
}

// explore looks whether a walk found what no other story did, and if so for the
// shortest story that shows it. It reports whether it has told one.
func (r *run) explore(ctx context.Context, found []judgement) bool {
	for _, p := range r.probes {
		if !p.name.in(probeWalk) || ctx.Err() != nil || r.stuck.Load() != nil {
			continue
		}
		ids, _ := walksFind(found, r.history, func(name ProbeName) bool { return name == p.name })
		if len(ids) == 0 {
			continue
		}
		began := r.target.Now()
		fails := func(steps []pace) bool {
			return r.target.since(began) < patient && r.fails(ctx, steps, ids[0])
		}
		steps := r.target.paces(p.name)
		if !fails(steps) {
			continue // it took more than one walker
		}
		steps = shorten(steps, fails)
		shortest := &probeRun{probe: probe{name: probeShortest.with(fmt.Sprintf(", seed %d", r.target.Seed))}}
		r.newCaller(ctx, shortest).walk(steps)
		r.phones.giveBack(shortest.phones)
		return true
	}
	return false
}

// fails takes steps under a new user, off the record, and tells whether a check
// fails.
func (r *run) fails(ctx context.Context, steps []pace, id string) bool {
	try := &run{target: r.target, ledger: newLedger(), phones: r.phones, single: r.single}
	try.recorder = newRecorder(&try.target)
	p := &probeRun{probe: probe{name: probeShortest}}
	try.newCaller(ctx, p).walk(steps)
	defer r.phones.giveBack(p.phones)
	history := slices.Clone(try.history)
	r.ledger.lose(try.mask().leftovers(try.cleanUp(ctx))...)
	ids, _ := walksFind(read(history), history, func(ProbeName) bool { return true })
	return slices.Contains(ids, id)
}

// How often a story is told again to shorten it, and for how long at most.
const (
	attempts = 80
	patient  = 15 * time.Second
)

// shorten takes out of a story what it does not need to fail: first halves, then
// quarters, down to single steps.
func shorten(steps []pace, fails func([]pace) bool) []pace {
	left := attempts
	for size := len(steps) / 2; size >= 1; size /= 2 {
		for from := 0; from+size <= len(steps) && left > 0; left-- {
			shorter := slices.Delete(slices.Clone(steps), from, from+size)
			if fails(shorter) {
				steps = shorter
			} else {
				from += size
			}
		}
	}
	return steps
}
