package store

import (
	"context"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Stats counts the records of a store, and the commits since it was opened.
type Stats struct {
	Live    map[taxi.Status]int // journeys that have not ended, by their status
	Queued  int                 // changed records that are not yet durable
	Commits *Commits            // nil: there is no disk
}

// Commits counts the groups of changes written to the disk.
type Commits struct {
	Failed  uint64    // groups that the disk refused; their records are in the next group
	Took    Histogram // seconds for each group; empty if [Options] has no Now
	Records Histogram // in each group
}

// Serial returns the highest serial of a journey so far; 0: there was none.
func (s *Store) Serial() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serial
}

// Histogram counts values by size.
type Histogram struct {
	Bounds []float64 // rising
	Counts []uint64  // of values up to the bound with the same index, and above the previous one
	Count  uint64    // of all values, including those above the last bound
	Sum    float64
}

// The bounds of the histograms: a commit takes a fraction of a millisecond on a fast disk
// and a second on an overloaded one.
var (
	commitBounds = []float64{0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5}
	groupBounds  = []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000}
)

func newHistogram(bounds []float64) Histogram {
	return Histogram{Bounds: bounds, Counts: make([]uint64, len(bounds))}
}

func (h *Histogram) add(v float64) {
	if at, _ := slices.BinarySearch(h.Bounds, v); at < len(h.Counts) {
		h.Counts[at]++
	}
	h.Count++
	h.Sum += v
}

// Add adds the values of a histogram with the same bounds.
func (h *Histogram) Add(other Histogram) {
	if h.Counts == nil {
		*h = newHistogram(other.Bounds)
	}
	for i, n := range other.Counts {
		h.Counts[i] += n
	}
	h.Count += other.Count
	h.Sum += other.Sum
}

// note counts a group that was written to the disk, or failed to be; the lock is held.
func (c *Commits) note(t *commitBatch, err error) {
	if err != nil {
		c.Failed++
	}
	c.Records.add(float64(t.len()))
	if t.timed {
		c.Took.add(t.took.Seconds())
	}
}

// Stats returns the statistics of the store.
func (s *Store) Stats() Stats {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := Stats{Live: make(map[taxi.Status]int), Queued: s.queued()}
	for _, slot := range s.live {
		for ; slot != nil; slot = slot.next {
			all.Live[slot.now.Status]++
		}
	}
	if s.disk != nil {
		c := s.commits
		c.Took.Counts, c.Records.Counts = slices.Clone(c.Took.Counts), slices.Clone(c.Records.Counts)
		all.Commits = &c
	}
	return all
}

// flush writes a group, and measures the time if there is a clock.
func (s *Store) flush(ctx context.Context, t *commitBatch) error {
	if s.wall == nil {
		return s.disk.flush(ctx, &t.batch)
	}
	began := s.wall()
	err := s.disk.flush(ctx, &t.batch)
	t.took, t.timed = max(0, s.wall().Sub(began)), true
	return err
}
