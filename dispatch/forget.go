package dispatch

import (
	"context"
	"time"

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

// forgetsJourney reports whether a journey counts as deleted.
func (s *Service) forgetsJourney(j *store.Journey) bool {
	return j.Status.Terminal() && j.UpdatedAt.Before(s.forgotten.Load().Journeys)
}

// forgetsUser reports whether a user counts as deleted. A zero SeenAt is set by
// [Service.ForgetUser].
func (s *Service) forgetsUser(u *store.User) bool {
	return u.SeenAt.IsZero() || u.SeenAt.Before(s.forgotten.Load().Users)
}

// known returns a user from a lookup, unless the user is forgotten.
func (s *Service) known(u *store.User, err error) (*store.User, error) {
	if err == nil && s.forgetsUser(u) {
		return nil, store.ErrNotFound
	}
	return u, err
}

// see updates a user's SeenAt: to now, or to the time of a booking ahead.
func (tx *txn) see(u *store.User, now, until time.Time) {
	if until.Before(now) {
		until = now
	}
	if until.Sub(u.SeenAt) > seenEvery {
		seen := *u
		seen.SeenAt = until
		tx.PutUser(&seen)
	}
}
