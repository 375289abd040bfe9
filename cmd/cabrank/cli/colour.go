package cli

import (
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/lmittmann/tint"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// Coloured reports whether output to w is coloured. That depends on --color, NO_COLOR and
// whether w is a terminal.
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

// colour tells the output writers of a command whether to let colours through.
func colour(cmd *cobra.Command, out Outside) error {
	for _, w := range []io.Writer{out.Stdout, out.Stderr} {
		on, err := Coloured(cmd, out, w)
		if err != nil {
			return err
		}
		if p, ok := w.(*printed); ok { // out is another writer when the commands are only described
			p.colour(on)
		}
	}
	return nil
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := Raw(w).(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Ink is a colour or a weight of text in a terminal.
type Ink string

// Colours and weights.
const (
	Bold    Ink = "1"
	Dim     Ink = "2"
	Red     Ink = "31"
	Green   Ink = "32"
	Yellow  Ink = "33"
	Blue    Ink = "34"
	Magenta Ink = "35"
	Cyan    Ink = "36"
)

// Paint wraps text in the codes of an ink if the output is coloured.
func Paint(coloured bool, ink Ink, text string) string {
	if !coloured || ink == "" || text == "" {
		return text
	}
	return "\x1b[" + string(ink) + "m" + text + "\x1b[0m"
}

// Logger returns the log for a value of --log: text or json on standard error, or off. Other values are usage errors.
func Logger(cmd *cobra.Command, out Outside, how string) (*slog.Logger, error) {
	switch how {
	case "off":
		return slog.New(slog.DiscardHandler), nil
	case "json":
		return slog.New(slog.NewJSONHandler(out.Stderr, nil)), nil
	case "text":
		colour, err := Coloured(cmd, out, out.Stderr)
		return slog.New(tint.NewTextHandler(out.Stderr, &tint.Options{NoColor: !colour, TimeFormat: time.TimeOnly})), err
	}
	return nil, UsageError("--log is %q, want text, json or off", how)
}
