package dispatch

import "github.com/cabrank/cabrank/dispatch/taxi"

// journeyID returns the id of the n-th journey. Ids follow from the seed, so a
// run can be repeated exactly; they do not follow on from one another, so one
// does not give away the next; and they are short, since people read them out.
func (s *Service) journeyID(n uint64) taxi.JourneyID {
	return taxi.JourneyID("J" + spell(scatter(n, s.seed)))
}

// userID returns the id of a user admitted as the n-th record.
func (s *Service) userID(n uint64) taxi.UserID {
	return taxi.UserID("U" + spell(scatter(n, ^s.seed)))
}

const (
	idLetters = 7 // 5 bits each
	idMask    = 1<<(5*idLetters) - 1
)

// scatter maps n below 2^35 to another such number, one to one, so that ids
// never collide. Each step can be undone: adding, multiplying by an odd number,
// and folding the high bits into the low.
func scatter(n, seed uint64) uint64 {
	n = (n + seed) & idMask
	n = n * 0x5_8f2d_b0e5 & idMask
	n ^= n >> 17
	n = n * 0x3_1c6e_9a4b & idMask
	n ^= n >> 19
	return n
}

// spell writes 35 bits in letters and digits that are not taken for one another
// when read aloud or copied by hand (Crockford's base 32).
func spell(n uint64) string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	var b [idLetters]byte
	for i := range b {
		b[idLetters-1-i] = alphabet[n&31]
		n >>= 5
	}
	return string(b[:])
}
