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

// watch looks at everything after every event, and remembers what it saw.
type watch struct {
	day  *day
	seen <-chan simulator.Transition
	at   time.Time // of the last change
	seq  uint64    // of the last change

	sights    map[taxi.JourneyID]*sight
	rides     map[int][]taxi.JourneyID // the journeys booked for each ride
	kept      map[taxi.JourneyID]sight // as they were when what is durable was kept
	roomAgain time.Time                // when the disk last had room again
	moved     []taxi.JourneyID         // journeys that the events just seen have changed
	turn      int                      // which ride is looked at

	stands     map[string]stand       // where the cars are, by id
	keptStands map[string]stand       // … when what is durable was kept
	arrivals   []simulator.Transition // changes just seen that happen at a certain place
}

// sight is what was last seen of a journey.
type sight struct {
	status   taxi.Status
	revision int
	updated  time.Time
	eta      float64   // minutes, as first shown after the last cause; below zero: none was
	etaAt    time.Time // when
	caused   bool      // something has happened since that may delay the car
	over     []byte    // the body once it is over
}

// begin watches a world from its start.
func (w *watch) begin(world *simulator.World) {
	const buffer = 1 << 10 // changes that one event may bring
	w.seen, _ = world.Subscribe(buffer)
	w.seq = 0
	if w.sights == nil {
		w.sights, w.rides, w.stands = map[taxi.JourneyID]*sight{}, map[int][]taxi.JourneyID{}, map[string]stand{}
	}
}

// look holds everything against the rules.
func (w *watch) look() {
	w.changes()
	cars := w.fleet()
	for _, t := range w.arrivals {
		w.there(t)
	}
	w.arrivals = w.arrivals[:0]
	live := w.day.records.AllLive()
	for _, j := range live {
		w.journey(j, cars)
	}
	for _, id := range w.moved {
		if s := w.sights[id]; s.status.Terminal() && s.over == nil {
			w.ended(id, s)
		}
	}
	w.moved = w.moved[:0]
	if made := w.day.made; len(made) > 0 { // one after the other: all of them each time would take long
		w.turn++
		w.promised(made[w.turn%len(made)])
	}
}

// changes follows what the world told since the last look.
func (w *watch) changes() {
	for len(w.seen) > 0 {
		t := <-w.seen
		if w.seq++; t.Seq != w.seq {
			w.day.broke(ruleTime, fmt.Sprintf("change %d was told as number %d", w.seq, t.Seq))
		}
		if t.At.Before(w.at) || t.At.After(w.day.now) {
			w.day.broke(ruleTime, fmt.Sprintf("%s %s at %s, after one at %s", t.Journey, t.Event, t.At, w.at))
		}
		w.at = t.At
		w.change(t)
	}
}

