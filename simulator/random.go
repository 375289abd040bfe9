package simulator

import "time"

// purpose identifies the use of a random draw. Each thing has a separate stream for each
// purpose, so that an additional draw for one journey does not affect another. The
// numbers seed the streams: append new ones, never reorder.
type purpose uint64

const (
	_              purpose = iota
	drawParking            // the position of a car at the start of the world
	drawAnswer             // whether and when a driver answers an offer
	drawFate               // no-show, or a passenger who cancels
	drawMishap             // whether a driver gives the job back after accepting
	drawBoarding           // how long a passenger takes to come out
	drawDwell              // how long a stop on the way takes
	drawPartner            // where a partner firm's car comes from
	drawAsDirected         // the destination of a passenger who did not name one
	drawShift              // how punctually a driver keeps to the roster
	drawBreak              // when a driver has a break
	drawSignal             // when a car's signal is lost
	drawDemand             // when the next resident books
	drawPerson             // which resident books, from where and to where
	drawHome               // which doors people live behind
)

// stream is a splitmix64 generator.
type stream struct{ state uint64 }

const golden = 0x9e3779b97f4a7c15

// newStream returns the stream of an entity for a purpose; nth distinguishes repeated
// occasions (the second offer, the third stop).
func newStream(seed uint64, p purpose, entity, nth uint64) stream {
	return stream{mix(mix(mix(seed^uint64(p)*golden)^entity) + nth*golden)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// next returns 64 random bits.
func (s *stream) next() uint64 {
	s.state += golden
	return mix(s.state)
}

// Uint64 is next, for package town.
func (s *stream) Uint64() uint64 { return s.next() }

// below returns a draw from 0 to n-1.
func (s *stream) below(n int64) int64 {
	return int64((s.next() >> 32) * uint64(n) >> 32)
}

// between returns a draw from low to high, to the millisecond.
func (s *stream) between(low, high time.Duration) time.Duration {
	return low + time.Duration(s.below(int64((high-low)/time.Millisecond)+1))*time.Millisecond
}

// chance returns true in perMyriad of ten thousand draws.
func (s *stream) chance(perMyriad int) bool { return s.below(10_000) < int64(perMyriad) }

// exponential returns a draw with the given mean. It uses von Neumann's method, which
// only compares random numbers: a logarithm would differ between processors.
func (s *stream) exponential(mean time.Duration) time.Duration {
	for whole := uint64(0); ; whole++ {
		first := s.next() >> 32
		run, last := 1, first
		for {
			u := s.next() >> 32
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

// skewed returns a draw from a log-normal distribution with the given median,
// whose 84th percentile is 2.15 times that (sigma 0.8, without its far tails).
func (s *stream) skewed(median time.Duration) time.Duration {
	x := s.below((int64(len(lognormal)) - 1) << 16)
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

// hash turns an id into the entity of a stream (FNV-1a).
func hash(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}
