package dispatch

import (
	"errors"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Sweep does what a timer missed, as while the server was down: it releases held
// bookings that are due, and ends searches that have taken too long. It must be
// called within a turn.
func (s *Service) Sweep(now time.Time) error {
	var all error
	for _, j := range s.records.AllLive() {
		ev, due := s.overdue(now, j.Journey)
		if !due || s.suspended != nil && s.suspended(j.JourneyID) {
			continue
		}
		if _, err := s.Advance(now, Step{Journey: j.JourneyID, Event: ev}); err != nil && !errors.Is(err, ErrVoid) {
			all = errors.Join(all, err)
		}
	}
	return all
}

// overdue returns the event that should have happened to a journey by now, if any.
func (s *Service) overdue(now time.Time, j *store.Journey) (Event, bool) {
	switch j.Status {
	case taxi.Held:
		return EventRelease, !now.Before(s.policy.ReleaseAt(j))
	case taxi.Waiting:
		return EventNoDriver, !now.Before(s.policy.GiveUpAt(j))
	default:
		return "", false
	}
}
