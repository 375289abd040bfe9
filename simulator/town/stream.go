package town

// stream is a splitmix64 generator. Each purpose and each thing has a stream of
// its own, so that one more draw for one street never shifts another.
type stream struct{ state uint64 }

// newStream returns the stream of one thing for one purpose.
func newStream(seed uint64, purpose string, entity int) *stream {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(purpose) {
		h = (h ^ uint64(purpose[i])) * 1099511628211
	}
	return &stream{mix(mix(seed^h) + uint64(entity)*0x9e3779b97f4a7c15)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64 returns the next draw.
func (s *stream) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	return mix(s.state)
}

// below returns a draw from 0 to n-1.
func (s *stream) below(n int) int { return pick(s.Uint64(), n) }

// pick maps a draw to 0 to n-1 without the bias of a remainder.
func pick(draw uint64, n int) int { return int((draw >> 32) * uint64(n) >> 32) }
