package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Image is the contents of a store in memory at one moment. It shares the records with that
// store, since they are immutable, so that making it takes little time and
// memory.
type Image struct {
	journeys []*Snapshot // by serial
	users    []*User
	replies  []*Reply
	meta     []*metaEntry
	recent   []recentEntry // oldest first
	serial   uint64
	latest   time.Time
}

// Image returns the contents of a store in memory; nil for a store with a disk, for which
// use [Store.CopyTo].
func (s *Store) Image() *Image {
	if s.disk != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := &Image{serial: s.serial, latest: s.latest, recent: slices.Clone(s.recent.order[s.recent.gone:])}
	i.journeys = make([]*Snapshot, 0, len(s.journeys.held))
	for _, slot := range s.journeys.held {
		i.journeys = append(i.journeys, slot.now.markShared())
	}
	for _, slot := range s.users.held {
		i.users = append(i.users, slot.now)
	}
	for _, slot := range s.replies.held {
		i.replies = append(i.replies, slot.now)
	}
	for _, slot := range s.meta.held {
		i.meta = append(i.meta, slot.now)
	}
	return i
}

// Journeys returns the number of journeys.
func (i *Image) Journeys() int { return len(i.journeys) }

// FromImage returns a store in memory with the contents of an image.
func FromImage(i *Image, o Options) *Store {
	s := memory(o)
	s.serial, s.latest = i.serial, i.latest
	for _, j := range i.journeys {
		s.journeys.cache(j.JourneyID, j)
	}
	for _, u := range i.users {
		s.users.cache(u.UserID, u)
	}
	for _, r := range i.replies {
		s.replies.cache(r.Key, r)
	}
	for _, m := range i.meta {
		s.meta.cache(m.key, m)
	}
	for _, e := range i.recent {
		s.recent.put(e)
	}
	return s
}

// CopyTo writes the image into a new database file at path.
func (i *Image) CopyTo(ctx context.Context, path string) error {
	d, err := openSQLite(ctx, path, sqlitedb.Normal)
	if err != nil {
		return fmt.Errorf("write the records: %w", err)
	}
	err = d.flush(ctx, &batch{
		journeys: i.journeys, users: i.users, replies: i.replies, meta: i.meta, serial: i.serial, latest: i.latest,
	})
	if err = errors.Join(err, d.close()); err != nil {
		return fmt.Errorf("write the records: %w", err)
	}
	return nil
}

// CopyTo writes a copy of a store with a disk to another [Place] of the same kind, including
// every earlier change. It replaces what is there, which must not be open. Concurrent changes wait for the disk.
func (s *Store) CopyTo(ctx context.Context, to Place) error {
	if s.disk == nil {
		return errors.New("a store in memory is copied by its Image")
	}
	if err := s.Update(ctx, func(*Tx) error { return nil }); err != nil { // waits for all earlier changes
		return err
	}
	return s.disk.copyTo(ctx, to)
}
