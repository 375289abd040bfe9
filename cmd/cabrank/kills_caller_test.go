//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// caller books, cancels and asks, one thing after another, and remembers what it was
// told.
type caller struct {
	number int
	chance *rand.Rand
	known  *ledger

	now    func() (time.Time, bool) // on the clock of its world; false: no answer
	client *taxi.Client
	booked int // how many it asked for
	live   []*booking
	ended  []*booking
	// cancelled are those of ended that it cancelled itself.
	cancelled []*booking
	open      func(context.Context) error // what it asked for and got no answer to; nil: nothing
}

// booking is one booking as its caller knows it.
type booking struct {
	request taxi.BookRequest // nobody else's passenger has this name
	key     string           // the Idempotency-Key; "": none
	id      taxi.JourneyID
	user    taxi.UserID
}

// passenger begins the name of each passenger of a campaign.
const passenger = "Passenger "

// errGone means that the server does not answer any more.
var errGone = errors.New("the server is gone")

// useUntilGone calls the server until it does not answer. before is called before each
// request.
func (c *caller) useUntilGone(before func()) error {
	for {
		before()
		if err := c.next(context.Background()); errors.Is(err, errGone) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// next does one thing that a voice platform does.
func (c *caller) next(ctx context.Context) error {
	n := c.chance.IntN(100)
	if len(c.live) == 0 || n < 45 {
		return c.try(ctx, c.book(c.newBooking()))
	}
	b := c.live[c.chance.IntN(len(c.live))]
	switch {
	case n < 70:
		return c.try(ctx, c.cancel(b))
	case n < 75: // a platform that sends an answered request again
		return c.try(ctx, c.sameAgain(b))
	case n < 85:
		return c.try(ctx, func(ctx context.Context) error { return c.compareUser(ctx, b.request.PhoneNumber) })
	default:
		return c.try(ctx, func(ctx context.Context) error { return c.compare(ctx, b) })
	}
}

// try does something, and keeps it to be done again if the server is gone meanwhile.
func (c *caller) try(ctx context.Context, do func(context.Context) error) error {
	err := do(ctx)
	if errors.Is(err, errGone) {
		c.open = do
	}
	return err
}

// lost returns errGone for an error that is not a refusal by the server.
func lost(err error) error {
	if _, refused := errors.AsType[*taxi.Problem](err); refused || err == nil {
		return err
	}
	return fmt.Errorf("%w: %w", errGone, err)
}

func (c *caller) newBooking() *booking {
	c.booked++
	places := fixtures.Places()
	from, to := places[c.chance.IntN(len(places)/2)].Address, places[len(places)-1].Address
	ahead := 2*time.Hour + time.Duration(c.chance.IntN(60))*time.Hour
	if c.chance.IntN(3) == 0 {
		ahead = 0
	}
	b := &booking{request: taxi.BookRequest{
		Name:        fmt.Sprintf(passenger+"%d of %d", c.booked, c.number),
		PhoneNumber: taxi.E164(fmt.Sprintf("+4420%d", 79_000_000+c.number*10_000+c.booked/20)),
		Pickup:      &from,
		Dropoffs:    []taxi.Address{to},
		PickupTime:  taxi.At(time.Now().Add(ahead).Truncate(time.Second)),
	}}
	if c.chance.IntN(2) == 0 {
		b.key = b.request.Name
	}
	return b
}

// book asks for a booking. Asked again with the same bytes it is the same booking.
func (c *caller) book(b *booking) func(context.Context) error {
	return func(ctx context.Context) error {
		now, answers := c.now()
		if !answers {
			return errGone
		}
		j, err := c.client.Book(b.context(ctx), b.request)
		if err := lost(err); err != nil {
			return fmt.Errorf("booking %s: %w", b.request.Name, err)
		}
		b.id = j.JourneyID
		if err := c.known.acknowledged(b.request.Name, j, now); err != nil {
			return err
		}
		c.live = append(c.live, b)
		return nil
	}
}

func (b *booking) context(ctx context.Context) context.Context {
	if b.key == "" {
		return ctx
	}
	return taxi.WithIdempotencyKey(ctx, b.key)
}

// sameAgain sends a booking again that was answered with a key.
func (c *caller) sameAgain(b *booking) func(context.Context) error {
	return func(ctx context.Context) error {
		if b.key == "" {
			return nil // its window may have passed
		}
		j, err := c.client.Book(b.context(ctx), b.request)
		if err := lost(err); err != nil {
			return err
		}
		if j.JourneyID != b.id {
			return fmt.Errorf("%s was %s and is %s when it is sent again", b.request.Name, b.id, j.JourneyID)
		}
		return nil
	}
}

// cancel cancels a booking; one that is over by now is refused.
func (c *caller) cancel(b *booking) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := c.identify(ctx, b); err != nil {
			return err
		}
		j, err := c.client.Cancel(ctx, taxi.JourneyRef{UserID: b.user, JourneyID: b.id})
		p, refused := errors.AsType[*taxi.Problem](err)
		switch over := refused && (p.Code == taxi.CodeJourneyInProgress || p.Code == taxi.CodeJourneyClosed); {
		case over:
			c.known.count(&c.known.refused)
		case err != nil:
			return fmt.Errorf("cancelling %s: %w", b.request.Name, lost(err))
		case j.Status != taxi.Cancelled:
			return fmt.Errorf("%s was cancelled and is %s", b.request.Name, j.Status)
		default:
			c.known.count(&c.known.cancelled)
			c.cancelled = append(c.cancelled, b)
		}
		c.live = slices.DeleteFunc(c.live, func(other *booking) bool { return other == b })
		c.ended = append(c.ended, b)
		return nil
	}
}

