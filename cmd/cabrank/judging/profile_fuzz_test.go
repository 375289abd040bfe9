package judging

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzReadProfile reads whatever is taken for a profile.
func FuzzReadProfile(f *testing.F) {
	f.Add("url: http://127.0.0.1:8080\nphone:\n  - 020774600010\n")
	f.Add("a: &a [*a]\n")
	f.Add("- 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "check.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if settings, err := readProfile(path); err != nil {
			require.Empty(t, settings)
		}
	})
}
