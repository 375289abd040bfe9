package trial

import (
	"fmt"
	"math"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// checkHeld checks that a held booking is not overdue. While the disk is full it cannot be
// released, and after that it may take a moment.
func (w *watch) checkHeld(j *store.Snapshot) {
	const retried = 10 * time.Second
	due := w.day.world.Service().Policy().ReleaseAt(j.Journey)
	switch {
	case !w.day.now.After(due), w.day.records.full, w.day.now.Before(w.roomAgain.Add(retried)):
	default:
		w.day.fail(ruleRelease, fmt.Sprintf("%s is held, though it was due at %s", j.JourneyID, due))
	}
}

// checkDriven checks a journey with a car, as /status shows it.
func (w *watch) checkDriven(j *store.Snapshot, s *journeySeen) {
	shown, err := w.day.world.Service().Status(w.day.ctx, taxi.JourneyRef{UserID: j.UserID, JourneyID: j.JourneyID})
	if err != nil {
		w.day.fail(ruleAnswer, err.Error())
		return
	}
	w.checkShown(shown, s)
}

// leastPrice is the flag fall, and the late-cancel fee.
const leastPrice = 3.60

// checkShown checks what a client sees of a journey.
func (w *watch) checkShown(j taxi.Journey, s *journeySeen) {
	if err := checkFields(j); err != nil {
		w.day.fail(rulePresence, fmt.Sprintf("%s: %v", j.JourneyID, err))
	}
	if j.Price != nil && j.Price.Value < leastPrice {
		w.day.fail(rulePrice, fmt.Sprintf("%s costs %v", j.JourneyID, *j.Price))
	}
	if j.ETA == nil {
		s.eta = -1
		return
	}
	if j.ETA.Value < 0 || j.ETA.Value != math.Trunc(j.ETA.Value) || j.Status == taxi.Arrived && j.ETA.Value != 0 {
		w.day.fail(ruleETA, fmt.Sprintf("%s at %s has an ETA of %v", j.JourneyID, j.Status, j.ETA.Value))
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
		w.day.fail(ruleETA, fmt.Sprintf("%s at %s: %v minutes at %s, %v now, and nothing happened to it",
			j.JourneyID, j.Status, s.eta, s.etaAt.Format(time.TimeOnly), j.ETA.Value))
	}
}
