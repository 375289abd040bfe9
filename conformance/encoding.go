package conformance

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrEncoding refuses a Content-Encoding that is none of HTTP's old ones.
var ErrEncoding = errors.New("unknown content encoding")

// Unpack undoes a Content-Encoding: gzip, deflate, or none; the error is
// [ErrEncoding] for another. No more than most bytes come of it, and one more when
// there would be more.
func Unpack(encoding string, body []byte, most int) ([]byte, error) {
	var plain io.Reader
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		plain = z
	case "deflate":
		plain = flate.NewReader(bytes.NewReader(body)) // as some servers understand it
		if z, err := zlib.NewReader(bytes.NewReader(body)); err == nil {
			plain = z // as RFC 9110 does
		}
	default:
		return nil, fmt.Errorf("%w: %q", ErrEncoding, encoding)
	}
	text, err := io.ReadAll(io.LimitReader(plain, int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", encoding, err)
	}
	return text, nil
}
