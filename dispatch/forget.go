package dispatch

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// seenEvery is the precision of a user's SeenAt, so that not every booking writes its
// user.
const seenEvery = 24 * time.Hour

// Never is the SeenAt of a [store.User] who is never forgotten.
var Never = time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC)

// Forget marks as deleted the journeys that ended longer ago than Policy.Retention, users
// without journeys since then, and answers older than Policy.KeepReplies. It must be called
// within a turn. From then on they are not found, even before [Service.Prune] deletes them.
func (s *Service) Forget(now time.Time) {
	s.forgotten.Store(&store.Before{
		Journeys: now.Add(-s.policy.Retention),
		Replies:  now.Add(-s.policy.KeepReplies),
		Users:    now.Add(-s.policy.Retention - 2*seenEvery),
	})
}

// Prune deletes forgotten records, outside all turns. It returns the number of deleted
// journeys.
func (s *Service) Prune(ctx context.Context) (int, error) {
	return s.records.Prune(ctx, *s.forgotten.Load())
}

// forgetsJourney reports whether a journey ended so long ago that it counts as deleted.
func (s *Service) forgetsJourney(j *store.Journey) bool {
	return j.Status.Terminal() && j.UpdatedAt.Before(s.forgotten.Load().Journeys)
}

// forgetsUser reports whether a user counts as deleted. A zero SeenAt is set by
// [Service.ForgetUser].
func (s *Service) forgetsUser(u *store.User) bool {
	return u.SeenAt.IsZero() || u.SeenAt.Before(s.forgotten.Load().Users)
}

// known returns the user that a lookup found, or [store.ErrNotFound] if the user is forgotten.
func (s *Service) known(u *store.User, err error) (*store.User, error) {
	if err == nil && s.forgetsUser(u) {
		return nil, store.ErrNotFound
	}
	return u, err
}

// updateSeenAt updates a user's SeenAt: to now, or to the time of a booking ahead.
func (tx *txn) updateSeenAt(u *store.User, now, until time.Time) {
	if until.Before(now) {
		until = now
	}
	if until.Sub(u.SeenAt) > seenEvery {
		seen := *u
		seen.SeenAt = until
		tx.PutUser(&seen)
	}
}

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

// SweepAmong is [Service.Sweep] for some journeys, given in their present state.
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

// overdue returns the event that should have happened to a journey by now; false: there is none.
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
