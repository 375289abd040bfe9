package journal

import (
	"errors"

	"github.com/cabrank/cabrank/conformance"
)

// Decode undoes the compression of a body for the judge. known is false when all
// of the body cannot be known: the encoding is none of HTTP's old ones, or too
// much comes out. A body that is not what it is said to be stays as it is, since
// its reader cannot make sense of it either.
func Decode(body []byte, encoding string) (plain []byte, known bool) {
	return DecodeUpTo(body, encoding, mostBody)
}

// DecodeUpTo is Decode of a body of which so many bytes are read at most.
func DecodeUpTo(body []byte, encoding string, most int) (plain []byte, known bool) {
	plain, err := conformance.Unpack(encoding, body, most)
	switch {
	case errors.Is(err, conformance.ErrEncoding):
		return body, len(body) == 0
	case err != nil:
		return body, true
	case len(plain) > most:
		return plain[:most], false
	}
	return plain, true
}
