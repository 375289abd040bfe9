package sqlitedb

import (
	"bytes"
	"errors"
	"hash/crc32"
)

// A body ends with its checksum, CRC-32C, as white space, two bits a character: to a program that knows nothing of
// it, an older one or a person's, the body is the same JSON. A body without one is of an older program.
const (
	sealSigns = " \t\n\r"
	sealSize  = 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrSeal is the error of a body whose checksum is wrong.
var ErrSeal = errors.New("its checksum is another: the file was damaged")

// Sealed returns a body with its checksum appended.
func Sealed(body []byte) []byte {
	sum := crc32.Checksum(body, castagnoli)
	whole := append(make([]byte, 0, len(body)+sealSize), body...)
	for range sealSize {
		whole = append(whole, sealSigns[sum&3])
		sum >>= 2
	}
	return whole
}

// Unsealed returns a body without its checksum, or [ErrSeal].
func Unsealed[B ~[]byte](whole B) (B, error) {
	at := len(whole) - sealSize
	if at < 0 || len(bytes.Trim(whole[at:], sealSigns)) > 0 {
		return whole, nil
	}
	sum, body := uint32(0), whole[:at]
	for i, sign := range whole[at:] {
		sum |= uint32(bytes.IndexByte([]byte(sealSigns), sign)) << (2 * i)
	}
	if sum != crc32.Checksum(body, castagnoli) {
		return nil, ErrSeal
	}
	return body, nil
}
