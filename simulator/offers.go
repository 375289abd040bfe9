package simulator

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/store"
)

// Candidate is a free car that may take a job.
type Candidate struct {
	Car  int32
	Spot Spot // where it stands
}

// Assigner is a dispatch policy: it chooses whose driver is asked next.
type Assigner interface {
	// Choose returns the index of the candidate to ask, or less than zero to
	// wait. There are up to eight candidates and at least one, in the order of
	// their distance as the crow flies.
	Choose(pickup Spot, candidates []Candidate, roads Roads) int
}

// Nearest asks the driver closest as the crow flies.
type Nearest struct{}

// Choose implements [Assigner].
func (Nearest) Choose(Spot, []Candidate, Roads) int { return 0 }

// Soonest asks the driver who would be at the pickup first.
type Soonest struct{}

// Choose implements [Assigner].
func (Soonest) Choose(pickup Spot, candidates []Candidate, roads Roads) int {
	best, least := 0, time.Duration(0)
	for i := range candidates {
		if _, took := roads.Drive(candidates[i].Spot, pickup); i == 0 || took < least {
			best, least = i, took
		}
	}
	return best
}

const shortlist = 8 // candidates for a job

// seek has a waiting job offered after a while.
func (w *World) seek(n int32, after time.Duration) {
	w.schedule(w.now.add(after), evOffer, n, none)
}

// offer asks the best driver for a job. When there is none it looks again later,
// until the search has taken too long.
func (w *World) offer(e event) {
	j := &w.jobs.all[e.job]
	giveUp := momentOf(w.service.Policy().GiveUpAt(j.journey))
	if w.now >= giveUp {
		w.step(e, dispatch.EventNoDriver, nil)
		return
	}
	c := w.candidate(j)
	if c == none {
		w.schedule(min(w.now.add(retryDelay), giveUp), evOffer, e.job, none)
		return
	}
	j.asked = c
	w.fleet.busy(c, e.job, CarAsked)
	answer, after := w.answer(j)
	j.tries++
	w.schedule(w.now.add(after), answer, e.job, c)
}

// answer decides what a driver will say to an offer, and how soon.
func (w *World) answer(j *job) (eventKind, time.Duration) {
	draw := newStream(w.seed, drawAnswer, j.key, j.tries)
	after := draw.between(quickAnswer, slowAnswer)
	luck := int(draw.below(10_000))
	switch b := &w.behaviour; {
	case luck < b.Reject:
		return evRefuse, after
	case luck < b.Reject+b.Silence:
		return evRefuse, offerTimeout
	default:
		return evAccept, after
	}
}

// candidate finds the car to ask for a job.
func (w *World) candidate(j *job) int32 {
	if !w.roads.Covers(j.pickup) {
		return w.partnerFor(j)
	}
	var found [shortlist]near
	n := w.fleet.grid.nearest(j.pickup, found[:], func(c int32) bool {
		return w.fleet.cars[c].kind&j.wish != 0 && !slices.Contains(j.refused, c)
	})
	if n == 0 {
		return none
	}
	var candidates [shortlist]Candidate
	for i, f := range found[:n] {
		candidates[i] = Candidate{f.car, w.fleet.cars[f.car].route.To}
	}
	chosen := w.assigner.Choose(j.pickup, candidates[:n], w.roads)
	if chosen < 0 {
		return none
	}
	return candidates[chosen].Car
}

// partnerFor brings a partner firm's car near a pickup out of town. Decision: so
// testers anywhere get a taxi in a sensible time; it starts half a kilometre to
// two and a half away.
func (w *World) partnerFor(j *job) int32 {
	const least, most = 500_000, 2_500_000 // mm
	draw := newStream(w.seed, drawPartner, j.key, j.tries)
	for {
		east, north := draw.below(2*most)-most, draw.below(2*most)-most
		if square := east*east + north*north; square >= least*least && square <= most*most {
			return w.fleet.partner(partnerCrew(j), j.pickup.offset(east, north))
		}
	}
}

// accept gives the job to the driver who was asked.
func (w *World) accept(e event) {
	crew := w.fleet.cars[e.car].crew
	w.step(e, dispatch.EventAccept, func(j *store.Journey) {
		j.Vehicle, j.Driver = &crew.Vehicle, &crew.Driver
		j.VehicleID, j.DriverID = crew.VehicleID, crew.DriverID
	})
}

// refuse passes over a driver who said no, or nothing.
func (w *World) refuse(e event) {
	j := &w.jobs.all[e.job]
	j.refused = append(j.refused, e.car)
	w.step(e, dispatch.EventReoffer, nil)
}

// letGo takes whatever car a job has, or is offered to, off it.
func (w *World) letGo(j *job) {
	if j.asked != none {
		w.release(j.asked)
		j.asked = none
	}
	if j.car != none {
		w.release(j.car)
		j.car = none
	}
}
