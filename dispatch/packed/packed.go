// Package packed reads texts that are part of the program in compressed form. The sources are beside
// them; go generate compresses them again.
package packed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Text returns a text that was compressed by gzip.
func Text(zipped []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Must is [Text] for what is part of the program: it panics if that is damaged.
func Must(zipped []byte) []byte {
	text, err := Text(zipped)
	if err != nil {
		panic(fmt.Sprintf("packed: %v", err))
	}
	return text
}
