// Package lags counts delays in little memory, for quantiles and histograms.
package lags

import (
	"math/bits"
	"time"
)

// Counts are the delays of a [Counter], for histograms.
type Counts struct {
	Count uint64
	Total time.Duration
	Below map[time.Duration]uint64 // number of delays that were shorter; the rest is only in Count
}

// Counter counts delays in buckets of microseconds, eight to each doubling.
type Counter struct {
	buckets [8 * 40]uint64
	total   uint64
	sum     time.Duration
	most    time.Duration
}

// Add counts a delay.
func (l *Counter) Add(d time.Duration) {
	l.buckets[bucket(uint64(d/time.Microsecond))]++
	l.total++
	l.sum += d
	l.most = max(l.most, d)
}

// Most returns the longest delay.
func (l *Counter) Most() time.Duration { return l.most }

// Read counts the delays below each power of four, in microseconds, from 64 µs to 17 s:
// these are boundaries of buckets, so the counts are exact.
func (l *Counter) Read() Counts {
	all := Counts{Count: l.total, Total: l.sum, Below: make(map[time.Duration]uint64)}
	seen, at := uint64(0), 0
	for bound := uint64(64); bound < 20_000_000; bound *= 4 {
		for ; at < bucket(bound); at++ {
			seen += l.buckets[at]
		}
		all.Below[time.Duration(bound)*time.Microsecond] = seen
	}
	return all
}

// bucket returns the index of the bucket for v microseconds: from the exponent of v and the three bits after its first.
func bucket(v uint64) int {
	if v < 8 {
		return int(v)
	}
	shift := bits.Len64(v) - 4
	return min(8*(shift+1)+int(v>>shift&7), 8*40-1)
}

// Quantile returns the upper end of the bucket in which the given share of the
// delays, in percent, is reached.
func (l *Counter) Quantile(percent uint64) time.Duration {
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
