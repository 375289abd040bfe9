// Package golden compares what tests make with files that people read. `go test PACKAGE -update` rewrites
// the files of a package, after a change that was meant.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files of the package")

// Update reports whether a test is to rewrite its files. Only tests whose files are not text ask for it.
func Update() bool { return *update }

// Equal fails the test unless a file has this text.
func Equal(t testing.TB, path, got string) {
	t.Helper()
	Write(t, path, []byte(got))
	want, err := os.ReadFile(filepath.Clean(path))
	require.NoError(t, err)
	require.Equal(t, string(want), got, "if this was meant to change, run its package's tests with -update")
}

// Write writes a file under -update.
func Write(t testing.TB, path string, content []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
}