// identify asks for the id of a booking's user, which /cancel and /status want.
func (c *caller) identify(ctx context.Context, b *booking) error {
	if b.user != "" {
		return nil
	}
	u, err := c.client.User(ctx, taxi.UserRequest{PhoneNumber: b.request.PhoneNumber.Digits()})
	if err := lost(err); err != nil {
		return err
	}
	b.user = u.UserID
	return nil
}

// compare asks for a booking that was acknowledged.
func (c *caller) compare(ctx context.Context, b *booking) error {
	if err := c.identify(ctx, b); err != nil {
		return err
	}
	j, err := c.client.Status(ctx, taxi.JourneyRef{UserID: b.user, JourneyID: b.id})
	if err := lost(err); err != nil {
		return err
	}
	if j.JourneyID != b.id || j.Passenger == nil || j.Passenger.Name != b.request.Name {
		return fmt.Errorf("%s is not what was booked by %s", b.id, b.request.Name)
	}
	if slices.Contains(c.cancelled, b) && j.Status != taxi.Cancelled {
		return fmt.Errorf("%s was cancelled and is %s", b.id, j.Status)
	}
	return nil
}

// compareUser checks that the active journeys of a number have no duplicate.
func (c *caller) compareUser(ctx context.Context, number taxi.E164) error {
	u, err := c.client.User(ctx, taxi.UserRequest{PhoneNumber: number.Digits()})
	if err := lost(err); err != nil {
		return err
	}
	seen := map[string]taxi.JourneyID{}
	for _, j := range u.ActiveBookings {
		if other := seen[j.Passenger.Name]; other != "" {
			return fmt.Errorf("%s is booked twice, as %s and %s", j.Passenger.Name, other, j.JourneyID)
		}
		seen[j.Passenger.Name] = j.JourneyID
	}
	return nil
}

// askAgain asks for what got no answer.
func (c *caller) askAgain(ctx context.Context) error {
	if c.open == nil {
		return nil
	}
	if err := c.open(ctx); err != nil {
		return fmt.Errorf("asked again: %w", err)
	}
	c.open = nil
	c.known.count(&c.known.askedAgain)
	return nil
}

// settle compares a server that was started again with what its caller was told: the
// latest of it, and some of what is older. What got no answer is asked again.
func (c *caller) settle(ctx context.Context) error {
	if err := c.askAgain(ctx); err != nil {
		return err
	}
	for _, all := range [][]*booking{c.live, c.ended} {
		for i, b := range all {
			if i < len(all)-20 && c.chance.IntN(len(all)) > 10 {
				continue
			}
			if err := c.compare(ctx, b); err != nil {
				return err
			}
			if err := c.compareUser(ctx, b.request.PhoneNumber); err != nil {
				return err
			}
		}
	}
	return nil
}
