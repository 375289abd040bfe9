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

// ErrEncoding reports a Content-Encoding other than gzip, deflate and identity.
var ErrEncoding = errors.New("unknown content encoding")

// Unpack decodes a body by its Content-Encoding: gzip, deflate or none. The error is
// [ErrEncoding] for any other. It returns at most most+1 bytes; most+1 means that the
// body is longer than most.
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
		plain = flate.NewReader(bytes.NewReader(body)) // raw deflate, as some servers send it
		if z, err := zlib.NewReader(bytes.NewReader(body)); err == nil {
			plain = z // zlib, as RFC 9110 defines it
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
