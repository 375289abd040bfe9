package simulator

import (
	"errors"
	"log/slog"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/store"
)

// What may happen in a world.
const (
	evRelease   eventKind = iota // a held booking is released
	evOffer                      // a driver is to be asked
	evAccept                     // the driver asked says yes
	evRefuse                     // … says no, or nothing
	evSetOff                     // the driver sets off for the pickup
	evArrive                     // the car is at the pickup
	evContact                    // the driver rings the passenger
	evBoard                      // the passenger is in
	evStop                       // a drop-off on the way is done
	evFinish                     // the last one is
	evNoShow                     // the driver has waited long enough
	evDrop                       // the driver gives the job back
	evBreakdown                  // the car breaks down
	evCancel                     // the passenger cancels
	evOnDuty                     // a car that was off duty is back
	evSweep                      // held and waiting journeys are checked
	evForget                     // old journeys are forgotten
	evAssign                     // the jobs of an interval are assigned
	evShift                      // a driver's shift begins
	evShiftEnds                  // … ends
	evBreak                      // … is half over
	evDemand                     // a resident books
	evScript                     // the next step of a journey's script is due
)

// happen makes an event happen.
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
		w.step(e, dispatch.EventNoShow, nil)
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

// happenInTown makes an event happen that belongs to no journey.
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

// schedule plans an event of a job. It is void when the job's plan changes.
func (w *World) schedule(at moment, kind eventKind, n, car int32) {
	w.plan(event{at: at, stamp: w.jobs.all[n].stamp, kind: kind, job: n, car: car})
}

// plan puts an event into the queue. Nothing is planned for the past.
func (w *World) plan(e event) {
	w.seq++
	e.seq = w.seq
	e.at = max(e.at, w.now)
	if !w.parkNew(e) {
		w.queue.push(e)
	}
}

// storeRetry is when an event is tried again that could not be stored.
const storeRetry = 5 * time.Second

// step moves a journey along the table of transitions, and reports whether it did.
// An event without a row is void. An event that could not be stored is tried again, so
// set changes nothing of the world: what follows from the change is done by
// [World.follow], when nothing can undo it any more. The step of an order is not tried
// again: whoever gave it is told.
// A journey whose booking was never stored is dropped.
func (w *World) step(e event, ev dispatch.Event, set func(*store.Journey)) bool {
	j := &w.jobs.all[e.job]
	step := dispatch.Step{Journey: j.journey.JourneyID, Event: ev, Offered: j.journey.Revision, Set: set}
	if w.commanded != nil {
		step.Forced, step.To = w.commanded.forced, w.commanded.to
	}
	_, err := w.service.Advance(w.now.time(), step)
	switch {
	case err == nil:
		return true
	case w.commanded != nil:
		w.commanded.err = err
	case errors.Is(err, dispatch.ErrVoid):
		w.counts.voided++
		w.log.Debug("event is void", slog.Any("reason", err))
	case errors.Is(err, store.ErrNotFound):
		w.freeCar(e.job)
		w.jobs.close(e.job)
	default:
		w.log.Warn("event could not be stored", slog.Any("error", err))
		e.at = w.now.add(storeRetry)
		w.plan(e)
	}
	return false
}
