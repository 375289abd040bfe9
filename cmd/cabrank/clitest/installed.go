package clitest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Installed returns the node_modules with the packages that a folder of testdata, such as
// "clients", locks. .ci/clients installs them in the cache; if they are missing, the test
// is skipped, or fails if MUST_RUN is set.
func Installed(t *testing.T, testdata, folder string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	cache = filepath.Join(cache, "cabrank-"+strings.ReplaceAll(folder, "/", "-"))
	want, err := os.ReadFile(filepath.Join(testdata, folder, "package-lock.json"))
	require.NoError(t, err)
	have, err := os.ReadFile(filepath.Join(cache, "installed"))
	if err != nil || !bytes.Equal(want, have) {
		const missing = "the npm packages are missing or outdated: .ci/clients installs them"
		require.Empty(t, os.Getenv("MUST_RUN"), missing)
		t.Skip(missing)
	}
	return filepath.Join(cache, "node_modules")
}
