package taxi_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Vendors take this package into their own servers, so it brings nothing along.
func TestPackageNeedsOnlyTheStandardLibrary(t *testing.T) {
	for _, file := range sources(t) {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			root, _, _ := strings.Cut(path, "/")
			require.NotContains(t, root, ".", "import of %s", path)
			require.NotEqual(t, "C", root)
		}
	}
}

// goFiles lists the package's files, tests aside.
func goFiles(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var files []string
	for _, name := range all {
		if !strings.HasSuffix(name, "_test.go") {
			files = append(files, name)
		}
	}
	require.NotEmpty(t, files)
	return files
}
