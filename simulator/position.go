package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

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

// Track implements [dispatch.Fleet]. The ETA follows from the plan, so it is right also
// while the car's signal is lost.
func (w *World) Track(_ time.Time, j *store.Journey) (*taxi.Point, *taxi.ETA) {
	n, ok := w.jobs.of(j)
	if !ok || w.jobs.all[n].car == none {
		return nil, nil
	}
	live := &w.jobs.all[n]
	at := w.reportedPosition(live.car).Point()
	if j.Status == taxi.Arrived {
		return &at, &taxi.ETA{Unit: taxi.UnitMinutes}
	}
	return &at, minutes(w.dueAt(live).sub(w.now))
}

// Vehicle is a car as a map shows it.
type Vehicle struct {
	ID       string
	Location taxi.Point
	State    CarState
	Journey  taxi.JourneyID // the job it has; "" when none
	Crew     *Crew          // the car and its driver; not to be written to
	Partner  bool           // a partner firm's, here for one job
	Grounded bool           // an order has put it off duty
}

// Vehicles returns the firm's cars, and those of partner firms that are at work,
// as they are at the moment.
func (w *World) Vehicles() (at time.Time, all []Vehicle) {
	at, leave := w.Enter()
	defer leave()
	all = make([]Vehicle, 0, len(w.fleet.cars))
	for i := range w.fleet.cars {
		if c := &w.fleet.cars[i]; !c.partner || c.job != none {
			all = append(all, w.vehicle(c))
		}
	}
	return at, all
}

// vehicle is a car as it is now.
func (w *World) vehicle(c *car) Vehicle {
	v := Vehicle{
		ID: c.crew.VehicleID, Location: c.at(w.now).Point(), State: c.state,
		Crew: c.crew, Partner: c.partner, Grounded: c.grounded,
	}
	if c.job != none && c.state != CarAsked {
		v.Journey = w.jobs.all[c.job].journey.JourneyID
	}
	return v
}