func (w *watch) change(t simulator.Transition) {
	s, known := w.sights[t.Journey]
	if !known {
		s = &sight{eta: -1}
		w.sights[t.Journey] = s
	}
	switch {
	case s.status != t.From:
		w.day.broke(ruleEdge, fmt.Sprintf("%s went by %s from %s, but was at %s", t.Journey, t.Event, t.From, s.status))
	case t.Event == dispatch.EventEdit && t.From == t.To && !t.To.Terminal():
	case !w.day.outcome.Coverage.row(t):
		w.day.broke(ruleEdge, fmt.Sprintf("%s went by %s from %s to %s", t.Journey, t.Event, t.From, t.To))
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

// booked counts the journeys of a ride: there may be another only if those
// before are over.
func (w *watch) booked(id taxi.JourneyID) {
	w.day.outcome.Journeys++
	j, err := w.day.records.Journey(w.day.ctx, id)
	if err != nil {
		w.day.broke(ruleOnce, err.Error())
		return
	}
	var mark struct{ Ride *int }
	if json.Unmarshal(j.PluginData, &mark) != nil || mark.Ride == nil {
		return // somebody else's
	}
	for _, other := range w.rides[*mark.Ride] {
		if s := w.sights[other]; s != nil && !s.status.Terminal() {
			w.day.broke(ruleOnce, fmt.Sprintf("ride %d was booked as %s and, while that is %s, as %s", *mark.Ride, other, s.status, id))
		}
	}
	w.rides[*mark.Ride] = append(w.rides[*mark.Ride], id)
}

// ended remembers a journey as it was when it ended.
func (w *watch) ended(id taxi.JourneyID, s *sight) {
	j, err := w.day.records.Journey(w.day.ctx, id)
	if err != nil {
		w.day.broke(ruleTerminal, err.Error())
		return
	}
	w.shown(j.Journey.Journey, s)
	s.over = slices.Clone(j.JSON())
}

// frozen holds a journey that is over against what it was when it ended.
func (w *watch) frozen(id taxi.JourneyID, s *sight) {
	j, err := w.day.records.Journey(w.day.ctx, id)
	switch {
	case err != nil:
		w.day.broke(ruleTerminal, err.Error())
	case !bytes.Equal(j.JSON(), s.over):
		w.day.broke(ruleTerminal, fmt.Sprintf("%s was %s and became %s", id, s.over, j.JSON()))
	}
}

// keep remembers what is durable from here on.
func (w *watch) keep() {
	w.kept = make(map[taxi.JourneyID]sight, len(w.sights))
	for id, s := range w.sights {
		w.kept[id] = *s
	}
	w.keepStands()
}

// survived looks at what came back. Nothing may be missing that was durable, and
// nothing that the platform was told of; cars go on from where they were.
func (w *watch) survived() {
	w.sights = make(map[taxi.JourneyID]*sight, len(w.kept))
	for _, id := range slices.Sorted(maps.Keys(w.kept)) {
		s := w.kept[id]
		s.caused, s.eta = true, -1
		w.sights[id] = &s
		if s.over != nil {
			w.frozen(id, &s)
		}
	}
	for n, all := range w.rides {
		w.rides[n] = slices.DeleteFunc(all, func(id taxi.JourneyID) bool { return w.sights[id] == nil })
	}
	w.all()
	w.cameBack()
	w.stands = w.keptStands
	w.day.now = w.day.clock.Now() // and what was due by then happens
	w.look()
}

// all looks at every ride.
func (w *watch) all() {
	for _, r := range w.day.made {
		w.promised(r)
	}
}

// promised looks for what the platform was told of a ride, and whether what was
// over still is as it was.
func (w *watch) promised(r *ride) {
	if s := w.sights[r.ref.JourneyID]; s != nil && s.over != nil {
		w.frozen(r.ref.JourneyID, s)
	}
	if !r.acknowledged {
		return
	}
	j, err := w.day.records.Journey(w.day.ctx, r.ref.JourneyID)
	switch {
	case err != nil:
		w.day.broke(ruleDurable, fmt.Sprintf("ride %d: %v", r.n, err))
	case r.cancelled && j.Status != taxi.Cancelled:
		w.day.broke(ruleDurable, fmt.Sprintf("ride %d was cancelled and is %s", r.n, j.Status))
	}
}

// cameBack holds every journey that is there against those that were durable.
func (w *watch) cameBack() {
	journeys, err := w.day.records.Journeys(w.day.ctx, 0)
	if err != nil {
		w.day.broke(ruleDurable, err.Error())
	}
	for _, j := range journeys {
		if s := w.sights[j.JourneyID]; s == nil || s.status != j.Status {
			w.day.broke(ruleDurable, fmt.Sprintf("%s came back as %s, was %+v", j.JourneyID, j.Status, s))
		}
	}
}

// last looks at everything once more, at the end of a run.
func (w *watch) last() {
	for _, id := range slices.Sorted(maps.Keys(w.sights)) {
		if s := w.sights[id]; s.over != nil {
			w.frozen(id, s)
		}
	}
	w.all()
}

// journey holds a live journey against what was seen of it before, and against
// its car.
func (w *watch) journey(j *store.Snapshot, cars map[taxi.JourneyID]string) {
	s := w.sights[j.JourneyID]
	if s == nil || s.status != j.Status {
		w.day.broke(ruleEdge, fmt.Sprintf("%s is %s, of which nothing was told", j.JourneyID, j.Status))
		return
	}
	if j.Revision < s.revision || j.UpdatedAt.Before(s.updated) || j.UpdatedAt.Before(j.CreatedAt) || j.UpdatedAt.After(w.day.now) {
		w.day.broke(ruleTime, fmt.Sprintf("%s was updated at %s, revision %d, after %s, revision %d", j.JourneyID, j.UpdatedAt, j.Revision, s.updated, s.revision))
	}
	s.revision, s.updated = j.Revision, j.UpdatedAt
	crew := dispatch.Fields(j.Status).Crew
	if car, has := cars[j.JourneyID]; has != crew || has && car != j.VehicleID {
		w.day.broke(ruleCar, fmt.Sprintf("%s at %s has car %q, which the fleet says is %q", j.JourneyID, j.Status, j.VehicleID, car))
	}
	switch {
	case j.Status == taxi.Held:
		w.held(j)
	case crew:
		w.driven(j, s)
		return
	}
	w.shown(j.Journey.Journey, s)
}
