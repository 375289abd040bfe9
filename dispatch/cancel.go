package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Cancel answers /cancel. A journey that is already cancelled gets the same
// answer again. One with the passenger on board, or complete, is refused.
func (s *Service) Cancel(ctx context.Context, r taxi.JourneyRef) (taxi.Journey, error) {
	return s.cancel(ctx, r, &fieldErrors{})
}

func (s *Service) cancel(ctx context.Context, r taxi.JourneyRef, f *fieldErrors) (taxi.Journey, error) {
	f.ref(r)
	if err := f.err(); err != nil {
		return taxi.Journey{}, err
	}
	j, ticket, err := s.cancelTurn(r)
	if err != nil {
		return taxi.Journey{}, fmt.Errorf("cancel journey %s: %w", r.JourneyID, err)
	}
	return j, ticket.Wait(ctx)
}

// cancelTurn executes a /cancel within one turn; waiting for the disk comes after it.
func (s *Service) cancelTurn(r taxi.JourneyRef) (cancelled taxi.Journey, ticket store.Ticket, err error) {
	now, leave := s.enter()
	defer leave()
	ticket, err = s.apply(func(tx *txn) error {
		j, err := ownedBy(tx, r.UserID, r.JourneyID)
		if err != nil {
			return err
		}
		if j.Status != taxi.Cancelled {
			if err := tx.cancelNow(now, j); err != nil {
				return err
			}
		}
		cancelled = s.shown(j)
		return nil
	})
	return cancelled, ticket, err
}

// cancelNow cancels a journey, or returns why it can no longer be cancelled. The fee for a
// late cancellation is an effect in the table of [Transitions].
func (tx *txn) cancelNow(now time.Time, j *store.Journey) error {
	s := tx.service
	if j.Status == taxi.Arrived && s.policy.RefuseLate {
		return withJourney(refuse(taxi.CodeCancelRefused, "the car is at the door"), j)
	}
	err := tx.move(now, j, Step{Event: EventCancel})
	switch {
	case !errors.Is(err, ErrVoid):
		return err
	case j.Status == taxi.POB:
		return withJourney(refuse(taxi.CodeJourneyInProgress, "the passenger is on board"), j)
	default:
		return withJourney(refuse(taxi.CodeJourneyClosed, "the journey is complete"), j)
	}
}

// ownedBy returns a journey that belongs to a user, to be changed; otherwise the error says that there is none.
func ownedBy(tx *txn, user taxi.UserID, id taxi.JourneyID) (*store.Journey, error) {
	j, err := tx.Journey(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (j.UserID != user || tx.service.forgetsJourney(j)) {
		return nil, journeyNotFound()
	}
	return j, err
}
