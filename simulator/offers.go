package simulator

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// soonClear is how soon a car must drop its passenger off for its driver to be asked
// before that.
const soonClear = 5 * time.Minute

// offerAfter plans the next offer of a waiting job.
func (w *offers) offerAfter(n int32, after time.Duration) {
	w.schedule(w.now.add(after), evOffer, n, none)
}

// offer looks for a driver for a job, or ends the search if it has taken too long.
func (w *offers) offer(e event) {
	j := &w.jobs.all[e.job]
	if w.now >= w.giveUpAt(j) {
		w.desk.step(e, dispatch.EventNoDriver, nil)
		return
	}
	switch interval := w.assigner.Interval(); {
	case !w.roads.Covers(j.pickup):
		w.ask(e.job, w.partnerFor(j))
	case interval > 0:
		w.addToBatch(e, interval)
	default:
		w.batch = append(w.batch[:0], e)
		w.assign()
	}
}

func (w *offers) giveUpAt(j *job) moment { return momentOf(w.service.Policy().GiveUpAt(j.journey)) }

// offerLater plans the next search for a job for which no car was found.
func (w *offers) offerLater(n int32) {
	w.schedule(min(w.now.add(retryDelay), w.giveUpAt(&w.jobs.all[n])), evOffer, n, none)
}

// addToBatch adds a job to the batch that is assigned at the end of the interval.
func (w *offers) addToBatch(e event, interval time.Duration) {
	if len(w.batch) == 0 {
		ms := moment(interval / time.Millisecond)
		w.plan(event{at: (w.now/ms + 1) * ms, kind: evAssign})
	}
	w.batch = append(w.batch, e)
}

// assign finds drivers for the jobs of the batch.
func (w *offers) assign() {
	w.openings, w.cars = w.openings[:0], w.cars[:0]
	open := w.batch[:0]
	for _, e := range w.batch {
		if !w.jobs.current(&e) {
			continue
		}
		j := &w.jobs.all[e.job]
		from := len(w.cars)
		w.cars = w.candidates(j, w.cars)
		if len(w.cars) == from {
			w.offerLater(e.job)
			continue
		}
		open = append(open, e)
		w.openings = append(w.openings, assign.OpenJob{Pickup: j.pickup, Candidates: w.cars[from:len(w.cars):len(w.cars)], Choice: none})
	}
	w.batch = w.batch[:0]
	if len(open) > 0 {
		w.assigner.Assign(w.openings, w.roads)
	}
	for i, e := range open {
		o := &w.openings[i]
		if o.Choice < 0 || o.Choice >= len(o.Candidates) || !w.available(o.Candidates[o.Choice].Car) {
			w.offerLater(e.job)
			continue
		}
		w.ask(e.job, o.Candidates[o.Choice].Car)
	}
}

// available reports whether a car's driver can be offered a job.
func (w *offers) available(n int32) bool {
	c := &w.fleet.cars[n]
	return c.state == CarFree || c.state == CarOnBoard && c.next == none
}

// ask offers a job to a driver. The car stops for the decision, unless it has a
// passenger.
func (w *offers) ask(n, c int32) {
	j := &w.jobs.all[n]
	j.asked = c
	if car := &w.fleet.cars[c]; car.state == CarOnBoard {
		car.next, car.promised = n, false
	} else {
		w.fleet.park(c, w.now)
		w.fleet.setBusy(c, n, CarAsked)
	}
	answer, after := w.answer(j)
	j.tries++
	w.schedule(w.now.add(after), answer, n, c)
}

// answer decides how and when a driver answers an offer.
func (w *offers) answer(j *job) (eventKind, time.Duration) {
	draw := chance.New(w.seed, chance.Answer, j.key, uint64(j.tries))
	after := draw.Between(quickAnswer, slowAnswer)
	luck := int(draw.Below(10_000))
	switch b := &w.behaviour; {
	case luck < b.Reject:
		return evRefuse, after
	case luck < b.Reject+b.Silence:
		return evRefuse, offerTimeout
	default:
		return evAccept, after
	}
}

