package journal

import (
	"errors"

	"github.com/cabrank/cabrank/conformance"
)

// Decode decompresses up to most bytes of a body for the judge. known is false if the whole
// body cannot be known: the encoding is not supported, or the result is too long. A body that
// is not encoded as labelled is returned unchanged, since its reader cannot decode it
// either.
func Decode(body []byte, encoding string, most int) (plain []byte, known bool) {
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
