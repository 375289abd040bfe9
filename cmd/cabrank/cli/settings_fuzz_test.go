package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
)

// FuzzReadSettings checks that a settings file that is accepted is valid JSON with comments, and sets only flags that
// exist.
func FuzzReadSettings(f *testing.F) {
	f.Add(`{"serve":{"speed":60},"url":"http://one"}`)
	f.Add(`{"check":{"only":["a","b"],"self":{"quiet":true}}}`)
	f.Add(`{"serve":{"speed":null}}`)
	f.Add(`{"serve":{"speed":1,"speed":2}}`)
	f.Add(`{"serve":5}`)
	f.Add("{// how fast\n\"serve\":{\"speed\":60,},}")
	f.Add("{\n\"serve\":")
	path := filepath.Join(f.TempDir(), "cabrank.json")
	f.Fuzz(func(t *testing.T, text string) {
		root := &cobra.Command{Use: "cabrank"}
		serve, check, self := &cobra.Command{Use: "serve"}, &cobra.Command{Use: "check"}, &cobra.Command{Use: "self"}
		serve.Flags().Int("speed", 1, "")
		serve.Flags().String("url", "", "")
		Share(serve.Flags(), "url")
		check.Flags().StringSlice("only", nil, "")
		self.Flags().Bool("quiet", false, "")
		check.AddCommand(self)
		root.AddCommand(serve, check)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		s, err := readSettings(root, path)
		if err != nil {
			return
		}
		_, err = hujson.Parse([]byte(text))
		require.NoError(t, err)
		for name := range s.values {
			require.Contains(t, []string{"serve.speed", "serve.url", "check.only", "check self.quiet", "url"}, name)
		}
	})
}
