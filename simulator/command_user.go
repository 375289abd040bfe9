package simulator

import (
	"context"
	"errors"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

type putUserOrder struct {
	User   string              `json:"user"` // id or phone number
	Change dispatch.UserChange `json:"change"`

	after taxi.EndUser
	isNew bool
}

func (*putUserOrder) name() string { return "put-user" }

// PutUser changes the user with an id or a phone number, and makes one for a number that
// nobody has.
func (w *World) PutUser(ctx context.Context, user string, c dispatch.UserChange) (after taxi.EndUser, created bool, err error) {
	o := &putUserOrder{User: user, Change: c}
	err = w.obey(ctx, o, nil)
	return o.after, o.isNew, err
}

func (o *putUserOrder) carryOut(_ context.Context, w *World) (out outcome, err error) {
	if s := o.Change.Status; s != "" && !s.Known() {
		return out, refuse(RefusedInvalid, "/status", "%q is none of ENABLED, DISABLED and BLACKLISTED", s)
	}
	o.after, o.isNew, out.ticket, err = w.service.PutUser(w.now.time(), o.User, o.Change)
	out.user = o.after.UserID
	return out, refusedUser(err)
}

type forgetUserOrder struct {
	User string `json:"user"` // id or phone number
}

func (*forgetUserOrder) name() string { return "forget-user" }

// ForgetUser forgets the user with an id or a phone number, as if there had never been
// one. Somebody with journeys under way or booked ahead is not forgotten.
func (w *World) ForgetUser(ctx context.Context, user string) error {
	return w.obey(ctx, &forgetUserOrder{user}, nil)
}

func (o *forgetUserOrder) carryOut(_ context.Context, w *World) (out outcome, err error) {
	out.user, out.ticket, err = w.service.ForgetUser(o.User)
	return out, refusedUser(err)
}

// refusedUser is an error about a user as a refusal, where it is one. It repeats no number.
func refusedUser(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return unknown(OfUser, "", "nobody has this id or number")
	case errors.Is(err, dispatch.ErrUserHasJourneys):
		return refuse(RefusedConflict, "", "%s", dispatch.ErrUserHasJourneys)
	default:
		return err
	}
}
