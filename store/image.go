package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Export implements [Place]. It copies rows as they are, also those that cannot be read.
func (p sharedPlace) Export(ctx context.Context, path string) error {
	d, err := openSQLite(ctx, path, sqlitedb.Normal)
	if err != nil {
		return fmt.Errorf("export %s: %w", p, err)
	}
	asOfNow := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	short, done := limited(ctx, exportTime)
	err = pgx.BeginTxFunc(short, p.db.Pool(), asOfNow, func(tx pgx.Tx) error {
		return d.db.Write(short, func(sqlitedb.Querier) error { return p.exportTo(short, tx, d) })
	})
	if err = done(err); !errors.Is(err, ErrNotFound) {
		err = sharedError(err)
	}
	if err = errors.Join(err, d.close()); err != nil {
		return fmt.Errorf("export %s to %s: %w", p, path, err)
	}
	return nil
}

func (p sharedPlace) exportTo(ctx context.Context, tx pgx.Tx, d *sqliteDisk) error {
	var serial, latest int64
	switch err := tx.QueryRow(ctx, "SELECT serial, latest FROM progress WHERE world = $1", p.world).Scan(&serial, &latest); {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound
	case err != nil:
		return err
	}
	for i := range recordTables {
		if err := p.exportTable(ctx, tx, &recordTables[i], d.put.records[i]); err != nil {
			return err
		}
	}
	return d.putProgress(ctx, uint64(serial), time.UnixMilli(latest))
}

func (p sharedPlace) exportTable(ctx context.Context, tx pgx.Tx, t *recordTable, to *put) error {
	found, err := tx.Query(ctx, fmt.Sprintf("SELECT %s FROM %s WHERE world = $1", t.columns, t.name), p.world)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		row, err := found.Values()
		if err != nil {
			return err
		}
		for c, value := range row {
			if text, ok := value.([]byte); ok && t.kinds[c] == 't' {
				row[c] = string(text)
			}
		}
		to.args = append(to.args, row...)
		if err := to.writeFullGroup(ctx); err != nil {
			return err
		}
	}
	return errors.Join(found.Err(), to.rest(ctx))
}

// Image contains the records of a store in memory at one moment. It shares the records with
// that store, since they are immutable, so that making it takes little time and memory.
type Image struct {
	journeys []*Snapshot // by serial
	users    []*User
	replies  []*Reply
	meta     []*metaEntry
	recent   []recentEntry // oldest first
	serial   uint64
	latest   time.Time
}

// Image returns the present records of a store in memory; nil for a store with a disk, for
// which use [Store.CopyTo].
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
