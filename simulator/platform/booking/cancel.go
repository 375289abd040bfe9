package booking

import (
	"context"
	"errors"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
)

// Cancelled is what became of a cancellation.
type Cancelled string

// What becomes of a cancellation.
const (
	CancelDone    Cancelled = "cancelled" // the third party says CANCELLED
	CancelRefused Cancelled = "refused"   // the taxi still comes
	CancelUnsure  Cancelled = "unsure"    // nobody knows; a person has to look
)

// Cancel cancels a journey. The third party is asked once: when it is not known
// what came of it, the customer's active bookings and the journey's status tell.
func (v *Visit) Cancel(ctx context.Context, j operations.Journey) Cancelled {
	ctx, cancel := v.within(ctx)
	defer cancel()
	v.read = nil // it may not be so any more
	answer, err := v.party.Cancel(ctx, v.User.Ref, j.Ref)
	if err == nil {
		if answer.Status == taxi.Cancelled {
			return CancelDone
		}
		return CancelRefused
	}
	if f, ok := errors.AsType[*operations.Failure](err); ok && f.Outcome == operations.NotDone {
		return CancelRefused
	}
	if errors.Is(err, operations.ErrForeign) || errors.Is(err, operations.ErrIncomplete) {
		return CancelUnsure // it has answered, and not what it did: asking on would be guessing
	}
	return v.look(ctx, j)
}

// look finds out what became of a cancellation that was not answered.
func (v *Visit) look(ctx context.Context, j operations.Journey) Cancelled {
	user, err := v.party.User(ctx, v.Number)
	if err != nil {
		return CancelUnsure
	}
	for _, active := range user.Active {
		if active.Ref.Is(j.Ref) {
			return CancelRefused
		}
	}
	if now, err := v.party.Status(ctx, v.User.Ref, j.Ref); err == nil && now.Status == taxi.Cancelled {
		return CancelDone
	}
	return CancelUnsure
}
