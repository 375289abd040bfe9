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
		Short: "Predict what a dispatch system and a platform can do together",
		Long: `Read the run file of a dispatch system ('cabrank check URL --out FILE') and that of a calling platform
('cabrank check caller --drive URL --out FILE'), and predict what the two can do together:

  breaks   required by one of them, and will not work
  without  optional, and missing in one of them: will not be offered
  works    both runs show that it works
  unknown  a run has no evidence: no prediction

Predictions of "breaks" and "without" have their evidence from both sides: the check and its verdict, the
number of the request ('cabrank report RUN --call N' shows it) and the place in its body. Runs with aids
('--advance-url', '--fixtures') leave fewer unknown.

Exit codes: 0 nothing breaks, 1 something breaks, 2 wrong usage, 3 no prediction is possible.`,
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
	cmd.Flags().StringVar(&jsonTo, "json", "", "write the predictions to this file as JSON (- for standard output instead of the text)")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print every prediction with all evidence, and the reasons for unknown ones")
	return cmd
}

// forecast reads two run files and predicts how the two sides work together.
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

// predicted returns the exit code of a forecast as an error.
func predicted(f *interop.Forecast) error {
	switch {
	case f.Broken():
		return cli.Exit(cli.ExitFindings, nil)
	case f.Silent():
		return cli.Exit(cli.ExitUnreachable, nil)
	}
	return nil
}
