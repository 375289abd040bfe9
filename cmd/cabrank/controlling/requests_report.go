package controlling

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	journal "github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// reportFlags select the form of a report on all requests.
type reportFlags struct {
	journalFlags

	as, suite, path string
	onlySeen        bool
}

// reportForms are the values of --as.
var reportForms = []string{"html", "junit", "markdown", "json"}

func newRequestsReport(out cli.Outside) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Summarise the verdicts on all requests",
		Long: `Summarise the verdicts on the requests that 'cabrank serve' received: the number of requests with each verdict,
and with findings of each check. --as html, junit and markdown write the report of a suite on the stored requests, with
pseudonyms for phone numbers; markdown is a summary for a pull request.`,
		Example: `  cabrank requests report
  cabrank requests report --as junit --only-seen -o junit.xml
  cabrank requests report --as html -o report.html --suite third-party`,
		Args: cli.ExactArgs(),
		RunE: f.inColour(func(cmd *cobra.Command, _ []string) error { return f.report(cmd.Context(), out.Stdout) }),
	}
	f.add(cmd, out)
	fs := cmd.Flags()
	fs.StringVar(&f.as, "as", "", "format: html, junit, markdown or json (default: a few lines of text)")
	fs.StringVar(&f.suite, "suite", "", "with --as html, junit or markdown: the suite, caller for the requests or third-party for the responses (default caller)")
	fs.BoolVar(&f.onlySeen, "only-seen", false, "with --as html, junit or markdown: leave out checks without any evidence")
	fs.StringVarP(&f.path, "out", "o", "", "write the report to this file, such as junit.xml")
	cli.Offer(cmd, "as", reportForms...)
	cli.Offer(cmd, "suite", "caller", "third-party")
	return cmd
}

func (f *reportFlags) report(ctx context.Context, w io.Writer) error {
	switch {
	case f.as != "" && !slices.Contains(reportForms, f.as):
		return cli.UsageError("--as is %q, want html, junit, markdown or json", f.as)
	case f.asJSON && f.as != "" && f.as != "json":
		return cli.UsageError("--json and --as %s are two forms: take one", f.as)
	case (f.suite != "" || f.onlySeen) && !f.bySuite():
		return cli.UsageError("--suite and --only-seen go with --as html, junit or markdown")
	}
	text, err := f.made(ctx)
	if err != nil {
		return err
	}
	if f.path != "" {
		return cli.Replace("--out", f.path, text, 0o644)
	}
	_, err = w.Write(text)
	return err
}

// bySuite reports whether --as selects the report of a suite.
func (f *reportFlags) bySuite() bool { return f.as == "html" || f.as == "junit" || f.as == "markdown" }

// made requests the report from the server, and returns it in the form of --as.
func (f *reportFlags) made(ctx context.Context) ([]byte, error) {
	f.within = textWithin
	q := url.Values{}
	if f.bySuite() {
		q = url.Values{"as": {f.as}, "onlySeen": {strconv.FormatBool(f.onlySeen)}}
		if f.suite != "" {
			q.Set("suite", f.suite)
		}
	}
	text, err := f.text(ctx, client.ReadReport, q)
	if err != nil || f.bySuite() {
		return text, err
	}
	var b bytes.Buffer
	if f.asJSON || f.as == "json" {
		err := cli.PrintJSON(&b, json.RawMessage(text))
		return b.Bytes(), err
	}
	var s journal.Summary
	if client.Decode(text, &s) != nil {
		return nil, f.stranger()
	}
	fmt.Fprintf(&b, "%d requests: %d ok, %d warn, %d fail\n", s.Calls, s.Verdicts[journal.OK], s.Verdicts[journal.Warn], s.Verdicts[journal.Fail])
	if s.Unjudged > 0 {
		fmt.Fprintf(&b, "%d more were dropped before they were judged\n", s.Unjudged)
	}
	for _, r := range s.Rules {
		such := ""
		if len(r.Examples) > 0 { // the examples may have been replaced by newer requests
			such = ", such as " + callsOf(r.Examples)
		}
		fmt.Fprintf(&b, "%s  %-7s %s of %d%s: %s\n", cli.Paint(f.colour && f.path == "", inks[r.Level], fmt.Sprintf("%-6s", cli.Line(r.Level))),
			cli.Line(r.Rule), cli.Line(r.About), r.Calls, such, cli.Line(r.Requirement))
	}
	return b.Bytes(), nil
}
