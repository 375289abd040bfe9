package dispatch

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/store"
)

// seenEvery is how far a user's SeenAt may be from the truth, so that not every booking
// writes its user.
const seenEvery = 24 * time.Hour

// Never is a [store.User]'s SeenAt of somebody who is not forgotten.
var Never = time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC)

// Forget forgets journeys that ended longer ago than Policy.Retention, users who had
// none since, and answers older than Policy.KeepReplies. It must be called within a
// turn: from then on nobody finds them, whenever [Service.Prune] deletes them.
func (s *Service) Forget(now time.Time) {
	s.forgotten.Store(&store.Before{
		Journeys: now.Add(-s.policy.Retention),
		Replies:  now.Add(-s.policy.KeepReplies),
		Users:    now.Add(-s.policy.Retention - 2*seenEvery),
	})
}

// Prune deletes what has been forgotten, outside all turns. It returns the number of
// journeys deleted.
func (s *Service) Prune(ctx context.Context) (int, error) {
	return s.records.Prune(ctx, *s.forgotten.Load())
}

// forgetsJourney reports whether a journey counts as deleted.
func (s *Service) forgetsJourney(j *store.Journey) bool {
	return j.Status.Terminal() && j.UpdatedAt.Before(s.forgotten.Load().Journeys)
}

// forgetsUser reports whether a user counts as deleted. A user who was never seen was
// forgotten on purpose, see [Service.ForgetUser].
func (s *Service) forgetsUser(u *store.User) bool {
	return u.SeenAt.IsZero() || u.SeenAt.Before(s.forgotten.Load().Users)
}

// known returns a user who was looked up, unless they are forgotten.
func (s *Service) known(u *store.User, err error) (*store.User, error) {
	if err == nil && s.forgetsUser(u) {
		return nil, store.ErrNotFound
	}
	return u, err
}

// see notes until when a user matters at least: now, or as long as they have booked
// ahead.
func (s *Service) see(tx *txn, u *store.User, now, until time.Time) {
	if until.Before(now) {
		until = now
	}
	if until.Sub(u.SeenAt) > seenEvery {
		seen := *u
		seen.SeenAt = until
		tx.PutUser(&seen)
	}
}
