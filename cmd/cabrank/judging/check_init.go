package judging

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

func newCheckInit(out cli.Outside) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "init [URL]",
		Short: "Write a settings file with all settings of a check, commented",
		Long: `Write a settings file with every setting of 'cabrank check' as a comment, and the URL if it is given. All commands
read cabrank.json in the current folder; another file is read with --config. An existing file is not changed.
Keep secrets out of the file: write env:NAME or @FILE in their place.`,
		Example: `  cabrank check init http://127.0.0.1:9000/taxi && cabrank check
  cabrank check init --out staging.json https://staging.example/taxi && cabrank check --config staging.json`,
		Args: cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			address := "http://127.0.0.1:8080"
			for _, address = range args {
				if err := isAddress(address); err != nil {
					return err
				}
			}
			return writeSettings(path, settingsForm(cmd.Parent(), address), out)
		},
	}
	cmd.Flags().StringVar(&path, "out", cli.SettingsFile, "the file to write")
	return cmd
}

// settingsForm returns a settings file with an address, and all other settings of a
// command as comments.
func settingsForm(cmd *cobra.Command, address string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Settings of cabrank; this file may have comments. Flags and environment variables take precedence.\n{\n  %q: {\n    \"url\": %s,\n\n", cmd.Name(), asJSON(address))
	for _, flag := range cli.Settable(cmd) {
		if flag.Name == "url" {
			continue
		}
		for line := range strings.Lines(flag.Usage) {
			fmt.Fprintf(&b, "    // %s\n", strings.TrimSuffix(line, "\n"))
		}
		fmt.Fprintf(&b, "    // %q: %s,\n\n", flag.Name, exampleOf(flag))
	}
	return strings.TrimSuffix(b.String(), "\n") + "  }\n}\n"
}

// exampleOf returns the default of a flag as JSON; [] for a list, and true for a switch.
func exampleOf(f *pflag.Flag) string {
	_, isList := f.Value.(pflag.SliceValue)
	switch kind := f.Value.Type(); {
	case isList:
		return `[]`
	case kind == "bool":
		return "true"
	case kind == "int" || kind == "uint64":
		return f.DefValue
	}
	return asJSON(f.DefValue)
}

// asJSON encodes a text as JSON and leaves & and < unescaped.
func asJSON(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // encoding a string never fails
	return strings.TrimSpace(b.String())
}

// writeSettings writes a new settings file; it never overwrites one.
func writeSettings(path, form string, out cli.Outside) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return cli.UsageError("check init: %s exists; choose another file with --out", path)
	}
	if err != nil {
		return cli.UsageError("check init: %w", err)
	}
	_, err = file.WriteString(form)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("check init: %w", err)
	}
	with := ""
	if path != cli.SettingsFile {
		with = " --config " + path
	}
	_, err = fmt.Fprintf(out.Stdout, "wrote %s; edit it, then: cabrank check%s\n", path, with)
	return err
}
