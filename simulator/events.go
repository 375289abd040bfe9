package simulator

import (
	"github.com/cabrank/cabrank/dispatch"
)

// happen executes an event.
func (w *World) happen(e event) {
	if !w.jobs.current(&e) {
		return
	}
	switch e.kind {
	case evRelease:
		w.step(e, dispatch.EventRelease, nil)
	case evOffer:
		w.offer(e)
	case evAccept:
		w.accept(e)
	case evRefuse:
		w.step(e, dispatch.EventReoffer, nil)
	case evSetOff:
		w.setOff(e)
	case evArrive:
		w.step(e, dispatch.EventArrive, nil)
	case evContact:
		w.step(e, dispatch.EventContact, nil)
	case evBoard:
		w.board(e)
	case evStop:
		w.stopDone(e)
	case evFinish:
		w.finish(e)
	case evNoShow:
		w.noShow(e)
	case evDrop, evBreakdown:
		w.drop(e)
	case evCancel:
		w.cancelByPassenger(e)
	case evScript:
		w.playScript(e)
	default:
		w.happenInTown(e)
	}
}

// happenInTown executes an event that belongs to no journey.
func (w *World) happenInTown(e event) {
	switch e.kind {
	case evOnDuty:
		w.onDuty(e.car)
	case evSweep:
		w.sweep()
	case evForget:
		w.forget()
	case evAssign:
		w.assign()
	case evShift:
		w.beginShift(e.car)
	case evShiftEnds:
		w.endShift(e.car)
	case evBreak:
		w.takeBreak(e.car)
	case evDemand:
		w.bookForResident()
	}
}
