// Package packed reads texts that are part of the program in compressed form, and compresses them for go
// generate.
package packed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Zip compresses a text as far as gzip can, without a name and a time: the same text gives the same bytes.
func Zip(text []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // fails for an unknown level
	_, _ = z.Write(text)                                    // a buffer takes all
	_ = z.Close()
	return out.Bytes()
}

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
