package main

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/packed"
)

// TestPackedFilesAreThoseBesideThem: whoever edits a document that the program has in compressed
// form compresses it again.
func TestPackedFilesAreThoseBesideThem(t *testing.T) {
	root, found := os.DirFS(filepath.Join("..", "..")), 0
	for _, pattern := range []string{"dispatch/taxi/*.yaml.gz", "fixtures/data/samples/*.gz"} {
		names, err := fs.Glob(root, pattern)
		require.NoError(t, err)
		for _, name := range names {
			zipped, err := fs.ReadFile(root, name)
			require.NoError(t, err)
			text, err := packed.Text(zipped)
			require.NoError(t, err, name)
			want, err := fs.ReadFile(root, strings.TrimSuffix(name, ".gz"))
			require.NoError(t, err)
			require.Equal(t, sha256.Sum256(want), sha256.Sum256(text), "%s is old: go generate ./dispatch/taxi ./fixtures", name)
			found++
		}
	}
	require.Equal(t, 6, found)
}
