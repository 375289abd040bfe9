package controlling

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// verifyFlags are the flags of 'cabrank requests verify'.
type verifyFlags struct {
	journalFlags

	inOrder bool
}

// longestExpect limits the size of a file of expectations, in bytes; servers have the
// same limit.
const longestExpect = 64 << 10

func newRequestsVerify(out cli.Outside) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify FILE|-",
		Short: "Compare the requests with a list of expectations",
		Long: `Compare the requests that 'cabrank serve' received with a list of expectations: a JSON file, or standard input. An
expectation selects requests ("op", and "match" like 'cabrank requests wait --match') and their number ("times": a
number or {"atLeast": 1, "atMost": 3}; the default is at least one). The file may also be {"expect": [...],
"inOrder": true}. If an expectation is not met, the closest requests are printed, and how they differ.

Exit codes: 0 all expectations are met, 1 not met, 2 wrong usage, 3 no response, or the server has no journal.`,
		Example: `  echo '[{"op": "user"}, {"op": "book", "times": 1}, {"op": "cancel", "times": 0}]' > expect.json
  cabrank requests verify expect.json --in-order
  echo '[{"match": {"verdict": "fail"}, "times": 0}]' | cabrank requests verify -`,
		Args: cli.ExactArgs("FILE"),
		RunE: f.inColour(func(cmd *cobra.Command, args []string) error {
			v, err := expectationsOf(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			v.InOrder = v.InOrder || f.inOrder
			if cmd.Flags().Changed("after") {
				v.After = f.after
			}
			return f.verify(cmd.Context(), out, v)
		}),
	}
	f.add(cmd, out)
	f.addAfter(cmd)
	cmd.Flags().BoolVar(&f.inOrder, "in-order", false, "each expectation applies to the requests after those of the previous one")
	return cmd
}

// expectationsOf reads a file of expectations; - is standard input.
func expectationsOf(in io.Reader, path string) (v query.Verification, err error) {
	if path == "-" {
		path = "standard input"
	} else {
		file, err := cli.OpenText(path)
		if err != nil {
			return v, cli.UsageError("%w", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, longestExpect+1))
	switch {
	case err != nil:
		return v, cli.UsageError("%s: %w", path, err)
	case len(text) > longestExpect:
		return v, cli.UsageError("%s: longer than %d bytes", path, longestExpect)
	}
	var into any = &v
	if strings.HasPrefix(strings.TrimSpace(string(text)), "[") {
		into = &v.Expect
	}
	if err := (inbound.Reading{Known: true}).Decode(text, into); err != nil {
		return v, cli.UsageError("%s is not a list of expectations: %w", path, cli.OneLine(err))
	}
	return v, nil
}

func (f *verifyFlags) verify(ctx context.Context, out cli.Outside, v query.Verification) error {
	met, p, err := orProblem(ctx, &f.journalFlags, http.StatusConflict, client.VerifyRequests, v)
	switch {
	case err != nil:
		return err
	case p == nil && f.asJSON:
		return printWhole(out, met)
	case p == nil:
		for i, found := range met.Found {
			if _, err := fmt.Fprintf(out.Stdout, "met      %d  %s: %s\n", i+1, wanted(v.Expect, i), callsOf(found)); err != nil {
				return err
			}
		}
		return nil
	case f.asJSON:
		err = printWhole(out, p)
	default:
		_, err = io.WriteString(out.Stdout, f.shortfalls(v.Expect, p))
	}
	if err != nil {
		return err
	}
	return cli.Exit(cli.ExitFindings, errors.New(cli.Line(p.Detail)))
}

// shortfalls lists the expectations that are not met, with the closest requests.
func (f *verifyFlags) shortfalls(expect []query.Expectation, p *client.Problem) string {
	var b strings.Builder
	for _, short := range p.Failed {
		fmt.Fprintf(&b, "not met  %d  %s: %s wanted, %s\n", short.Expect+1, wanted(expect, short.Expect), cli.Line(short.Want), callsOf(short.Found))
		if len(short.Earlier) > 0 {
			fmt.Fprintf(&b, "            too early: %s, before the calls of an earlier expectation\n", callsOf(short.Earlier))
		}
		b.WriteString(f.nearest(short.Nearest, "            "))
	}
	return b.String()
}

// wanted describes the requests that expectation i selects; "?" if there is no such expectation.
func wanted(expect []query.Expectation, i int) string {
	if i < 0 || i >= len(expect) { // the index comes from a server that may not be cabrank
		return "?"
	}
	var words []string
	if e := expect[i]; e.Op != nil {
		words = append(words, "/"+cli.Line(*e.Op))
	}
	if match := expect[i].Match; len(match) > 0 {
		words = append(words, cli.Line(string(match)))
	}
	if len(words) == 0 {
		return "any call"
	}
	return strings.Join(words, " ")
}

// callsOf lists requests by their ids.
func callsOf(ids []int) string {
	switch len(ids) {
	case 0:
		return "no call"
	case 1:
		return fmt.Sprintf("call %d", ids[0])
	}
	const most = 10
	var shown []string
	for _, id := range ids[:min(most, len(ids))] {
		shown = append(shown, fmt.Sprint(id))
	}
	if more := len(ids) - most; more > 0 {
		return fmt.Sprintf("calls %s and %d more", strings.Join(shown, ", "), more)
	}
	return "calls " + strings.Join(shown, ", ")
}
