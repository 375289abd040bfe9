package judging

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/interop"
)

func newPredict(out cli.Outside) *cobra.Command {
	var jsonTo string
	var verbose bool
	cmd := &cobra.Command{
		Use:   "predict VENDOR-RUN PLATFORM-RUN",
		Short: "Say from two run files what a dispatch system and a platform will do together",
		Long: `Join the run file of a dispatch system ('cabrank check URL --out FILE') and that of a calling platform
('cabrank check caller --drive URL --out FILE'), and say what the two will and will not do together:

  breaks   one needs it of the other, and it will not work
  without  one of the two does not have it, as it may: it will not be offered
  works    both runs show what it takes
  unknown  one of the runs does not: nothing is predicted

What breaks and what will not be offered is printed with what shows it on either side: the check and its
verdict, the number of the call ('cabrank report RUN --call N' shows it) and the place in its body. Runs
with everything that helps ('--advance-url', '--fixtures') leave less unknown.

Exit codes: 0 nothing breaks, 1 something that the two need of each other will not work, 2 wrong usage,
3 nothing can be said of the two.`,
		Example: `  cabrank predict vendor.json platform.json
  cabrank predict vendor.json platform.json -v
  cabrank predict vendor.json platform.json --json - | jq '.predictions[] | select(.verdict == "breaks")'`,
		Args: cli.ExactArgs("VENDOR-RUN", "PLATFORM-RUN"),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := forecast(args[0], args[1])
			if err != nil {
				return err
			}
			if jsonTo != "-" {
				for _, line := range f.Lines(verbose) {
					fmt.Fprintln(out.Stdout, cli.Printable(line))
				}
			}
			if jsonTo != "" {
				if err := writeTo("json", jsonTo, out, func(w io.Writer) error { return conformance.WriteJSON(w, f) }); err != nil {
					return err
				}
			}
			return predicted(f)
		},
	}
	cmd.Flags().StringVar(&jsonTo, "json", "", "write the predictions to this file as JSON (- for the standard output, in place of the text)")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print every prediction with all evidence, and why nothing is predicted")
	return cmd
}

// forecast reads the two run files and joins them.
func forecast(vendor, platform string) (*interop.Forecast, error) {
	first, err := readRun(vendor)
	if err != nil {
		return nil, err
	}
	second, err := readRun(platform)
	if err != nil {
		return nil, err
	}
	f, err := interop.Join(first, second)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return f, nil
}

// predicted ends the command with the exit code of a forecast.
func predicted(f *interop.Forecast) error {
	switch {
	case f.Broken():
		return cli.Exit(cli.ExitFindings, nil)
	case f.Silent():
		return cli.Exit(cli.ExitUnreachable, nil)
	}
	return nil
}
