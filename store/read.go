package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Journey returns the latest version of a journey, or [ErrNotFound].
func (s *Store) Journey(ctx context.Context, id taxi.JourneyID) (*Snapshot, error) {
	snap, err := read(ctx, s, &s.journeys, id)
	if err != nil {
		return nil, fmt.Errorf("journey %s: %w", id, err)
	}
	return snap, nil
}

// User returns a user, or [ErrNotFound]. It is shared and must not be changed.
func (s *Store) User(ctx context.Context, id taxi.UserID) (*User, error) {
	u, err := read(ctx, s, &s.users, id)
	if err != nil {
		return nil, fmt.Errorf("user %s: %w", id, err)
	}
	return u, nil
}

// UserByPhone returns the user with a number, with or without its plus sign, or
// [ErrNotFound]. It is shared and must not be changed.
func (s *Store) UserByPhone(ctx context.Context, number taxi.E164) (*User, error) {
	u, err := s.userByPhone(ctx, number.Digits())
	if err != nil {
		return nil, numberError{number, err}
	}
	return u, nil
}

func (s *Store) userByPhone(ctx context.Context, digits taxi.E164) (*User, error) {
	s.mu.RLock()
	slot, complete, epoch := s.phones[digits], s.users.complete, s.epoch
	var u *User
	if slot != nil {
		u = slot.now
	}
	s.mu.RUnlock()
	if u != nil {
		return u, nil
	}
	if complete {
		return nil, ErrNotFound
	}
	u, err := s.disk.userByPhone(ctx, digits)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.currentByPhone(u, digits, s.epoch == epoch)
}

// currentByPhone returns the user with a number, given the one that the disk has for it.
// Memory is newer than the disk, so the number may now belong to another user. The write
// lock is held.
func (s *Store) currentByPhone(u *User, digits taxi.E164, fresh bool) (*User, error) {
	if slot := s.phones[digits]; slot != nil {
		return slot.now, nil
	}
	switch slot := s.users.get(u.UserID); {
	case slot != nil: // in memory, with another number
		return nil, ErrNotFound
	case fresh:
		s.users.cache(u.UserID, u)
	}
	return u, nil
}

// Live returns a user's journeys that have not ended, ordered by pickup time and
// then by Serial.
func (s *Store) Live(_ context.Context, user taxi.UserID) []*Snapshot {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.liveOf(user)
}

func (s *Store) liveOf(user taxi.UserID) []*Snapshot {
	var live []*Snapshot
	for slot := s.live[user]; slot != nil; slot = slot.next {
		live = append(live, slot.now.markShared())
	}
	slices.SortFunc(live, byPickup)
	return live
}

// LatestUpdate returns the newest UpdatedAt of any journey ever stored, where a restarted
// world continues; zero if there was none.
func (s *Store) LatestUpdate(context.Context) time.Time {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.latest
}

// Meta returns the fact about the world that [Store.SetMeta] stored under a key; false: there is none.
func (s *Store) Meta(key string) (value string, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if slot := s.meta.get(key); slot != nil {
		return slot.now.value, true
	}
	return "", false
}

// SetMeta stores one fact about the world under a key, and waits until it is durable.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	ticket, err := s.QueueMeta(key, value)
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// QueueMeta is [Store.SetMeta] without waiting: the fact becomes durable before any later change.
func (s *Store) QueueMeta(key, value string) (Ticket, error) {
	return s.Apply(func(*Tx) error {
		s.meta.put(key, &metaEntry{key, value})
		return nil
	})
}

// read returns a record from memory, or else from the disk. It caches the latter, unless
// there was a commit in between that may have changed it.
func read[K comparable, R any](ctx context.Context, s *Store, t *table[K, R], k K) (*R, error) {
	s.mu.RLock()
	var r *R
	if slot := t.get(k); slot != nil {
		r = slot.now
		if t.onRead != nil {
			t.onRead(r)
		}
	}
	complete, epoch := t.complete, s.epoch
	s.mu.RUnlock()
	if r != nil {
		return r, nil
	}
	if complete {
		return nil, ErrNotFound
	}
	r, err := t.load(ctx, k)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slot := t.get(k); slot != nil {
		return slot.now, nil
	}
	if s.epoch == epoch {
		t.cache(k, r)
	}
	return r, nil
}
