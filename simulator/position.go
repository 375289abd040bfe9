package simulator

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// A car reports its position continuously, but in some minutes its signal is lost for
// this long.
const (
	signalLostLeast = 5 * time.Second
	signalLostMost  = 20 * time.Second
)

// reportedPosition returns the last position that a car reported: its current one, or the
// one where its signal was lost.
func (w *desk) reportedPosition(n int32) road.Spot {
	c := &w.fleet.cars[n]
	if w.behaviour.Silent == 0 {
		return c.at(w.now)
	}
	minute := w.now - w.now%moment(time.Minute/time.Millisecond)
	draw := chance.New(w.seed, chance.Signal, uint64(n), uint64(minute))
	if !draw.Chance(w.behaviour.Silent) {
		return c.at(w.now)
	}
	silence := draw.Between(signalLostLeast, signalLostMost)
	lost := minute.add(draw.Between(0, time.Minute-signalLostMost))
	if w.now < lost || w.now >= lost.add(silence) {
		return c.at(w.now)
	}
	return c.at(lost)
}

// Track implements [dispatch.Fleet]. The ETA is computed from the plan, so it is correct
// even while the car's signal is lost.
func (w *desk) Track(_ time.Time, j *store.Journey) (*taxi.Point, *taxi.ETA) {
	n, ok := w.jobs.of(j)
	if !ok || w.jobs.all[n].car == none {
		return nil, nil
	}
	live := &w.jobs.all[n]
	at := w.reportedPosition(live.car).Point()
	if j.Status == taxi.Arrived {
		return &at, &taxi.ETA{Unit: taxi.UnitMinutes}
	}
	return &at, minutes(w.operator.dueAt(live).sub(w.now))
}

// Vehicle is the state of a car, for maps and lists.
type Vehicle struct {
	ID       string
	Location taxi.Point
	State    CarState
	Journey  taxi.JourneyID // the car's job; "" if it has none
	Crew     *crew.Crew     // the car and its driver; read-only
	Partner  bool           // a partner firm's car, which does one job
	Grounded bool           // an order has put it off duty
}

// Vehicles returns the current state of the firm's cars, and of those of partner firms
// that are working.
func (w *World) Vehicles() (at time.Time, all []Vehicle) {
	at, leave := w.Enter()
	defer leave()
	all = make([]Vehicle, 0, len(w.fleet.cars))
	for i := range w.fleet.cars {
		if c := &w.fleet.cars[i]; !c.partner || c.job != none {
			all = append(all, w.desk.vehicle(c))
		}
	}
	return at, all
}

// vehicle returns the current state of a car.
func (w *desk) vehicle(c *car) Vehicle {
	v := Vehicle{
		ID: c.crew.VehicleID, Location: c.at(w.now).Point(), State: c.state,
		Crew: c.crew, Partner: c.partner, Grounded: c.grounded,
	}
	if c.job != none && c.state != CarAsked {
		v.Journey = w.jobs.all[c.job].journey.JourneyID
	}
	return v
}

// Town returns the streets of the world, which never change; nil: an open plane.
func (w *World) Town() *town.Town { return w.town }

// Zone returns the firm's time zone, which its tariffs use.
func (w *World) Zone() *time.Location { return w.fares.Location }

// Places returns the known places of the town; the slice is read-only.
func (w *World) Places() []fixtures.Place { return w.places }

// Centre returns the middle of the area that the world's roads cover.
func (w *World) Centre() taxi.Point { return w.roads.Centre().Point() }

// ToPickup is the Stop of the [Leg] to the pickup.
const ToPickup = -1

// Leg is one drive of a journey.
type Leg struct {
	Stop        int          // index of the drop-off at its end, or [ToPickup]
	Line        []taxi.Point // the car drives straight between its points
	Driven      int          // the number of points that the car has passed; the last of them is its position
	Millimetres int64
	Took        time.Duration // as planned
}

// JourneyRoute returns the drives of a journey in order: the one to the pickup, from the
// position of its car or from where that car set off, and those to the drop-offs.
// Directions that a passenger gave on the way are unknown once the journey is over. It
// returns a [Refusal] if the journey does not exist.
func (w *World) JourneyRoute(ctx context.Context, id taxi.JourneyID) (at time.Time, legs []Leg, err error) {
	at, leave := w.Enter()
	defer leave()
	j, n, err := w.operator.standing(ctx, id)
	if err != nil {
		return at, nil, err
	}
	if n == none {
		return at, w.desk.plannedLegs(j), nil
	}
	return at, w.desk.legs(&w.jobs.all[n]), nil
}

// legs returns the drives of a live job.
func (w *desk) legs(j *job) (all []Leg) {
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
		to := w.rides.dropoff(j, i)
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

// plannedLegs returns the drives of a journey that is over, as far as its addresses
// determine them.
func (w *desk) plannedLegs(j *store.Journey) (all []Leg) {
	if j.Pickup == nil || j.Pickup.Location == nil {
		return nil
	}
	from := road.SpotOf(*j.Pickup.Location)
	for i, d := range j.Dropoffs {
		if d.Location == nil {
			return all
		}
		to := road.SpotOf(*d.Location)
		l := w.legOf(i, from, to)
		if j.Status == taxi.Complete {
			l = l.done()
		}
		all, from = append(all, l), to
	}
	return all
}

// legOf returns a drive that has not begun.
func (w *desk) legOf(stop int, from, to road.Spot) Leg {
	var r road.Route
	w.rides.roadsFor(from, to).Route(from, to, &r)
	return driving(stop, &r, 0)
}

// done returns the leg with all of its points passed.
func (l Leg) done() Leg {
	l.Driven = len(l.Line)
	return l
}

// driving returns the leg of a route for a car that has driven for a time.
func driving(stop int, r *road.Route, after time.Duration) Leg {
	l := Leg{Stop: stop, Millimetres: r.Millimetres(), Took: r.Took}
	if after >= r.Took && after > 0 {
		after = r.Took
	}
	here := r.At(after)
	for passed, s := range r.Bends() {
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
