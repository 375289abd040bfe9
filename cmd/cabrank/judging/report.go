package judging

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
)

func newReport(out cli.Outside) *cobra.Command {
	var f formatFlags
	var call int
	var verbose bool
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Convert a run file: HTML, JUnit, Markdown, HAR",
		Long: `Convert the run file of 'cabrank check --out RUN' to other formats, without sending any request. Without a
format, print the verdicts as the run did.`,
		Example: `  cabrank report run.json -v
  cabrank report run.json --html report.html --junit junit.xml
  cabrank report run.json --markdown -
  cabrank report run.json --call 388`,
		Args: cli.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			boundMemory(out)
			run, err := readRun(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("call") {
				if err := report.WriteCall(out.Stdout, run, call); err != nil {
					return cli.Exit(cli.ExitUsage, err)
				}
				return nil
			}
			return f.show(cmd, args[0], run, verbose, out)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "also print passed checks, all evidence, and checks that were not verified")
	cmd.Flags().IntVar(&call, "call", 0, "show one request by its number: request, response, the verdicts that depend on it, and a curl command")
	return cmd
}

// show writes the requested formats, or prints the verdicts.
func (f *formatFlags) show(cmd *cobra.Command, path string, run *conformance.RunFile, verbose bool, out cli.Outside) error {
	if f.asked() {
		return f.write(run, out)
	}
	colour, err := cli.Coloured(cmd, out, out.Stdout)
	if err != nil {
		return err
	}
	terminal := report.Terminal{W: out.Stdout, Colour: colour, Verbose: verbose, RunFile: path, Catalogue: run.Catalogue}
	terminal.Report(&run.Report)
	return nil
}

// readRun reads a run file.
func readRun(path string) (*conformance.RunFile, error) {
	file, err := cli.OpenText(path)
	if err != nil {
		return nil, cli.Exit(cli.ExitUsage, err)
	}
	defer file.Close()
	run, err := conformance.ReadRunFile(file, &dispatchside.Suite, &platformapi.Suite, &callingside.Suite)
	if err != nil {
		return nil, cli.UsageError("%s: %w", path, err)
	}
	return run, nil
}
