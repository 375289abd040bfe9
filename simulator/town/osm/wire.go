package osm

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/cabrank/cabrank/simulator/town"
)

// errWire means that the bytes are not a valid protocol buffer.
var errWire = errors.New("not a well-formed protocol buffer")

// eachField calls visit for the fields of a message in order: v for numbers,
// data for texts, packed lists and messages.
func eachField(message []byte, visit func(field int, v uint64, data []byte) error) error {
	for len(message) > 0 {
		var v uint64
		var data []byte
		field, kind, n := protowire.ConsumeTag(message)
		if n >= 0 {
			message = message[n:]
			switch kind {
			case protowire.VarintType:
				v, n = protowire.ConsumeVarint(message)
			case protowire.BytesType:
				data, n = protowire.ConsumeBytes(message)
			default: // no map field that we use
				n = protowire.ConsumeFieldValue(field, kind, message)
			}
		}
		if n < 0 {
			return fmt.Errorf("%w: %w", errWire, protowire.ParseError(n))
		}
		message = message[n:]
		if err := visit(int(field), v, data); err != nil {
			return err
		}
	}
	return nil
}

// mostNumbers limits the length of a list.
const mostNumbers = 1 << 20

// packed appends the numbers of a packed list to dst.
func packed(dst []uint64, data []byte) ([]uint64, error) {
	for len(data) > 0 {
		v, n := protowire.ConsumeVarint(data)
		if n < 0 {
			return dst, errWire
		}
		if dst, data = append(dst, v), data[n:]; len(dst) > mostNumbers {
			return dst, fmt.Errorf("%w: more than %d numbers in a list", town.ErrTooLarge, mostNumbers)
		}
	}
	return dst, nil
}

// lists decodes the packed lists of a message into the slices for their fields.
func lists(message []byte, into map[int]*[]uint64) error {
	return eachField(message, func(field int, _ uint64, data []byte) (err error) {
		if list := into[field]; list != nil {
			*list, err = packed(*list, data)
		}
		return err
	})
}

// undelta replaces signed differences by their running sum.
func undelta(deltas []uint64) {
	sum := int64(0)
	for i, v := range deltas {
		sum += protowire.DecodeZigZag(v)
		deltas[i] = uint64(sum)
	}
}
