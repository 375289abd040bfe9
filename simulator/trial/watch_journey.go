package trial

import (
	"fmt"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// held holds a held booking against its time. While the disk is full it cannot
// come up, and then it may take a moment.
func (w *watch) held(j *store.Snapshot) {
	const retried = 10 * time.Second
	due := w.day.world.Service().Policy().ReleaseAt(j.Journey)
	switch {
	case !w.day.now.After(due), w.day.records.full, w.day.now.Before(w.roomAgain.Add(retried)):
	default:
		w.day.broke(ruleRelease, fmt.Sprintf("%s is held, though it was due at %s", j.JourneyID, due))
	}
}

// driven looks at a journey with a car as its caller would see it.
func (w *watch) driven(j *store.Snapshot, s *sight) {
	shown, err := w.day.world.Service().Status(w.day.ctx, taxi.JourneyRef{UserID: j.UserID, JourneyID: j.JourneyID})
	if err != nil {
		w.day.broke(ruleAnswer, err.Error())
		return
	}
	w.shown(shown, s)
}

// leastPrice is the flag fall, and what is charged for a car that came in vain.
const leastPrice = 3.60

// shown holds what a caller would see against what may be seen.
func (w *watch) shown(j taxi.Journey, s *sight) {
	if err := wholeJourney(j); err != nil {
		w.day.broke(rulePresence, fmt.Sprintf("%s: %v", j.JourneyID, err))
	}
	if j.Price != nil && j.Price.Value < leastPrice {
		w.day.broke(rulePrice, fmt.Sprintf("%s costs %v", j.JourneyID, *j.Price))
	}
	if j.ETA == nil {
		s.eta = -1
		return
	}
	if j.ETA.Value < 0 || j.ETA.Value != math.Trunc(j.ETA.Value) || j.Status == taxi.Arrived && j.ETA.Value != 0 {
		w.day.broke(ruleETA, fmt.Sprintf("%s at %s has an ETA of %v", j.JourneyID, j.Status, j.ETA.Value))
	}
	if s.caused || s.eta < 0 {
		s.eta, s.etaAt, s.caused = j.ETA.Value, w.day.now, false
		return
	}
	most := s.eta + 1
	if dispatch.Fields(j.Status).Location { // a car that drives comes nearer
		most = max(1, most-math.Floor(w.day.now.Sub(s.etaAt).Minutes()))
	}
	if j.ETA.Value > most {
		w.day.broke(ruleETA, fmt.Sprintf("%s at %s: %v minutes at %s, %v now, and nothing happened to it",
			j.JourneyID, j.Status, s.eta, s.etaAt.Format(time.TimeOnly), j.ETA.Value))
	}
}
