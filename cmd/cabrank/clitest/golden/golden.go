// Package golden compares what tests make with files that people read, and with OpenAPI documents.
// `go test PACKAGE -update` rewrites the files of a package, after a change that was meant.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files of the package")

// Update reports whether -update is set. Only tests whose files are not text need to ask.
func Update() bool { return *update }

// Equal fails the test unless a file has this text. With -update it writes the file first.
func Equal(t testing.TB, path, got string) {
	t.Helper()
	Write(t, path, []byte(got))
	want, err := os.ReadFile(filepath.Clean(path))
	require.NoError(t, err)
	require.Equal(t, string(want), got, "if this was meant to change, run its package's tests with -update")
}

// Write writes a file if -update is set, and otherwise does nothing.
func Write(t testing.TB, path string, content []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
}

// Lines formats a JSON value with each element and member in a line of its own. Values that are more than depth levels
// inside stay in one line.
func Lines(t testing.TB, text []byte, depth int) []byte {
	t.Helper()
	value := jsontext.Value(bytes.TrimSpace(bytes.Clone(text)))
	require.NoError(t, value.Compact(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)))
	kind := value.Kind()
	if depth == 0 || len(value) == 2 || kind != '{' && kind != '[' {
		return value
	}
	var parts [][]byte
	d := jsontext.NewDecoder(bytes.NewReader(value))
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != '}' && d.PeekKind() != ']' {
		var part, inner jsontext.Value
		if kind == '{' {
			part, err = d.ReadValue()
			part = append(part.Clone(), ": "...)
		}
		require.NoError(t, err)
		inner, err = d.ReadValue()
		parts = append(parts, append(part, Lines(t, inner, depth-1)...))
	}
	require.NoError(t, err)
	whole := append(value[:1:1], '\n')
	return append(append(append(whole, bytes.Join(parts, []byte(",\n"))...), '\n'), value[len(value)-1])
}
