package store

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Stats is what a store holds, and how its disk has done since it was opened.
type Stats struct {
	Live    map[taxi.Status]int // journeys that have not ended, by their status
	Queued  int                 // changed records that are not durable
	Commits *Commits            // nil: there is no disk
}

// Commits counts the groups of changes that went to the disk.
type Commits struct {
	Failed  uint64    // groups that the disk refused; their records go into the next
	Took    Histogram // seconds that a group took; empty where [Options] has no Now
	Records Histogram // in a group
}

// Histogram counts values by how large they are.
type Histogram struct {
	Bounds []float64 // rising
	Counts []uint64  // of values up to the bound of the same place, and above the one before
	Count  uint64    // of all values, those above the last bound too
	Sum    float64
}

// The bounds of what a store counts: a commit takes a fraction of a millisecond on a fast
// disk and a second on one that is overloaded.
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

// note counts a group that went to the disk; the lock is held.
func (c *Commits) note(t *commitBatch, err error) {
	if err != nil {
		c.Failed++
	}
	c.Records.add(float64(t.len()))
	if t.timed {
		c.Took.add(t.took.Seconds())
	}
}

// Stats returns what the store holds, and how its disk has done.
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

// flush writes a group, timed by the wall if there is one.
func (s *Store) flush(t *commitBatch) error {
	if s.wall == nil {
		return s.disk.flush(&t.batch)
	}
	began := s.wall()
	err := s.disk.flush(&t.batch)
	t.took, t.timed = max(0, s.wall().Sub(began)), true
	return err
}
