package store

import (
	"context"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Before contains the times before which records of each kind are too old. A zero time keeps all records of a kind.
type Before struct {
	Journeys time.Time // those that ended and were last updated before
	Replies  time.Time // those given before
	Users    time.Time // those last seen before; they have no journey under way
}

// prunePage is how many records of each kind are deleted in one transaction.
// Commits wait for it, a few milliseconds.
const prunePage = 256

// Prune deletes old records, page by page, while other records can be read and changed; each
// page is short, and the log of the database is emptied in between. A record that is changed
// meanwhile is not deleted. It returns how many journeys it deleted, even if ctx ends early.
// Serials are not used again.
func (s *Store) Prune(ctx context.Context, before Before) (int, error) {
	if s.disk == nil {
		return s.pruneMemory(before), nil
	}
	// Changed records must be on the disk before they can be deleted from it.
	if err := s.Update(ctx, func(*Tx) error { return nil }); err != nil {
		return 0, fmt.Errorf("prune: %w", err)
	}
	for total := 0; ; {
		gone, err := s.disk.prune(ctx, before, prunePage)
		s.dropPruned(gone)
		total += len(gone.journeys)
		if err != nil {
			return total, fmt.Errorf("prune: %w", err)
		}
		if max(len(gone.journeys), len(gone.users), len(gone.replies)) < prunePage {
			return total, nil
		}
	}
}

// pruned holds the ids of the records deleted from the disk.
type pruned struct {
	journeys []taxi.JourneyID
	users    []taxi.UserID
	replies  []string
}

func (s *Store) dropPruned(gone pruned) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
	for _, id := range gone.journeys {
		s.journeys.remove(id)
	}
	for _, id := range gone.users {
		s.users.remove(id)
	}
	for _, key := range gone.replies {
		s.replies.remove(key)
	}
}

func (s *Store) pruneMemory(before Before) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := len(s.journeys.held)
	for id, slot := range s.journeys.held {
		if !slot.now.live() && slot.now.UpdatedAt.Before(before.Journeys) {
			s.journeys.remove(id)
		}
	}
	for id, slot := range s.users.held {
		if slot.now.SeenAt.Before(before.Users) {
			s.users.remove(id)
		}
	}
	for key, slot := range s.replies.held {
		if slot.now.At.Before(before.Replies) {
			s.replies.remove(key)
		}
	}
	return count - len(s.journeys.held)
}
