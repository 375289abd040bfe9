package store

import (
	"context"
	"fmt"
)

// Apply makes one change. It runs fn under the store's write lock, so that a rule and its
// changes are one transaction. If fn returns an error, nothing has changed and Apply
// returns that error unchanged. If fn returns nil, every reader and every later change
// sees its changes at once, and they are queued for the disk. Do not acknowledge the
// change to a client before [Ticket.Wait] has returned nil.
//
// fn must be fast, must not block, and must call the store only through its Tx. A record
// that is not in memory is read from the disk under the lock, which takes some tens of
// microseconds; if that is likely, read it before with the store's own methods.
//
// If fn changes nothing, Apply returns the ticket of the latest change before it, so that
// a repeated answer waits for the change that it repeats. While the disk fails, while the
// queue is full ([Options].Queue), and after Close, Apply returns an error wrapping
// [ErrUnavailable] without running fn.
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

// Update is [Store.Apply] followed by [Ticket.Wait]: when it returns nil, the change is durable.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	ticket, err := s.Apply(fn)
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// run runs fn, and undoes its changes if it fails or panics.
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

// enqueue queues the records of a change for the disk, and returns the ticket of the group
// that will write them.
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

// Ticket waits for a change to become durable. The zero Ticket is for a change that is
// already durable.
type Ticket struct{ group *group }

// Wait returns nil as soon as the change is durable. Otherwise it returns an error wrapping
// [ErrUnknown], and [ErrUnavailable] if the disk failed, or ctx's error if ctx ended first:
// the change stays applied and may become durable later.
func (t Ticket) Wait(ctx context.Context) error {
	if t.group == nil {
		return nil
	}
	select {
	case <-t.group.done: // already known, even if ctx has ended
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
