package simulator

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// reroute is which way an edit sends a job's car, if any. It only says so: the car
// turns when the edit stands.
func (w *World) reroute(before, after *store.Journey) *store.Leg {
	n, ok := w.jobs.of(after.JourneyID)
	if !ok {
		return nil
	}
	edited := w.jobs.all[n] // a copy
	edited.journey, edited.directed, edited.pickup = after, directed(after), SpotOf(*after.Pickup.Location)
	switch {
	case after.Status == taxi.EnRoute && moved(before, after):
		return w.leg(&edited, edited.pickup)
	case after.Status == taxi.POB && redirected(before, after):
		w.clockUp(&edited)
		edited.stop = stopsDone(before.Dropoffs, after.Dropoffs, edited.stop)
		return w.leg(&edited, w.dropoff(&edited, edited.stop))
	default:
		return nil
	}
}

// stopsDone is how many drop-offs are done after an edit on board: what has been
// reached and still begins the list stays done.
func stopsDone(before, after []taxi.Address, reached int) int {
	done := 0
	for done < min(reached, len(after)-1) && sameStop(after[done], before[done]) {
		done++
	}
	return done
}

// retarget turns a job's car with the passenger as [World.reroute] said.
func (w *World) retarget(j *job) {
	leg := j.journey.Leg
	j.stop = leg.Stop
	j.meter.set(leg.Meter)
	w.send(j.car, SpotOf(leg.To))
}

// moved reports whether an edit changed when or where the car has to be.
func moved(before, after *store.Journey) bool {
	return !before.Date.Equal(after.Date.Time) || !sameStop(*before.Pickup, *after.Pickup)
}

// redirected reports whether an edit changed where the passenger is taken.
func redirected(before, after *store.Journey) bool {
	return !slices.EqualFunc(before.Dropoffs, after.Dropoffs, sameStop)
}
