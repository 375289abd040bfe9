package booking

import (
	"context"
	"errors"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
)

// Cancelled is the result of a cancellation.
type Cancelled string

// The results of a cancellation.
const (
	CancelDone    Cancelled = "cancelled" // the third party returned CANCELLED
	CancelRefused Cancelled = "refused"   // the taxi still comes
	CancelUnsure  Cancelled = "unsure"    // the result is unknown; a person must check
)

// Cancel cancels a journey. It calls /cancel once; if the result is unknown, it reads the
// customer's active bookings and the journey's status.
func (v *Visit) Cancel(ctx context.Context, j operations.Journey) Cancelled {
	ctx, cancel := v.within(ctx)
	defer cancel()
	v.read = nil // it may have changed
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
		return CancelUnsure // the response was invalid: a further request would only be a guess
	}
	return v.look(ctx, j)
}

// look finds out whether a journey was cancelled although /cancel returned no valid response.
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
