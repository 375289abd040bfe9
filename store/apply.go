package store

import (
	"context"
	"fmt"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Apply makes one change. It runs fn under the store's write lock, so that a rule and
// its changes are one unit. If fn returns an error, nothing has changed and Apply
// returns that error as it is. If fn returns nil, every reader and every later change
// sees its changes at once, and they are on their way to the disk. Acknowledge
// nothing to the outside before [Ticket.Wait] has returned nil.
//
// fn must be quick, must not block, and must not call the store except through
// its Tx. A record that is not in memory is read from the disk under the lock,
// some tens of microseconds: read it first with the store's own methods where
// that is likely.
//
// An fn that changed nothing gets the ticket of the latest change before it, so that
// a repeated answer waits for what it repeats. While the disk fails,
// while as many records wait for it as [Options].Queue allows, and after Close,
// Apply returns an error wrapping [ErrUnavailable] without running fn.
func (s *Store) Apply(fn func(*Tx) error) (Ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refusal(); err != nil {
		return Ticket{}, err
	}
	if err := s.run(fn); err != nil {
		return Ticket{}, err
	}
	return s.enqueue(), nil
}

// Update is Apply and Wait in one: when it returns nil the change is durable.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	ticket, err := s.Apply(fn)
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// UpdateJourney changes one journey durably. fn gets a copy under the same rules
// as one from [Tx.Journey].
func (s *Store) UpdateJourney(ctx context.Context, id taxi.JourneyID, fn func(*Journey) error) error {
	if _, err := s.Journey(ctx, id); err != nil { // into memory, outside the lock
		return err
	}
	return s.Update(ctx, func(tx *Tx) error {
		j, err := tx.Journey(id)
		if err != nil {
			return err
		}
		if err := fn(j); err != nil {
			return err
		}
		tx.PutJourney(j)
		return nil
	})
}

// run runs fn, and undoes what it did if it fails or panics.
func (s *Store) run(fn func(*Tx) error) error {
	tx := &s.tx
	tx.serial, tx.latest = s.serial, s.latest
	done := false
	defer func() {
		if !done {
			s.rollback()
		}
		tx.end()
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if tx.err != nil {
		return tx.err
	}
	done = true
	for _, j := range tx.created {
		s.recent.add(j)
	}
	return nil
}

func (s *Store) rollback() {
	s.journeys.rollback()
	s.users.rollback()
	s.replies.rollback()
	s.meta.rollback()
	s.serial, s.latest = s.tx.serial, s.tx.latest
}

// enqueue queues what the change did for the disk, and returns the ticket of the group
// that will write it.
func (s *Store) enqueue() Ticket {
	queue := s.disk != nil
	changed := s.journeys.commit(queue) + s.users.commit(queue) + s.replies.commit(queue) + s.meta.commit(queue)
	if changed > 0 && queue {
		if s.open == nil {
			s.open = newGroup(s)
		}
		s.last = s.open
		signal(s.changed)
		if s.queued() >= s.maxQueued/2 {
			s.wakeCommitter()
		}
	}
	return Ticket{s.last}
}

// Ticket waits for a change to become durable. The zero Ticket is of a change that is
// durable already.
type Ticket struct{ group *group }

// Wait returns nil as soon as the change is durable. It returns an error wrapping
// [ErrUnknown] if the disk refused, then with [ErrUnavailable], or if ctx ends first,
// then with ctx's error: the change stays applied and may become durable later.
func (t Ticket) Wait(ctx context.Context) error {
	if t.group == nil {
		return nil
	}
	select {
	case <-t.group.done: // known already, even if ctx has ended
		return t.group.err
	default:
		t.group.store.wakeCommitter()
	}
	select {
	case <-t.group.done:
		return t.group.err
	case <-ctx.Done():
		return fmt.Errorf("%w: waiting for the disk: %w", ErrUnknown, ctx.Err())
	}
}
