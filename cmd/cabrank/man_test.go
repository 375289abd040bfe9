package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestManualPages expects a page for each command, with each of its flags.
func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	said := newShell(t).OK("man", dir)
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%d pages in %s\n", len(pages), dir), said)
	cli.Walk(cli.Root(cli.Outside{}, groups), func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		page := clitest.Read(t, filepath.Join(dir, name+".1"))
		text := strings.ReplaceAll(page, `\-`, "-")
		require.Contains(t, text, "\n.SH NAME\n"+name+" - "+cmd.Short)
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			require.True(t, f.Hidden || strings.Contains(text, "--"+f.Name), "%s: --%s", name, f.Name)
		})
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, ".") {
				require.Regexp(t, `^\.(TH|nh|ad|SH|B|BR|TP|PP|nf|fi)\b`, line, "%s: text that man(1) takes for a macro", name)
			}
		}
	})
}
