package simulator

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// reroute returns the drive on which an edit sends a job's car; nil: the car goes on.
// It changes nothing: the car turns when the edit is final.
func (w *World) reroute(before, after *store.Journey) *store.Drive {
	n, ok := w.jobs.of(after)
	if !ok {
		return nil
	}
	edited := w.jobs.all[n] // a copy
	edited.journey, edited.asDirected, edited.pickup = after, asDirected(after), SpotOf(*after.Pickup.Location)
	switch {
	case after.Status == taxi.EnRoute && moved(before, after):
		return w.newDrive(&edited, edited.pickup)
	case after.Status == taxi.POB && redirected(before, after):
		w.addToMeter(&edited)
		edited.stop = stopsDone(before.Dropoffs, after.Dropoffs, edited.stop)
		return w.newDrive(&edited, w.dropoff(&edited, edited.stop))
	default:
		return nil
	}
}

// stopsDone is how many drop-offs are done after an edit on board: those that were
// done and still begin the list.
func stopsDone(before, after []taxi.Address, reached int) int {
	done := 0
	for done < min(reached, len(after)-1) && sameStop(after[done], before[done]) {
		done++
	}
	return done
}

// retarget sends a job's car with the passenger onto the drive that was stored, and has
// the meter show what was stored with it.
func (w *World) retarget(j *job) {
	drive := j.journey.Drive
	j.stop = drive.Stop
	j.meter.Set(drive.Meter)
	w.sendCar(j.car, SpotOf(drive.To))
}

// moved reports whether an edit changed when or where the car has to be.
func moved(before, after *store.Journey) bool {
	return !before.Date.Equal(after.Date.Time) || !sameStop(*before.Pickup, *after.Pickup)
}

// redirected reports whether an edit changed where the passenger is taken.
func redirected(before, after *store.Journey) bool {
	return !slices.EqualFunc(before.Dropoffs, after.Dropoffs, sameStop)
}
