package judging

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func newExplain(out cli.Outside) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain [ID]",
		Short: "Explain a check: the requirement, its source, its reason, and how to meet it",
		Long: `Explain a check of 'cabrank check', 'check platform' or 'check caller', with the requests by which the
reference passes it. Without an id, list all checks. With words instead of an id, list the checks whose text
contains all of them.`,
		Example: `  cabrank explain BOK-16
  cabrank explain TOK-15
  cabrank explain P-44
  cabrank explain A11
  cabrank explain dropoffs
  cabrank explain --json`,
		Args: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			return explain(cmd.Context(), strings.Join(args, " "), asJSON, out)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, c := range allChecks() {
				ids = append(ids, c.ID+"\t"+c.Requirement)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the check or the list as JSON")
	return cmd
}

func explain(ctx context.Context, what string, asJSON bool, out cli.Outside) error {
	id, _, _ := strings.Cut(what, "@") // reports name verdicts like "W-07@user"
	if s, c, ok := lookup(id); ok {
		if asJSON {
			return cli.PrintJSON(out.Stdout, c)
		}
		return s.explain(ctx, c, out)
	}
	if question := openQuestion(id); question != "" {
		fmt.Fprintln(out.Stdout, question)
		return nil
	}
	found := matching(what)
	if len(found) == 0 {
		return cli.UsageError("there is no check %q%s; 'cabrank explain' lists all", what, nearestTo(what, checkIDs()))
	}
	if asJSON {
		return cli.PrintJSON(out.Stdout, found)
	}
	for _, c := range found {
		fmt.Fprintf(out.Stdout, "%-7s %-10s %s\n", c.ID, c.Level, c.Requirement)
	}
	return nil
}

// openQuestion explains a question that the interface leaves open, such as A11: the
// answer that the suite accepts, and the checks that depend on it. It returns "" for an
// unknown id.
func openQuestion(id string) string {
	for _, s := range suites() {
		for _, a := range s.suite.Ambiguities {
			if strings.EqualFold(a.ID, id) {
				return fmt.Sprintf("%s (open)\n\n  %s\n\n  accepted     %s\n  checks       %s", a.ID, a.Question, a.Accepted, strings.Join(a.Checks, ", "))
			}
		}
	}
	return ""
}

// explain prints the requirement of a check, its reasons, and how to see it.
func (s explained) explain(ctx context.Context, c conformance.Check, out cli.Outside) error {
	fmt.Fprintf(out.Stdout, "%s (%s)\n\n  %s\n\n", c.ID, c.Level, c.Requirement)
	row := func(label, text string) {
		if text != "" {
			fmt.Fprintf(out.Stdout, "  %-12s %s\n", label, fold(text, 84, strings.Repeat(" ", 15)))
		}
	}
	row("clause", c.Clause)
	row("why", c.Why)
	row("hint", c.Hint)
	row("hurts", string(c.Harm))
	row("the "+s.suite.UserName(), string(c.Tier))
	row("needs", c.Needs)
	row("shown with", report.FlagsFor(c.Aid))
	for _, a := range s.suite.Aids {
		if slices.Contains(a.Checks, c.ID) {
			row("shown with", report.FlagsFor(a.Aid))
		}
	}
	for _, a := range s.suite.Ambiguities {
		if slices.Contains(a.Checks, c.ID) {
			row("open", a.ID+": "+a.Question+" "+a.Accepted)
		}
	}
	if s.alone != nil {
		if err := s.showCalls(ctx, c.ID, out); err != nil {
			return err
		}
	}
	fmt.Fprintf(out.Stdout, "\n  see it       %s\n", fmt.Sprintf(s.seeIt, c.ID))
	return nil
}

// showCalls runs a check against the reference, and prints the requests that show it.
func (s explained) showCalls(ctx context.Context, id string, out cli.Outside) error {
	rep, err := s.alone(ctx, id)
	if err != nil {
		return err
	}
	var calls strings.Builder
	if err := report.WriteStory(&calls, conformance.NewRunFile(rep, cli.Version()), id); err != nil {
		return err
	}
	fmt.Fprintf(out.Stdout, "\n  requests to the reference, and its responses:\n%s\n", indented(calls.String()))
	return nil
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}

// matching returns the checks whose text contains all words; all checks if there are no
// words.
func matching(words string) []conformance.Check {
	found := []conformance.Check{}
	for _, c := range allChecks() {
		text := strings.ToLower(strings.Join([]string{c.ID, string(c.Level), c.Clause, c.Requirement, c.Why, c.Hint}, " "))
		fits := true
		for w := range strings.FieldsSeq(strings.ToLower(words)) {
			fits = fits && strings.Contains(text, w)
		}
		if fits {
			found = append(found, c)
		}
	}
	return found
}

// nearestTo returns a question that suggests ids with up to two wrong letters, or "" if there are none.
func nearestTo(what string, ids []string) string {
	const furthest = 2 // wrong letters
	what = strings.ToUpper(what)
	var near []string
	for _, id := range cli.Nearest(what, ids) {
		if cli.Changes(what, id) <= furthest {
			near = append(near, id)
		}
	}
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, ", ") + "?"
}

func checkIDs() []string {
	var ids []string
	for _, c := range allChecks() {
		ids = append(ids, c.ID)
	}
	return ids
}

// explained is a suite with what 'cabrank explain' needs to show its checks.
type explained struct {
	suite   *conformance.Suite
	alone   func(ctx context.Context, id string) (*conformance.Report, error) // runs a check against a reference; nil: there is none
	command string                                                            // that runs the suite
	seeIt   string                                                            // commands that show a check, with %s for its id
}

// suites lists the suites that can be explained.
func suites() []explained {
	return []explained{
		{&dispatchside.Suite, systemAlone, "check", "cabrank check URL --out run.json; cabrank repeat run.json#%s"},
		{&platformapi.Suite, platformAlone, "check platform", "cabrank check platform URL --credentials-file FILE --only %s"},
		{&callingside.Suite, callerAlone, "check caller", "cabrank check caller --drive URL --only %s"},
	}
}

// lookup returns the check with an id, and its suite; false: there is none.
func lookup(id string) (explained, conformance.Check, bool) {
	for _, s := range suites() {
		if c, ok := s.suite.Lookup(id); ok {
			return s, c, true
		}
	}
	for _, c := range trafficChecks() {
		if strings.EqualFold(c.ID, id) {
			return explained{suite: &callingside.Suite, seeIt: "cabrank requests --rule %s"}, c, true
		}
	}
	return explained{}, conformance.Check{}, false
}

// trafficChecks returns the checks that only traffic of other clients shows. Only the journal of 'cabrank serve' has them; no suite does.
func trafficChecks() []conformance.Check { return callingside.Suite.Traffic.Checks }

// allChecks returns the checks of every suite, and those of [trafficChecks].
func allChecks() []conformance.Check {
	var all []conformance.Check
	for _, s := range suites() {
		all = append(all, s.suite.Checks...)
	}
	return append(all, trafficChecks()...)
}

func newOpenAPI(out cli.Outside) *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the contract of the five operations as OpenAPI 3.1",
		Long: `Print the contract of the five operations as an OpenAPI 3.1 document in YAML, for code generators and
validators. 'cabrank explain' lists the requirements that OpenAPI cannot express.`,
		Example: `  cabrank openapi > openapi.yaml`,
		Args:    cli.ExactArgs(),
		RunE: func(*cobra.Command, []string) error {
			if _, err := out.Stdout.Write(taxi.OpenAPI()); err != nil {
				return fmt.Errorf("print the contract: %w", err)
			}
			return nil
		},
	}
}
