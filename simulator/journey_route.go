package simulator

import (
	"context"
	"iter"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// Town returns the streets of the world, which do not change; nil: an open plane.
func (w *World) Town() *town.Town { return w.town }

// Zone returns the time zone of the firm, by whose clock its tariffs go.
func (w *World) Zone() *time.Location { return w.fares.Location }

// Places returns what is known in town; the slice belongs to the world.
func (w *World) Places() []fixtures.Place { return w.places }

// Centre returns the middle of what the world's roads cover.
func (w *World) Centre() taxi.Point { return w.roads.Centre().Point() }

// ToPickup is the Stop of a [Leg] that leads to the pickup.
const ToPickup = -1

// Leg is one drive of a journey.
type Leg struct {
	Stop        int          // the drop-off that it leads to, from 0, or [ToPickup]
	Line        []taxi.Point // between its points the car drives straight
	Driven      int          // how many points from the first on the car has passed; the last of them is where it is now
	Millimetres int64
	Took        time.Duration // by the plan
}

// JourneyRoute returns the drives of a journey in their order: the one to the pickup from
// where the car that has it is now or set off, and those to the drop-offs. What a
// passenger says only on the way is not known once the journey is over; a [Refusal] says
// that there is no such journey.
func (w *World) JourneyRoute(ctx context.Context, id taxi.JourneyID) (at time.Time, legs []Leg, err error) {
	at, leave := w.Enter()
	defer leave()
	j, n, err := w.standing(ctx, id)
	if err != nil {
		return at, nil, err
	}
	if n == none {
		return at, w.plannedLegs(j), nil
	}
	return at, w.legs(&w.jobs.all[n]), nil
}

// legs are the drives of a live job.
func (w *World) legs(j *job) (all []Leg) {
	status := j.journey.Status
	var c *car
	if j.car != none {
		c = &w.fleet.cars[j.car]
	}
	switch {
	case c == nil:
	case status == taxi.EnRoute:
		all = append(all, driving(ToPickup, &c.route, c.driven(w.now)))
	case status == taxi.Accepted:
		all = append(all, w.legOf(ToPickup, c.at(w.now), j.pickup))
	}
	from := j.pickup
	for i := range j.journey.Dropoffs {
		to := w.dropoff(j, i)
		switch {
		case status == taxi.POB && i == j.stop && c != nil:
			all = append(all, driving(i, &c.route, c.driven(w.now)))
		case status == taxi.POB && i < j.stop:
			all = append(all, w.legOf(i, from, to).done())
		default:
			all = append(all, w.legOf(i, from, to))
		}
		from = to
	}
	return all
}

// plannedLegs are the drives of a journey that is over, as far as its addresses tell.
func (w *World) plannedLegs(j *store.Journey) (all []Leg) {
	if j.Pickup == nil || j.Pickup.Location == nil {
		return nil
	}
	from := SpotOf(*j.Pickup.Location)
	for i, d := range j.Dropoffs {
		if d.Location == nil {
			return all
		}
		to := SpotOf(*d.Location)
		l := w.legOf(i, from, to)
		if j.Status == taxi.Complete {
			l = l.done()
		}
		all, from = append(all, l), to
	}
	return all
}

// legOf is a drive that has not begun.
func (w *World) legOf(stop int, from, to Spot) Leg {
	var r Route
	w.roadsFor(from, to).Route(from, to, &r)
	return driving(stop, &r, 0)
}

// done is the leg when it has been driven.
func (l Leg) done() Leg {
	l.Driven = len(l.Line)
	return l
}

// driving is a leg after so long on its route.
func driving(stop int, r *Route, after time.Duration) Leg {
	l := Leg{Stop: stop, Millimetres: r.Millimetres(), Took: r.Took}
	if after >= r.Took && after > 0 {
		after = r.Took
	}
	here := r.At(after)
	for passed, s := range r.bends() {
		if l.Driven == 0 && after > 0 && passed >= after {
			if passed > after {
				l.Line = append(l.Line, here.Point())
				l.Driven = len(l.Line)
			} else {
				l.Driven = len(l.Line) + 1
			}
		}
		l.Line = append(l.Line, s.Point())
	}
	return l
}

// bends yields the spots between which the car drives straight, and when after its start it
// passes them.
func (r *Route) bends() iter.Seq2[time.Duration, Spot] {
	return func(yield func(time.Duration, Spot) bool) {
		if !yield(0, r.From) || r.From == r.To {
			return
		}
		if r.way != nil && !r.way.bends(yield) {
			return
		}
		yield(r.Took, r.To)
	}
}

// bends yields what is between the two spots of the way; false: no more is wanted.
func (w *way) bends(yield func(time.Duration, Spot) bool) bool {
	w.find()
	out := w.from.offStreetTime()
	for ms, p := range w.along.Bends() {
		if !yield(time.Duration(out+ms)*time.Millisecond, w.streets.spot(p)) {
			return false
		}
	}
	return true
}
