package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// openRecords opens the database, a temporary one unless --db names a file.
func (f *systemFlags) openRecords(ctx context.Context, cmd *cobra.Command, s *system, opts *simulator.Options) (err error) {
	durable := store.Options{RecentWindow: max(f.duplicates, time.Second) * time.Duration(f.speed), Logger: opts.Log}
	switch f.durability {
	case "full":
	case "normal":
		durable.Durability = store.Normal
	default:
		return usageError("--durability is %q, want full or normal", f.durability)
	}
	path := f.db
	s.database = f.db
	if path == "" {
		dir, err := os.MkdirTemp("", "cabrank-")
		if err != nil {
			return fmt.Errorf("temporary database: %w", err)
		}
		s.finish = append(s.finish, func() error { return os.RemoveAll(dir) })
		path, s.database = filepath.Join(dir, "cabrank.db"), "temporary, gone at exit (--db FILE keeps it)"
	}
	if s.records, err = store.Open(ctx, path, durable); err != nil {
		return &exitError{exitUsage, err}
	}
	s.finish = append(s.finish, s.records.Close)
	return f.sameSeed(ctx, cmd, s, opts)
}

// sameSeed keeps a database with the seed it began with: ids and the town
// follow from it.
func (f *systemFlags) sameSeed(ctx context.Context, cmd *cobra.Command, s *system, opts *simulator.Options) error {
	kept, known := s.records.Meta("seed")
	if !known {
		return s.records.SetMeta(ctx, "seed", strconv.FormatUint(f.seed, 10))
	}
	seed, err := strconv.ParseUint(kept, 10, 64)
	if err != nil {
		return fmt.Errorf("the database's seed is %q: %w", kept, err)
	}
	if cmd.Flags().Changed("seed") && seed != f.seed {
		return usageError("%s was begun with --seed %d; leave --seed out, or begin another database", f.db, seed)
	}
	opts.Seed, f.seed = seed, seed
	return nil
}

// firstDay fills a new database with the people of the fixtures.
func (f *systemFlags) firstDay(ctx context.Context, s *system) error {
	if _, done := s.records.Meta("people"); done {
		return nil
	}
	if err := s.world.Populate(ctx, fixtures.People()); err != nil {
		return err
	}
	return s.records.SetMeta(ctx, "people", "fixtures")
}
