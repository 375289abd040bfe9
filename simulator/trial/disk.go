package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/cabrank/cabrank/store"
)

// disk stores a run's bookings beyond the end of the process.
type disk interface {
	// open opens the store for the first time.
	open(context.Context) (*store.Store, error)
	// saveDurable stores what is durable now. keys are the Idempotency-Keys used so far.
	saveDurable(ctx context.Context, keys []string) error
	// reopen opens a store with the data of the last saveDurable, and closes the old one.
	reopen(context.Context) (*store.Store, error)
	close() error
}

// memoryDisk copies records from one store in memory to the next, as a fast model of a
// disk.
type memoryDisk struct {
	now   *store.Store
	saved *store.Store
}

func (d *memoryDisk) open(context.Context) (*store.Store, error) {
	d.now = store.Memory()
	return d.now, nil
}

func (d *memoryDisk) saveDurable(ctx context.Context, keys []string) error {
	users, err := d.now.Users(ctx)
	if err != nil {
		return err
	}
	journeys, err := d.now.Journeys(ctx, 0)
	if err != nil {
		return err
	}
	replies, serial := d.replies(keys)
	highest := uint64(0)
	if len(journeys) > 0 { // they are listed newest first
		highest = journeys[0].Serial
	}
	d.saved = store.Memory()
	return d.saved.Update(ctx, func(tx *store.Tx) error {
		for _, u := range users {
			same := *u
			tx.PutUser(&same)
		}
		for _, j := range slices.Backward(journeys) {
			same := *j.Journey
			same.Revision-- // putting increments it
			tx.PutJourney(&same)
		}
		for _, r := range replies {
			tx.PutReply(r)
		}
		for n := highest; n < serial; n++ {
			tx.NextSerial()
		}
		return nil
	})
}

var errReadOnly = errors.New("nothing is to be changed")

// replies returns the stored responses for keys, and the last serial number.
func (d *memoryDisk) replies(keys []string) (all []store.Reply, serial uint64) {
	_, _ = d.now.Apply(func(tx *store.Tx) error { // an error rolls the serial number back
		for _, key := range keys {
			if r, err := tx.Reply(key); err == nil {
				all = append(all, r)
			}
		}
		serial = tx.NextSerial() - 1
		return errReadOnly
	})
	return all, serial
}

func (d *memoryDisk) reopen(context.Context) (*store.Store, error) {
	d.now, d.saved = d.saved, nil
	return d.now, nil
}

func (d *memoryDisk) close() error { return nil }

// fileDisk is SQLite in a folder. What is durable is what another process would
// find in the files.
type fileDisk struct {
	folder string
	now    *store.Store
	opened int
}

func newFileDisk(scratch string) (*fileDisk, error) {
	folder, err := os.MkdirTemp(scratch, "trial-")
	return &fileDisk{folder: folder}, err
}

func (d *fileDisk) file(n int) string { return filepath.Join(d.folder, fmt.Sprintf("cabs-%d.db", n)) }

func (d *fileDisk) open(ctx context.Context) (s *store.Store, err error) {
	d.opened++
	d.now, err = store.Open(ctx, d.file(d.opened), store.Options{Durability: store.Normal})
	return d.now, err
}

// saveDurable copies the files while the store is open. The log is copied first: data
// that are moved from it to the database meanwhile are then in both copies.
func (d *fileDisk) saveDurable(ctx context.Context, _ []string) error {
	if err := d.now.Update(ctx, func(*store.Tx) error { return nil }); err != nil {
		return err
	}
	for _, suffix := range []string{"-wal", ""} {
		text, err := os.ReadFile(d.file(d.opened) + suffix)
		if err != nil {
			return err
		}
		if err := os.WriteFile(d.file(d.opened+1)+suffix, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (d *fileDisk) reopen(ctx context.Context) (*store.Store, error) {
	if err := d.now.Close(); err != nil {
		return nil, err
	}
	return d.open(ctx)
}

func (d *fileDisk) close() error { return errors.Join(d.now.Close(), os.RemoveAll(d.folder)) }
