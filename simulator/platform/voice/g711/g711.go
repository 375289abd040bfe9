// Package g711 codes sound as telephone lines carry it: µ-law and A-law of ITU-T G.711, one byte
// a sample at 8 kHz.
package g711

// MuLaw expands a byte of µ-law.
func MuLaw(b byte) int16 { return muLaw[b] }

// ALaw expands a byte of A-law.
func ALaw(b byte) int16 { return aLaw[b] }

// ToMuLaw is the byte of µ-law for a sample.
func ToMuLaw(v int16) byte {
	magnitude, sign := magnitudeOf(v)
	magnitude = min(magnitude, 32635) + 0x84
	exponent := exponentOf(magnitude >> 7)
	return ^(sign | exponent<<4 | byte(magnitude>>(exponent+3))&0x0F)
}

// ToALaw is the byte of A-law for a sample.
func ToALaw(v int16) byte {
	magnitude, sign := magnitudeOf(v)
	if v < 0 {
		magnitude-- // the steps below zero begin at -1
	}
	sign ^= 0x80
	exponent := exponentOf(magnitude >> 7)
	if exponent == 0 {
		return (sign | byte(magnitude>>4)) ^ 0x55
	}
	return (sign | exponent<<4 | byte(magnitude>>(exponent+3))&0x0F) ^ 0x55
}

func magnitudeOf(v int16) (magnitude int, sign byte) {
	if v < 0 {
		return -int(v), 0x80
	}
	return int(v), 0
}

// exponentOf is the place of the highest bit that is set, of those that choose a segment.
func exponentOf(bits int) byte {
	exponent := byte(0)
	for bits >>= 1; bits > 0 && exponent < 7; bits >>= 1 {
		exponent++
	}
	return exponent
}

var muLaw, aLaw = tables()

func tables() (mu, a [256]int16) {
	for i := range 256 {
		mu[i], a[i] = expandMuLaw(byte(i)), expandALaw(byte(i))
	}
	return mu, a
}

func expandMuLaw(b byte) int16 {
	b = ^b
	magnitude := (int(b&0x0F)<<3+0x84)<<(b>>4&7) - 0x84
	if b&0x80 != 0 {
		magnitude = -magnitude
	}
	return int16(magnitude)
}

func expandALaw(b byte) int16 {
	b ^= 0x55
	magnitude := int(b&0x0F)<<4 + 8
	if exponent := b >> 4 & 7; exponent > 0 {
		magnitude = (magnitude + 0x100) << (exponent - 1)
	}
	if b&0x80 == 0 {
		magnitude = -magnitude
	}
	return int16(magnitude)
}
