package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// watch checks the rules after every event, and stores what it has seen.
type watch struct {
	day  *day
	seen <-chan simulator.Transition
	at   time.Time // of the last change
	seq  uint64    // of the last change

	journeys  map[taxi.JourneyID]*journeySeen
	rides     map[int][]taxi.JourneyID       // the journeys booked for each ride
	kept      map[taxi.JourneyID]journeySeen // as they were at the last saveDurable
	roomAgain time.Time                      // when the disk last had room again
	moved     []taxi.JourneyID               // journeys that the events just seen have changed
	turn      int                            // index of the next ride to check

	cars     map[string]carSeen     // where the cars are, by id
	keptCars map[string]carSeen     // … at the last saveDurable
	arrivals []simulator.Transition // changes just seen that happen at a certain place
}

// journeySeen is the last seen state of a journey.
type journeySeen struct {
	status   taxi.Status
	revision int32
	updated  time.Time
	eta      float64   // minutes, as first shown after the last cause; negative: none
	etaAt    time.Time // when
	caused   bool      // something has happened since that may delay the car
	over     []byte    // the body once it is over
}

// begin watches a world from its start.
func (w *watch) begin(world *simulator.World) {
	const buffer = 1 << 10 // changes that one event may bring
	w.seen, _ = world.Subscribe(buffer)
	w.seq = 0
	if w.journeys == nil {
		w.journeys, w.rides, w.cars = map[taxi.JourneyID]*journeySeen{}, map[int][]taxi.JourneyID{}, map[string]carSeen{}
	}
}

// check checks the rules.
func (w *watch) check() {
	w.changes()
	cars := w.checkFleet()
	for _, t := range w.arrivals {
		w.checkPlace(t)
	}
	w.arrivals = w.arrivals[:0]
	live := w.day.records.AllLive()
	for _, j := range live {
		w.checkJourney(j, cars)
	}
	for _, id := range w.moved {
		if s := w.journeys[id]; s.status.Terminal() && s.over == nil {
			w.ended(id, s)
		}
	}
	w.moved = w.moved[:0]
	if made := w.day.begun; len(made) > 0 { // one at a time: checking all each time would take too long
		w.turn++
		w.checkPromises(made[w.turn%len(made)])
	}
}

// changes reads the transitions since the last check.
func (w *watch) changes() {
	for len(w.seen) > 0 {
		t := <-w.seen
		if w.seq++; t.Seq != w.seq {
			w.day.fail(ruleTime, fmt.Sprintf("change %d came as number %d", w.seq, t.Seq))
		}
		if t.At.Before(w.at) || t.At.After(w.day.now) {
			w.day.fail(ruleTime, fmt.Sprintf("%s %s at %s, after one at %s", t.Journey, t.Event, t.At, w.at))
		}
		w.at = t.At
		w.change(t)
	}
}

func (w *watch) change(t simulator.Transition) {
	s, known := w.journeys[t.Journey]
	if !known {
		s = &journeySeen{eta: -1}
		w.journeys[t.Journey] = s
	}
	switch {
	case s.status != t.From:
		w.day.fail(ruleEdge, fmt.Sprintf("%s went by %s from %s, but was at %s", t.Journey, t.Event, t.From, s.status))
	case t.Event == dispatch.EventEdit && t.From == t.To && !t.To.Terminal():
	case !w.day.outcome.Coverage.row(t):
		w.day.fail(ruleEdge, fmt.Sprintf("%s went by %s from %s to %s", t.Journey, t.Event, t.From, t.To))
	}
	switch t.Event {
	case dispatch.EventBook:
		w.booked(t.Journey)
	case dispatch.EventArrive, dispatch.EventFinish:
		w.arrivals = append(w.arrivals, t)
	}
	s.status, s.caused = t.To, true
	w.moved = append(w.moved, t.Journey)
}

// booked counts the journeys of a ride. There may be another only if those before are
// over.
func (w *watch) booked(id taxi.JourneyID) {
	w.day.outcome.Journeys++
	j, err := w.day.records.Journey(w.day.ctx, id)
	if err != nil {
		w.day.fail(ruleOnce, err.Error())
		return
	}
	var mark struct{ Ride *int }
	if json.Unmarshal(j.PluginData, &mark) != nil || mark.Ride == nil {
		return // somebody else's
	}
	for _, other := range w.rides[*mark.Ride] {
		if s := w.journeys[other]; s != nil && !s.status.Terminal() {
			w.day.fail(ruleOnce, fmt.Sprintf("ride %d was booked as %s and, while that is %s, as %s", *mark.Ride, other, s.status, id))
		}
	}
	w.rides[*mark.Ride] = append(w.rides[*mark.Ride], id)
}

// ended stores the final state of a journey.
func (w *watch) ended(id taxi.JourneyID, s *journeySeen) {
	j, err := w.day.records.Journey(w.day.ctx, id)
	if err != nil {
		w.day.fail(ruleTerminal, err.Error())
		return
	}
	w.checkShown(j.Journey.Journey, s)
	s.over = slices.Clone(j.JSON())
}

