package dispatchside

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// A random walk makes calls in a random order. The rules are its model: they record each
// request and compare every answer with it. Three walkers run at the same time, each with
// its own user.

// Limits of a walk: how many users walk at the same time, and their journeys.
const (
	walkers    = 3
	mostActive = 8 // active journeys of a walker, at most
)

// walkStep is one step of a walk. Its indexes are taken modulo the number of journeys, so it fits
// any state; a step without a journey to act on is skipped.
type walkStep struct {
	kind  stepKind
	which int // index of the journey
	what  int // index of the change
}

type stepKind int

const (
	stepBook stepKind = iota
	stepLookUp
	stepRead
	stepEdit
	stepCancel
	stepReadCancelled // read a journey that was cancelled
	stepCancelAgain
)

// odds has each kind of step as often as it occurs in twenty steps on average.
var odds = []stepKind{
	stepBook, stepBook, stepBook, stepBook, stepLookUp, stepLookUp, stepLookUp, stepLookUp,
	stepRead, stepRead, stepRead, stepRead, stepEdit, stepEdit, stepEdit, stepEdit,
	stepCancel, stepCancel, stepReadCancelled, stepCancelAgain,
}

func randomSteps(in *rand.Rand, n int) []walkStep {
	steps := make([]walkStep, n)
	for i := range steps {
		steps[i] = walkStep{odds[in.IntN(len(odds))], in.IntN(mostActive), in.IntN(7)}
	}
	return steps
}

func walkProbes() []probe {
	var all []probe
	for i := range walkers {
		all = append(all, probe{name: rules.ProbeWalk.With(fmt.Sprintf(" %d", i+1)), checks: ids("JRN-15"), run: runWalk, long: true})
	}
	return all
}

// runWalk makes the steps of one walker.
func runWalk(c *testUser) { c.walk(c.target.walkSteps(c.probe.name)) }

// walkSteps returns the steps of a walker; they are the same for the same seed.
func (t *Target) walkSteps(walker conformance.ProbeName) []walkStep {
	return randomSteps(newInventor(t, string(walker)+"/steps").Rand, rules.StepsPerWalker)
}

// walk makes the steps one after another and skips those without a journey to act
// on.
func (c *testUser) walk(steps []walkStep) {
	c.ensureKnown()
	var alive, gone []*bookedJourney
	for _, s := range steps {
		switch {
		case !c.canContinue():
			return
		case s.kind == stepBook && len(alive) < mostActive:
			alive = append(alive, c.book())
		case s.kind == stepLookUp:
			c.lookUp()
		case s.kind == stepRead && len(alive) > 0:
			alive[s.which%len(alive)].status()
		case s.kind == stepEdit && len(alive) > 0:
			alive[s.which%len(alive)].edit(c.changes(s.what))
		case s.kind == stepCancel && len(alive) > 0:
			i := s.which % len(alive)
			alive[i].cancel()
			gone = append(gone, alive[i])
			alive = slices.Delete(alive, i, i+1)
		case s.kind == stepReadCancelled && len(gone) > 0:
			gone[s.which%len(gone)].status()
		case s.kind == stepCancelAgain && len(gone) > 0:
			gone[s.which%len(gone)].cancel()
		}
	}
}

// changes returns an edit of one or more of pickup, dropoffs and time; the bits of what+1 choose them.
func (c *testUser) changes(what int) object {
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

// exploreWalk makes the shortest walk that shows a failure which only a walk found, and returns
// true. It returns false if there is no such failure or no time.
func (r *run) exploreWalk(ctx context.Context, found []conformance.FiledFinding) bool {
	if r.latency*rules.StepsPerWalker > shortenTime {
		return false // no time for another walk
	}
	for _, p := range r.probes {
		if !p.name.In(rules.ProbeWalk) || ctx.Err() != nil || r.advanceFailed.Load() != nil {
			continue
		}
		ids, _ := rules.WalksFind(found, r.History, func(name conformance.ProbeName) bool { return name == p.name })
		if len(ids) == 0 {
			continue
		}
		began := r.target.Now()
		fails := func(steps []walkStep) bool {
			return r.target.since(began) < shortenTime && r.fails(ctx, steps, ids[0])
		}
		steps := r.target.walkSteps(p.name)
		if !fails(steps) {
			continue // it took more than one walker
		}
		steps = shorten(steps, fails)
		shortest := &probeRun{probe: probe{name: rules.ProbeShortest.With(fmt.Sprintf(", seed %d", r.target.Seed))}}
		r.newUser(ctx, shortest).walk(steps)
		r.phones.release(shortest.phones)
		return true
	}
	return false
}

// fails repeats the steps with a new user, outside of the run's history, and reports whether the
// check with the id fails.
func (r *run) fails(ctx context.Context, steps []walkStep, id string) bool {
	try := &run{suite: r.suite, target: r.target, open: newOpenBookings(), bookings: r.bookings, phones: r.phones, started: r.started, latency: r.latency, Client: r.Anew()}
	p := &probeRun{probe: probe{name: rules.ProbeShortest}}
	try.newUser(ctx, p).walk(steps)
	defer r.phones.release(p.phones)
	history := slices.Clone(try.History)
	r.open.addLeftovers(try.Redactor().Leftovers(try.cleanUp(ctx))...)
	ids, _ := rules.WalksFind(r.suite.Judge(history, nil), history, func(conformance.ProbeName) bool { return true })
	return slices.Contains(ids, id)
}

// Limits for shortening a walk: number of tries and time.
const (
	attempts    = 80
	shortenTime = 15 * time.Second
)

// shorten removes steps that are not needed for the failure: first halves, then quarters,
// down to single steps.
func shorten(steps []walkStep, fails func([]walkStep) bool) []walkStep {
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
