package leases

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestADatabaseThatHangs checks that no call waits for long while the database hangs, even without a time limit of
// its caller.
func TestADatabaseThatHangs(t *testing.T) {
	t.Parallel()
	db, err := postgresdb.Open(t.Context(), postgrestest.URL(t), postgresdb.Options{})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	table, by, ctx := New(db), Holder{ID: "r1"}, t.Context()
	by.Term, err = table.Beat(ctx, by, time.Hour, 0)
	require.NoError(t, err)
	w, err := table.Create(ctx, "ann", nil, by)
	require.NoError(t, err)
	held := Held{"ann", w.Epoch}
	table.limits = limits{50 * time.Millisecond, 100 * time.Millisecond}
	hang := postgrestest.Hold(t, db.Pool(), "LOCK TABLE worlds, replicas, settings")
	for name, do := range map[string]func(context.Context) error{
		"Beat":     func(ctx context.Context) error { _, err := table.Beat(ctx, by, time.Hour, 1); return err },
		"Create":   func(ctx context.Context) error { _, err := table.Create(ctx, "bob", nil, by); return err },
		"Find":     func(ctx context.Context) error { _, err := table.Find(ctx, "ann"); return err },
		"Give":     func(ctx context.Context) error { return table.Give(ctx, by, held) },
		"Free":     func(ctx context.Context) error { _, _, err := table.Free(ctx, 1); return err },
		"Leave":    func(ctx context.Context) error { return table.Leave(ctx, by) },
		"List":     func(ctx context.Context) error { _, err := table.List(ctx); return err },
		"Lost":     func(ctx context.Context) error { _, err := table.Lost(ctx, by, []Held{held}); return err },
		"Remove":   func(ctx context.Context) error { return table.Remove(ctx, "ann", w.Epoch) },
		"Replicas": func(ctx context.Context) error { _, err := table.Replicas(ctx); return err },
		"SetFacts": func(ctx context.Context) error { return table.SetFacts(ctx, "ann", w.Epoch, nil) },
		"Setting":  func(ctx context.Context) error { _, err := table.Setting(ctx, "n"); return err },
		"Take":     func(ctx context.Context) error { _, err := table.Take(ctx, "ann", by); return err },
		"ChangeSetting": func(ctx context.Context) error {
			return table.ChangeSetting(ctx, "n", func(old string) (string, error) { return old, nil })
		},
	} {
		require.ErrorIs(t, do(ctx), context.DeadlineExceeded, name)
	}
	require.NoError(t, hang.Rollback(ctx))
}