// checkUnchanged checks that a journey is as it was when it ended.
func (w *watch) checkUnchanged(id taxi.JourneyID, s *journeySeen) {
	j, err := w.day.records.Journey(w.day.ctx, id)
	switch {
	case err != nil:
		w.day.fail(ruleTerminal, err.Error())
	case !bytes.Equal(j.JSON(), s.over):
		w.day.fail(ruleTerminal, fmt.Sprintf("%s was %s and became %s", id, s.over, j.JSON()))
	}
}

// keep stores what is durable at this moment.
func (w *watch) keep() {
	w.kept = make(map[taxi.JourneyID]journeySeen, len(w.journeys))
	for id, s := range w.journeys {
		w.kept[id] = *s
	}
	w.keepCars()
}

// checkRestart checks the records after a restart. Nothing durable or acknowledged may be
// missing, and cars continue from where they were.
func (w *watch) checkRestart() {
	w.journeys = make(map[taxi.JourneyID]*journeySeen, len(w.kept))
	for _, id := range slices.Sorted(maps.Keys(w.kept)) {
		s := w.kept[id]
		s.caused, s.eta = true, -1
		w.journeys[id] = &s
		if s.over != nil {
			w.checkUnchanged(id, &s)
		}
	}
	for n, all := range w.rides {
		w.rides[n] = slices.DeleteFunc(all, func(id taxi.JourneyID) bool { return w.journeys[id] == nil })
	}
	w.checkAllRides()
	w.checkRestored()
	w.cars = w.keptCars
	w.day.now = w.day.clock.Now() // and what was due by then happens
	w.check()
}

// checkAllRides checks every ride.
func (w *watch) checkAllRides() {
	for _, r := range w.day.begun {
		w.checkPromises(r)
	}
}

// checkPromises checks that the acknowledged changes of a ride exist, and that its
// finished journey is unchanged.
func (w *watch) checkPromises(r *ride) {
	if s := w.journeys[r.ref.JourneyID]; s != nil && s.over != nil {
		w.checkUnchanged(r.ref.JourneyID, s)
	}
	if !r.acknowledged {
		return
	}
	j, err := w.day.records.Journey(w.day.ctx, r.ref.JourneyID)
	switch {
	case err != nil:
		w.day.fail(ruleDurable, fmt.Sprintf("ride %d: %v", r.n, err))
	case r.cancelled && j.Status != taxi.Cancelled:
		w.day.fail(ruleDurable, fmt.Sprintf("ride %d was cancelled and is %s", r.n, j.Status))
	}
}

// checkRestored compares every journey with those that were durable.
func (w *watch) checkRestored() {
	journeys, err := w.day.records.Journeys(w.day.ctx, 0)
	if err != nil {
		w.day.fail(ruleDurable, err.Error())
	}
	for _, j := range journeys {
		if s := w.journeys[j.JourneyID]; s == nil || s.status != j.Status {
			w.day.fail(ruleDurable, fmt.Sprintf("%s came back as %s, was %+v", j.JourneyID, j.Status, s))
		}
	}
}

// checkEnd checks everything again at the end of a run.
func (w *watch) checkEnd() {
	for _, id := range slices.Sorted(maps.Keys(w.journeys)) {
		if s := w.journeys[id]; s.over != nil {
			w.checkUnchanged(id, s)
		}
	}
	w.checkAllRides()
}

// checkJourney compares a live journey with what was seen of it before, and with its car.
func (w *watch) checkJourney(j *store.Snapshot, cars map[taxi.JourneyID]string) {
	s := w.journeys[j.JourneyID]
	if s == nil || s.status != j.Status {
		w.day.fail(ruleEdge, fmt.Sprintf("%s is %s, and no transition said so", j.JourneyID, j.Status))
		return
	}
	if j.Revision < s.revision || j.UpdatedAt.Before(s.updated) || j.UpdatedAt.Before(j.CreatedAt) || j.UpdatedAt.After(w.day.now) {
		w.day.fail(ruleTime, fmt.Sprintf("%s was updated at %s, revision %d, after %s, revision %d", j.JourneyID, j.UpdatedAt, j.Revision, s.updated, s.revision))
	}
	s.revision, s.updated = j.Revision, j.UpdatedAt
	crew := dispatch.Fields(j.Status).Crew
	if car, has := cars[j.JourneyID]; has != crew || has && car != j.VehicleID {
		w.day.fail(ruleCar, fmt.Sprintf("%s at %s has car %q, which the fleet says is %q", j.JourneyID, j.Status, j.VehicleID, car))
	}
	switch {
	case j.Status == taxi.Held:
		w.checkHeld(j)
	case crew:
		w.checkDriven(j, s)
		return
	}
	w.checkShown(j.Journey.Journey, s)
}
