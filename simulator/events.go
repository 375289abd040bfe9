package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// happen executes an event.
func (w *core) happen(e event) {
	if !w.jobs.current(&e) {
		return
	}
	switch e.kind {
	case evRelease:
		w.desk.step(e, dispatch.EventRelease, nil)
	case evOffer:
		w.offers.offer(e)
	case evAccept:
		w.offers.accept(e)
	case evRefuse:
		w.desk.step(e, dispatch.EventReoffer, nil)
	case evSetOff:
		w.rides.setOff(e)
	case evArrive:
		w.desk.step(e, dispatch.EventArrive, nil)
	case evContact:
		w.desk.step(e, dispatch.EventContact, nil)
	case evBoard:
		w.rides.board(e)
	case evStop:
		w.rides.stopDone(e)
	case evFinish:
		w.rides.finish(e)
	case evNoShow:
		w.rides.noShow(e)
	case evDrop, evBreakdown:
		w.rides.drop(e)
	case evCancel:
		w.rides.cancelByPassenger(e)
	case evScript:
		w.operator.playScript(e)
	default:
		w.happenInTown(e)
	}
}

// happenInTown executes an event that belongs to no journey.
func (w *core) happenInTown(e event) {
	switch e.kind {
	case evOnDuty:
		w.roster.onDuty(e.car)
	case evSweep:
		w.sweep()
	case evForget:
		w.forget()
	case evAssign:
		w.offers.assign()
	case evShift:
		w.roster.beginShift(e.car)
	case evShiftEnds:
		w.roster.endShift(e.car)
	case evBreak:
		w.roster.takeBreak(e.car)
	case evDemand:
		w.bookForResident()
	}
}

// Transition is one change of a journey: of its status, or by an edit.
type Transition struct {
	Seq       uint64 // 1, 2, 3, … without gaps in one world
	At        time.Time
	Journey   taxi.JourneyID
	Event     dispatch.Event
	From, To  taxi.Status // From is [dispatch.Unbooked] for a new journey
	VehicleID string      // the car that has the journey, or has just lost it; "" if there is none
	Resident  bool        // a resident of the town has just booked it, see [Options].Demand
}
