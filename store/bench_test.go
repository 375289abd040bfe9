package store_test

import (
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// callers is how many book at once in the benchmarks.
const callers = 64

// BenchmarkBook books durably from 64 callers at once: grouped is the store as it
// is, single gives every booking a commit of its own.
func BenchmarkBook(b *testing.B) {
	b.Run("grouped", func(b *testing.B) { benchmarkBook(b, func(book func() error) error { return book() }) })
	b.Run("single", func(b *testing.B) {
		var turn sync.Mutex
		benchmarkBook(b, func(book func() error) error {
			turn.Lock()
			defer turn.Unlock()
			return book()
		})
	})
}

func benchmarkBook(b *testing.B, through func(func() error) error) {
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "cabrank.db"), store.Options{})
	require.NoError(b, err)
	defer s.Close()
	addUsers(b, s)
	var n atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(callers / 2)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := n.Add(1)
			if err := through(func() error { return bookFor(b.Context(), s, i) }); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "bookings/s")
}

// BenchmarkOpen opens a database that is not there yet, and one that is.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	fresh := 0
	b.Run("fresh", func(b *testing.B) {
		benchmarkOpen(b, func() string { fresh++; return filepath.Join(dir, strconv.Itoa(fresh)+".db") })
	})
	b.Run("again", func(b *testing.B) {
		benchmarkOpen(b, func() string { return filepath.Join(dir, "again.db") })
	})
}

func benchmarkOpen(b *testing.B, path func() string) {
	for b.Loop() {
		s, err := store.Open(b.Context(), path(), store.Options{})
		require.NoError(b, err)
		b.StopTimer()
		require.NoError(b, s.Close())
		b.StartTimer()
	}
}

// BenchmarkJourneyRead reads one journey as /status does: out of memory, and from
// the disk when nobody has asked for it in a long time.
func BenchmarkJourneyRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "cabrank.db")
	s, err := store.Open(b.Context(), path, store.Options{})
	require.NoError(b, err)
	addUsers(b, s)
	const journeys = 4096
	for i := range int64(journeys) {
		_, err := s.Apply(func(tx *store.Tx) error { return putBooking(tx, i, taxi.Complete) })
		require.NoError(b, err)
	}
	require.NoError(b, s.Close())
	b.Run("memory", func(b *testing.B) { benchmarkRead(b, path, journeys, journeys) })
	b.Run("disk", func(b *testing.B) { benchmarkRead(b, path, 1, journeys) })
}

func benchmarkRead(b *testing.B, path string, cached int, journeys int64) {
	s, err := store.Open(b.Context(), path, store.Options{Cached: cached})
	require.NoError(b, err)
	defer s.Close()
	for i := range journeys {
		_, err := s.Journey(b.Context(), journeyID(i))
		require.NoError(b, err)
	}
	var n atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			snap, err := s.Journey(b.Context(), journeyID(n.Add(1)%journeys))
			if err != nil || len(snap.JSON()) == 0 {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkMemoryApply makes one change of a journey's status in a store without
// a disk, as a batch simulation does by the million.
func BenchmarkMemoryApply(b *testing.B) {
	s := store.Memory()
	defer s.Close()
	addUsers(b, s)
	const journeys = 1000
	for i := range int64(journeys) {
		_, err := s.Apply(func(tx *store.Tx) error { return putBooking(tx, i, taxi.Waiting) })
		require.NoError(b, err)
	}
	ids := make([]taxi.JourneyID, journeys)
	for i := range ids {
		ids[i] = journeyID(int64(i))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, err := s.Apply(func(tx *store.Tx) error {
			j, err := tx.Journey(ids[i%journeys])
			if err != nil {
				return err
			}
			j.Status = taxi.Accepted
			tx.PutJourney(j)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
