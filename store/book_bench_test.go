package store_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// BenchmarkBook compares durable bookings of 64 clients in both databases.
func BenchmarkBook(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) {
		benchmarkBook(b, store.File(filepath.Join(b.TempDir(), "cabrank.db")))
	})
	b.Run("PostgreSQL", func(b *testing.B) {
		db := store.OpenShared(b, postgrestest.Start(b, postgrestest.Options{Durable: true}).URL(b))
		benchmarkBook(b, store.Shared(db, "ann", store.TakeWorld(b, db, "ann")))
	})
}

func benchmarkBook(b *testing.B, place store.Place) {
	s, err := place.Open(b.Context(), store.Options{Now: time.Now})
	require.NoError(b, err)
	addUsers(b, s)
	var next atomic.Int64
	b.SetParallelism(32) // for each of two processors
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if err := bookFor(b.Context(), s, next.Add(1)); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.StopTimer()
	commits := s.Stats().Commits
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "bookings/s")
	b.ReportMetric(commits.Records.Sum/float64(commits.Records.Count), "records/commit")
	b.ReportMetric(1000*commits.Took.Sum/float64(commits.Took.Count), "ms/commit")
	require.NoError(b, s.Close())
}
