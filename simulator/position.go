package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
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

// Track implements [dispatch.Fleet]. The ETA is computed from the plan, so it is correct
// even while the car's signal is lost.
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

// Vehicle is the state of a car, for maps and lists.
type Vehicle struct {
	ID       string
	Location taxi.Point
	State    CarState
	Journey  taxi.JourneyID // the car's job; "" if it has none
	Crew     *Crew          // the car and its driver; read-only
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
			all = append(all, w.vehicle(c))
		}
	}
	return at, all
}

// vehicle returns the current state of a car.
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
