package leases

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestADatabaseThatHangs keeps no caller, also one without a time limit.
func TestADatabaseThatHangs(t *testing.T) {
	t.Parallel()
	db, err := postgresdb.Open(t.Context(), postgrestest.URL(t), postgresdb.Options{})
	require.NoError(t, err)
	defer db.Close()
	table, by, ctx := New(db), Holder{ID: "r1"}, t.Context()
	w, err := table.Create(ctx, "ann", nil, by, time.Hour)
	require.NoError(t, err)
	held := []Held{{"ann", w.Epoch}}
	table.limits = limits{50 * time.Millisecond, 100 * time.Millisecond, 20 * time.Millisecond}
	hang, err := db.Pool().Begin(ctx)
	require.NoError(t, err)
	_, err = hang.Exec(ctx, "LOCK TABLE worlds, replicas, settings")
	require.NoError(t, err)
	for name, do := range map[string]func(context.Context) error{
		"Beat":     func(ctx context.Context) error { _, err := table.Beat(ctx, by, time.Hour, held); return err },
		"Create":   func(ctx context.Context) error { _, err := table.Create(ctx, "bob", nil, by, time.Hour); return err },
		"Find":     func(ctx context.Context) error { _, err := table.Find(ctx, "ann"); return err },
		"Give":     func(ctx context.Context) error { return table.Give(ctx, by, held) },
		"Leave":    func(ctx context.Context) error { return table.Leave(ctx, by) },
		"List":     func(ctx context.Context) error { _, err := table.List(ctx); return err },
		"Remove":   func(ctx context.Context) error { return table.Remove(ctx, "ann", w.Epoch) },
		"Replicas": func(ctx context.Context) error { _, err := table.Replicas(ctx); return err },
		"SetFacts": func(ctx context.Context) error { return table.SetFacts(ctx, "ann", w.Epoch, nil) },
		"Setting":  func(ctx context.Context) error { _, err := table.Setting(ctx, "n"); return err },
		"Take":     func(ctx context.Context) error { _, err := table.Take(ctx, "ann", by, time.Hour); return err },
		"ChangeSetting": func(ctx context.Context) error {
			return table.ChangeSetting(ctx, "n", func(old string) (string, error) { return old, nil })
		},
	} {
		require.ErrorIs(t, do(ctx), context.DeadlineExceeded, name)
	}
	require.NoError(t, hang.Rollback(ctx))
}

// TestABeatThatWaitsForAnother keeps its time limit.
func TestABeatThatWaitsForAnother(t *testing.T) {
	table := New(nil)
	done, err := table.turn(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = table.Beat(ctx, Holder{ID: "r1"}, time.Hour, nil)
	require.ErrorIs(t, err, context.Canceled)
	done()
	_, err = table.turn(t.Context())
	require.NoError(t, err)
}
