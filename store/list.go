package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// pageSize is how many records are listed under one lock. Changes wait about a millisecond
// while a page is read.
const pageSize = 128

// AllLive returns every journey that has not ended, ordered by Serial.
func (s *Store) AllLive() []*Snapshot {
	s.mu.RLock()
	all := make([]*Snapshot, 0, len(s.live))
	for _, slot := range s.live {
		for ; slot != nil; slot = slot.next {
			all = append(all, slot.now.markShared())
		}
	}
	s.mu.RUnlock()
	slices.SortFunc(all, func(a, b *Snapshot) int { return cmp.Compare(a.Serial, b.Serial) })
	return all
}

// Journeys returns the latest journeys, the newest first: at most limit of them, or all if
// limit is 0. Each is as it was at some time during the call.
func (s *Store) Journeys(ctx context.Context, limit int) ([]*Snapshot, error) {
	return s.JourneysBelow(ctx, math.MaxInt64, limit)
}

// JourneysBelow is [Store.Journeys] for journeys with a Serial less than below.
func (s *Store) JourneysBelow(ctx context.Context, below uint64, limit int) ([]*Snapshot, error) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	var all []*Snapshot
	for below > 0 && len(all) < limit {
		rows, floor, err := s.journeysBelow(ctx, below)
		if err != nil {
			return nil, fmt.Errorf("list journeys: %w", err)
		}
		slices.SortFunc(rows, func(a, b *Snapshot) int { return cmp.Compare(b.Serial, a.Serial) })
		all = append(all, rows...)
		below = floor
	}
	return all[:min(limit, len(all))], nil
}

// journeysBelow returns the journeys with serials from floor up to below, unordered; floor
// is 0 for the last page.
func (s *Store) journeysBelow(ctx context.Context, below uint64) (rows []*Snapshot, floor uint64, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var p page[Snapshot]
	if s.disk != nil {
		if p, err = s.disk.journeysBelow(ctx, below, pageSize); err != nil {
			return nil, 0, err
		}
		s.logDamaged(p.damaged)
	}
	if p.read == pageSize {
		floor = p.last.Serial
	}
	within := func(snap *Snapshot) bool { return floor <= snap.Serial && snap.Serial < below }
	return overlay(p.rows, &s.journeys, func(snap *Snapshot) taxi.JourneyID { return snap.JourneyID }, within), floor, nil
}

// Users returns every user, ordered by id. Each is as it was at some time during the call,
// is shared, and must not be changed.
func (s *Store) Users(ctx context.Context) ([]*User, error) {
	var all []*User
	for after, more := taxi.UserID(""), true; more; {
		var rows []*User
		var err error
		if rows, after, more, err = s.usersAfter(ctx, after); err != nil {
			return nil, fmt.Errorf("list users: %w", err)
		}
		slices.SortFunc(rows, func(a, b *User) int { return cmp.Compare(a.UserID, b.UserID) })
		all = append(all, rows...)
	}
	return all, nil
}

// usersAfter returns the next users, unordered, the last id read, and whether there are
// more.
func (s *Store) usersAfter(ctx context.Context, after taxi.UserID) (rows []*User, last taxi.UserID, more bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var p page[User]
	if s.disk != nil {
		if p, err = s.disk.usersAfter(ctx, after, pageSize); err != nil {
			return nil, "", false, err
		}
		s.logDamaged(p.damaged)
	}
	within := func(u *User) bool { return after < u.UserID }
	if more = p.read == pageSize; more {
		last = p.last.UserID
		within = func(u *User) bool { return after < u.UserID && u.UserID <= last }
	}
	return overlay(p.rows, &s.users, func(u *User) taxi.UserID { return u.UserID }, within), last, more, nil
}

// overlay replaces rows from the disk with their versions in memory, and adds the records of
// the range that are only in memory.
func overlay[K comparable, R any](rows []*R, t *table[K, R], key func(*R) K, within func(*R) bool) []*R {
	onDisk := make(map[K]bool, len(rows))
	for i, r := range rows {
		onDisk[key(r)] = true
		if s := t.peek(key(r)); s != nil {
			rows[i] = t.read(s)
		}
	}
	for k, s := range t.held {
		if !onDisk[k] && within(s.now) {
			rows = append(rows, t.read(s))
		}
	}
	return rows
}
