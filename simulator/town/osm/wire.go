package osm

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cabrank/cabrank/simulator/town"
)

// errWire means that the bytes are not a valid protocol buffer.
var errWire = errors.New("not a well-formed protocol buffer")

// eachField calls visit for the fields of a message in order: v for numbers,
// data for texts, packed lists and messages.
func eachField(message []byte, visit func(field int, v uint64, data []byte) error) error {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return errWire
		}
		message = message[n:]
		v, data, size, err := fieldValue(message, int(key&7))
		if err != nil {
			return err
		}
		message = message[size:]
		if err := visit(int(key>>3), v, data); err != nil {
			return err
		}
	}
	return nil
}

// fieldValue parses a value by its wire type and returns its size in bytes.
func fieldValue(b []byte, wireType int) (v uint64, data []byte, size int, err error) {
	const varint, fixed64, bytes, fixed32 = 0, 1, 2, 5
	switch wireType {
	case varint, bytes:
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, nil, 0, errWire
		}
		if wireType == varint {
			return v, nil, n, nil
		}
		if v > uint64(len(b)-n) {
			return 0, nil, 0, errWire
		}
		return 0, b[n : n+int(v)], n + int(v), nil
	case fixed64, fixed32:
		size := map[int]int{fixed64: 8, fixed32: 4}[wireType]
		if len(b) < size {
			return 0, nil, 0, errWire
		}
		return 0, nil, size, nil // no map field that we use is fixed
	}
	return 0, nil, 0, fmt.Errorf("%w: wire type %d", errWire, wireType)
}

// mostNumbers limits the length of a list.
const mostNumbers = 1 << 20

// packed appends the numbers of a packed list to dst.
func packed(dst []uint64, data []byte) ([]uint64, error) {
	for len(data) > 0 {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return dst, errWire
		}
		if dst, data = append(dst, v), data[n:]; len(dst) > mostNumbers {
			return dst, fmt.Errorf("%w: more than %d numbers in a list", town.ErrTooLarge, mostNumbers)
		}
	}
	return dst, nil
}

// zigzag decodes a signed number.
func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// undelta replaces signed differences by their running sum.
func undelta(deltas []uint64) {
	sum := int64(0)
	for i, v := range deltas {
		sum += zigzag(v)
		deltas[i] = uint64(sum)
	}
}
