package cli

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// Coloured reports whether w should get colours, by --color, NO_COLOR and whether
// it is a terminal.
func Coloured(cmd *cobra.Command, out Outside, w io.Writer) (bool, error) {
	switch choice, _ := cmd.Flags().GetString("color"); choice {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return IsTerminal(w) && out.Getenv("NO_COLOR") == "", nil
	default:
		return false, UsageError("--color is %q, want auto, always or never", choice)
	}
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
