package simulator

import (
	"math/bits"
	"time"
)

// Stats describes the state and load of a world.
type Stats struct {
	Journeys int    // active or booked ahead
	Events   uint64 // that have happened
	Void     uint64 // events that the table of transitions did not allow
	Lost     uint64 // transitions not sent because a subscriber was too slow
	Planned  int    // events in the queue

	// How late events happened while Run was running, in real time: half of them at most
	// LagP50 late, and so on, to within an eighth.
	LagP50, LagP99, LagMax time.Duration
}

// counts are the counters of a world.
type counts struct {
	events, voided, lost uint64
	lag                  lags
}

// Stats returns the state and load of the world.
func (w *World) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &w.counts
	return Stats{
		Journeys: len(w.jobs.bySerial), Events: c.events, Void: c.voided, Lost: c.lost,
		Planned: len(w.queue.heap),
		LagP50:  c.lag.quantile(50), LagP99: c.lag.quantile(99), LagMax: c.lag.most,
	}
}

// idle reports whether no journey is active or booked ahead.
func (w *World) idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.jobs.bySerial) == 0
}

// Lags counts how late events happened while [World.Run] was running, in real time. Of
// events that were due together, the first is counted.
type Lags struct {
	Count uint64
	Total time.Duration
	Below map[time.Duration]uint64 // number of events that were less late; the rest is only in Count
}

// Lags returns the counts.
func (w *World) Lags() Lags {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts.lag.read()
}

// lags counts delays in buckets of microseconds, eight to each doubling.
type lags struct {
	buckets [8 * 40]uint64
	total   uint64
	sum     time.Duration
	most    time.Duration
}

func (l *lags) add(d time.Duration) {
	l.buckets[bucket(uint64(d/time.Microsecond))]++
	l.total++
	l.sum += d
	l.most = max(l.most, d)
}

// read counts the delays below each power of four, in microseconds, from 64 µs to 17 s:
// these are boundaries of buckets, so the counts are exact.
func (l *lags) read() Lags {
	all := Lags{Count: l.total, Total: l.sum, Below: make(map[time.Duration]uint64)}
	seen, at := uint64(0), 0
	for bound := uint64(64); bound < 20_000_000; bound *= 4 {
		for ; at < bucket(bound); at++ {
			seen += l.buckets[at]
		}
		all.Below[time.Duration(bound)*time.Microsecond] = seen
	}
	return all
}

// bucket returns the exponent of v and the three bits after its first.
func bucket(v uint64) int {
	if v < 8 {
		return int(v)
	}
	shift := bits.Len64(v) - 4
	return min(8*(shift+1)+int(v>>shift&7), 8*40-1)
}

// quantile returns the upper end of the bucket in which the given share of the
// delays, in percent, is reached.
func (l *lags) quantile(percent uint64) time.Duration {
	need := (l.total*percent + 99) / 100
	seen := uint64(0)
	for i, n := range l.buckets {
		if seen += n; seen >= need && need > 0 {
			return min(upper(i), l.most)
		}
	}
	return 0
}

// upper returns the largest delay of a bucket.
func upper(i int) time.Duration {
	if i < 8 {
		return time.Duration(i+1) * time.Microsecond
	}
	shift := i/8 - 1
	return time.Duration(uint64(8+i%8+1)<<shift) * time.Microsecond
}
