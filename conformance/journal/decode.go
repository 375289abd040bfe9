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
	plain, err := conformance.Unpack(encoding, body, mostBody)
	switch {
	case errors.Is(err, conformance.ErrEncoding):
		return body, len(body) == 0
	case err != nil:
		return body, true
	case len(plain) > mostBody:
		return plain[:mostBody], false
	}
	return plain, true
}
