package dispatch

import "github.com/cabrank/cabrank/dispatch/taxi"

// journeyID returns the id of the n-th journey. Ids follow from the seed, so that a
// run can be repeated exactly. One id does not reveal the next. They are short,
// since people read them out.
func (s *Service) journeyID(n uint64) taxi.JourneyID {
	return taxi.JourneyID("J" + encodeID(scatter(n, s.seed)))
}

// userID returns the id of the user that is the n-th record.
func (s *Service) userID(n uint64) taxi.UserID {
	return taxi.UserID("U" + encodeID(scatter(n, ^s.seed)))
}

const (
	idLetters = 7  // 5 bits each: 35
	blockBits = 10 // journeys that share the front of their ids
	tailBits  = 18 // where in the block: 256 times as many as there are
	frontBits = 5*idLetters - tailBits
	tailMask  = 1<<tailBits - 1
)

// scatter maps n below 2^27 to a number of 35 bits, one to one, so that ids do
// not collide. A thousand neighbours share the front and differ in the tail, out
// of order and with gaps: they cannot be counted through, yet lie together in
// the database's index, so that bookings that come together touch few of its
// pages.
func scatter(n, seed uint64) uint64 {
	block := n >> blockBits
	front := (block ^ seed) & (1<<frontBits - 1)
	gap := (block*0x9e37_79b9 + seed) >> 5 & (1<<(tailBits-blockBits) - 1)
	// Each step can be undone: multiplying by an odd number, folding the high bits
	// into the low.
	tail := gap<<blockBits | n&(1<<blockBits-1)
	tail = tail * 0x2_b0e5 & tailMask
	tail ^= tail >> 9
	tail = tail * 0x1_9a4b & tailMask
	tail ^= tail >> 7
	return front<<tailBits | tail
}

// encodeID writes 35 bits in Crockford's base 32, whose letters and digits are not
// confused when read aloud or copied by hand.
func encodeID(n uint64) string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	var b [idLetters]byte
	for i := range b {
		b[idLetters-1-i] = alphabet[n&31]
		n >>= 5
	}
	return string(b[:])
}
