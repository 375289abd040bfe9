package judging

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/report/har"
)

// checkTrafficFlags select the recorded requests to test.
type checkTrafficFlags struct {
	outputFlags
	scoreFlags
	base, suiteName string
}

func newCheckTraffic(out cli.Outside) *cobra.Command {
	var f checkTrafficFlags
	cmd := &cobra.Command{
		Use:   "traffic FILE.har",
		Short: "Test recorded traffic by the same rules",
		Long: `Test the requests and responses that a browser, proxy or test recorded as HAR, by the rules of 'cabrank
check'. No request is sent. --suite caller tests the client, by the rules of 'cabrank check caller'.

` + exitCodes{of: "server", passed: ", in what was recorded"}.String(),
		Example: `  cabrank check traffic recorded.har
  cabrank check traffic recorded.har --base https://dispatch.example/taxi --html report.html
  cabrank check traffic recorded.har --suite caller`,
		Args: cli.ExactArgs("FILE.har"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args[0]) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.base, "base", "", "base address of the dispatch system in the traffic (default the one with most operations)")
	addSuite(fs, &f.suiteName)
	f.outputFlags.add(fs)
	f.scoreFlags.add(fs)
	return cmd
}

// addSuite adds the flag that selects the side to test, server or client.
func addSuite(fs *pflag.FlagSet, name *string) {
	fs.StringVar(name, "suite", dispatchside.Suite.Name, "the side to test: third-party (the server) or caller (the client)")
}

// trafficSuite returns the suite with a name, if it can judge recorded traffic; any other name is a usage error.
func trafficSuite(name string) (*conformance.Suite, error) {
	for _, s := range []*conformance.Suite{&dispatchside.Suite, &callingside.Suite} {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, cli.UsageError("--suite is %q, want %s or %s", name, dispatchside.Suite.Name, callingside.Suite.Name)
}

// isHAR reports whether an argument is a file of recorded traffic.
func isHAR(arg string) bool { return strings.HasSuffix(strings.ToLower(arg), ".har") }

func (f *checkTrafficFlags) run(cmd *cobra.Command, out cli.Outside, path string) error {
	judge, err := trafficSuite(f.suiteName)
	if err != nil {
		return err
	}
	f.suite, f.judge = judge, judge
	scoring, err := f.scoring()
	if err != nil {
		return err
	}
	if err := f.writable(); err != nil {
		return err
	}
	run, err := f.judged(cmd, out, func(terminal *report.Terminal) (*conformance.Report, error) {
		return f.judgeFile(path, scoring, terminal)
	})
	if err != nil {
		return err
	}
	return exitOf(run)
}

// judgeFile tests the recorded requests and prints the verdicts.
func (f *checkTrafficFlags) judgeFile(path string, scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
	file, err := cli.OpenText(path)
	if err != nil {
		return nil, cli.UsageError("recorded traffic: %w", err)
	}
	defer file.Close()
	recording, err := har.Read(f.suite, file, f.base)
	if err != nil {
		return nil, cli.UsageError("%s: %w", path, err)
	}
	printElsewhere(recording, terminal.W)
	report := journal.ReportOn(f.suite, recording.Base, recording.History)
	report.Score(scoring, cli.Now())
	terminal.Report(report)
	return report, nil
}

// printElsewhere prints how many requests are not tested because they went to other
// addresses.
func printElsewhere(r *har.Recording, w io.Writer) {
	for _, base := range slices.Sorted(maps.Keys(r.Elsewhere)) {
		fmt.Fprintf(w, "left out: %d calls to %q; --base judges them in place of those to %s\n", r.Elsewhere[base], base, r.Base)
	}
}