// candidates appends the cars in the assigner's pool that may be asked for a job.
func (w *offers) candidates(j *job, to []road.Candidate) []road.Candidate {
	fits := func(c int32) bool {
		return w.fleet.kinds[c]&j.kinds != 0 && !slices.Contains(j.refused, c)
	}
	pool := w.assigner.Pool()
	if pool == assign.PoolRanks {
		if w.found = w.fleet.longestWaiting(j.pickup, w.found[:0], fits); len(w.found) > 0 {
			return w.shortlist(to, w.found, true)
		}
	}
	w.found = w.fleet.grid.Nearest(j.pickup, shortlist, w.found[:0], fits)
	to = w.shortlist(to, w.found, false)
	if pool == assign.PoolClearing {
		w.found = w.fleet.clearing.Nearest(j.pickup, shortlist, w.found[:0], func(c int32) bool {
			return fits(c) && w.fleet.cars[c].next == none && w.clears(c) <= soonClear
		})
		for _, c := range w.found {
			to = append(to, road.Candidate{Car: c, Spot: w.fleet.clearing.Spot(c), FreeIn: w.clears(c)})
		}
	}
	return to
}

// clears returns how long a car with a passenger needs to its last drop-off; very long if its journey is held.
func (w *offers) clears(c int32) time.Duration {
	j := &w.jobs.all[w.fleet.cars[c].job]
	if j.aside != nil && j.aside.held {
		return math.MaxInt64 // unknown
	}
	return j.due.sub(w.now)
}

// shortlist appends cars with their current positions to a list of candidates.
func (w *offers) shortlist(to []road.Candidate, found []int32, first bool) []road.Candidate {
	for _, c := range found {
		to = append(to, road.Candidate{Car: c, Spot: w.fleet.cars[c].at(w.now), First: first})
	}
	return to
}

// partnerFor adds a partner firm's car near a pickup out of town, so that testers
// anywhere get a taxi soon. Decision: it starts 0.5 to 2.5 km away.
func (w *offers) partnerFor(j *job) int32 {
	return w.fleet.partner(crew.Partner(j.key, fmt.Sprintf("partner-%s-%d", j.journey.JourneyID, j.tries)), w.near(j))
}

// near returns a spot near a job's pickup, at which a partner firm's car starts.
func (w *offers) near(j *job) road.Spot {
	const least, most = 500_000, 2_500_000 // mm
	draw := chance.New(w.seed, chance.Partner, j.key, uint64(j.tries))
	for {
		east, north := draw.Below(2*most)-most, draw.Below(2*most)-most
		if square := east*east + north*north; square >= least*least && square <= most*most {
			return j.pickup.Offset(east, north)
		}
	}
}

// accept assigns the job to the driver who was asked, or reserves it for one who still
// has a passenger.
func (w *offers) accept(e event) {
	c := &w.fleet.cars[e.car]
	if c.next == e.job {
		c.promised = true
		return
	}
	who, at := c.crew, c.at(w.now).Point()
	w.desk.step(e, dispatch.EventAccept, func(j *store.Journey) {
		j.Vehicle, j.Driver = &who.Vehicle, &who.Driver
		j.VehicleID, j.DriverID = who.VehicleID, who.DriverID
		j.Drive = &store.Drive{From: at, To: at, Departs: w.now.time(), Arrives: w.now.time()} // the car stands there until it sets off
	})
}

// freeCar frees the job's car and withdraws its open offer, if any.
func (w *offers) freeCar(n int32) {
	j := &w.jobs.all[n]
	if c := j.asked; c != none {
		j.asked = none
		if w.fleet.cars[c].next == n {
			w.fleet.cars[c].next = none
		} else {
			w.rides.release(c)
		}
	}
	if c := j.car; c != none {
		j.car = none
		w.rides.release(c)
	}
}

// withdraw takes the next job away from a driver whose current journey has become longer.
func (w *offers) withdraw(c int32) {
	if n := w.fleet.cars[c].next; n != none {
		w.fleet.cars[c].next = none
		j := &w.jobs.all[n]
		j.asked = none
		w.desk.replan(j)
		w.offerAfter(n, time.Second)
	}
}
