package dispatch

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Sweep handles missed timers, for example after a restart: it releases held bookings that
// are due, and ends searches that have timed out. It must be called within a
// turn.
func (s *Service) Sweep(now time.Time) error {
	live := s.records.AllLive()
	journeys := make([]*store.Journey, len(live))
	for i, snap := range live {
		journeys[i] = snap.Journey
	}
	return s.SweepAmong(now, journeys)
}

// SweepAmong is Sweep for some journeys, given in their present state.
func (s *Service) SweepAmong(now time.Time, journeys []*store.Journey) error {
	var missed []*store.Journey // usually none
	for _, j := range journeys {
		if _, due := s.overdue(now, j); due {
			missed = append(missed, j)
		}
	}
	slices.SortFunc(missed, func(a, b *store.Journey) int { return cmp.Compare(a.Serial, b.Serial) })
	var all error
	for _, j := range missed {
		ev, due := s.overdue(now, j)
		if !due || s.suspended != nil && s.suspended(j) {
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
