package store

import (
	"context"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Prune deletes the journeys that ended and were last updated before a time, and
// the replies given before another.
// It returns how many journeys it deleted. Serials are not given again.
func (s *Store) Prune(ctx context.Context, before, replies time.Time) (int, error) {
	if s.disk == nil {
		return s.pruneMemory(before, replies), nil
	}
	// Changed records must be on the disk before they can be deleted from it.
	if err := s.Update(ctx, func(*Tx) error { return nil }); err != nil {
		return 0, fmt.Errorf("prune: %w", err)
	}
	for total := 0; ; {
		journeys, keys, err := s.disk.prune(ctx, before, replies, pageSize)
		s.dropPruned(journeys, keys)
		total += len(journeys)
		if err != nil {
			return total, fmt.Errorf("prune: %w", err)
		}
		if len(journeys) < pageSize && len(keys) < pageSize {
			return total, nil
		}
	}
}

func (s *Store) dropPruned(journeys []taxi.JourneyID, keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
	for _, id := range journeys {
		s.journeys.remove(id)
	}
	for _, key := range keys {
		s.replies.remove(key)
	}
}

func (s *Store) pruneMemory(before, replies time.Time) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := len(s.journeys.held)
	for id, slot := range s.journeys.held {
		if !slot.now.live() && slot.now.UpdatedAt.Before(before) {
			s.journeys.remove(id)
		}
	}
	for key, slot := range s.replies.held {
		if slot.now.At.Before(replies) {
			s.replies.remove(key)
		}
	}
	return count - len(s.journeys.held)
}
