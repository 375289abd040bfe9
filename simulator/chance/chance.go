// Package chance draws the random numbers of a world: one stream for each thing and
// purpose, with the same draws on every processor.
package chance

import "time"

// Purpose identifies the use of a random draw. Each thing has a separate stream for each
// purpose, so that an additional draw for one journey does not affect another. The
// numbers seed the streams: append new ones, never reorder.
type Purpose uint64

// The purposes.
const (
	_          Purpose = iota
	Parking            // the position of a car at the start of the world
	Answer             // whether and when a driver answers an offer
	Fate               // no-show, or a passenger who cancels
	Mishap             // whether a driver gives the job back after accepting
	Boarding           // how long a passenger takes to come out
	Dwell              // how long a stop on the way takes
	Partner            // where a partner firm's car comes from
	AsDirected         // the destination of a passenger who did not name one
	Shift              // how punctually a driver keeps to the roster
	Break              // when a driver has a break
	Signal             // when a car's signal is lost
	Demand             // when the next resident books
	Person             // which resident books, from where and to where
	Home               // which doors people live behind
)

// Stream is a splitmix64 generator.
type Stream struct{ state uint64 }

// Golden is 2^64 divided by the golden ratio. Its multiples are spread over all numbers.
const Golden = 0x9e3779b97f4a7c15

// From returns the stream with a state: the same state gives the same draws.
func From(state uint64) Stream { return Stream{state} }

// New returns the stream of an entity for a purpose; nth distinguishes repeated
// occasions (the second offer, the third stop).
func New(seed uint64, p Purpose, entity, nth uint64) Stream {
	return Stream{Mix(Mix(Mix(seed^uint64(p)*Golden)^entity) + nth*Golden)}
}

// Mix is the mixer of splitmix64: each bit of z changes about half of the bits of the result.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += Golden
	return Mix(s.state)
}

// Below returns a draw from 0 to n-1.
func (s *Stream) Below(n int64) int64 {
	return int64((s.Uint64() >> 32) * uint64(n) >> 32)
}

// Between returns a draw from low to high, to the millisecond.
func (s *Stream) Between(low, high time.Duration) time.Duration {
	return low + time.Duration(s.Below(int64((high-low)/time.Millisecond)+1))*time.Millisecond
}

// Chance returns true in perMyriad of ten thousand draws.
func (s *Stream) Chance(perMyriad int) bool { return s.Below(10_000) < int64(perMyriad) }

// Exponential returns a draw with the given mean. It uses von Neumann's method, which
// only compares random numbers: a logarithm would differ between processors.
func (s *Stream) Exponential(mean time.Duration) time.Duration {
	for whole := uint64(0); ; whole++ {
		first := s.Uint64() >> 32
		run, last := 1, first
		for {
			u := s.Uint64() >> 32
			if u >= last {
				break
			}
			run, last = run+1, u
		}
		if run%2 == 1 {
			ms := uint64(mean / time.Millisecond)
			return time.Duration(whole*ms+first*ms>>32) * time.Millisecond
		}
	}
}

// Skewed returns a draw from a log-normal distribution with the given median,
// whose 84th percentile is 2.15 times that (sigma 0.8, without its far tails).
func (s *Stream) Skewed(median time.Duration) time.Duration {
	x := s.Below((int64(len(lognormal)) - 1) << 16)
	i, f := x>>16, x&0xffff
	factor := lognormal[i] + (lognormal[i+1]-lognormal[i])*f>>16
	ms := int64(median/time.Millisecond) * factor >> 10
	return time.Duration(ms) * time.Millisecond
}

// lognormal holds exp(0.8 z) in 1/1024 at the 1/64, 3/64, … 63/64 quantiles of
// the standard normal z.
var lognormal = [...]int64{
	183, 268, 329, 383, 432, 480, 527, 574,
	621, 668, 717, 768, 820, 875, 932, 992,
	1057, 1125, 1199, 1279, 1366, 1462, 1569, 1690,
	1828, 1990, 2184, 2425, 2739, 3183, 3914, 5736,
}

// Hash turns an id into the entity of a stream (FNV-1a).
func Hash(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}
