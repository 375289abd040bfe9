package judging

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// checkMatrixFlags select the servers that the suite is tested with.
type checkMatrixFlags struct {
	suite   string
	mutants []string
	seed    uint64
	json    string
}

func newCheckMatrix(out cli.Outside) *cobra.Command {
	var f checkMatrixFlags
	cmd := &cobra.Command{
		Use:   "matrix",
		Short: "Test the suite itself, with servers that are broken on purpose",
		Long: `Run the suite against servers that are broken on purpose, each of which a check must fail, and against
unusual but valid servers, which must pass all checks. Without --mutant, run all of them. At least 95 of
100 reports on broken servers must name the actual error first.

--suite platform tests the suite of 'cabrank check platform', --suite caller that of 'cabrank check caller'.

Exit codes: 0 every verdict is as expected, 1 some are not, 2 wrong usage.`,
		Example: `  cabrank check matrix
  cabrank check matrix --mutant CAN-01
  cabrank check matrix --mutant CAN-01 --mutant "another vendor" --json matrix.json
  cabrank check matrix --suite platform
  cabrank check matrix --suite caller --mutant P-44`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), out) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.suite, "suite", dispatchside.Suite.Name, "the suite to test: third-party, platform or caller")
	fs.StringArrayVar(&f.mutants, "mutant", nil, "only the servers with this text in their name or in the ids of their checks; repeat the flag for more")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the random walk (0: another each time)")
	fs.StringVar(&f.json, "json", "", "write the matrix to this file as JSON (- for standard output instead of the text)")
	return cmd
}

func (f *checkMatrixFlags) run(ctx context.Context, out cli.Outside) error {
	if err := writable(map[string]string{"json": f.json}); err != nil {
		return err
	}
	s, err := suiteNamed(f.suite)
	if err != nil {
		return err
	}
	trial := matrix.Trial{
		Suite: s.suite, Now: cli.Now, Width: s.width*runtime.NumCPU() + 1,
		Sound:   func(ctx context.Context) (matrix.Subject, error) { return s.sound(ctx, f.seed) },
		Mutants: f.chosen(s.mutants()), Variants: f.chosen(s.variants()), Peers: f.chosen(s.peers()),
	}
	all := slices.Concat(trial.Mutants, trial.Variants, trial.Peers)
	for _, wanted := range f.mutants {
		if !slices.ContainsFunc(all, func(m matrix.Mutant) bool { return has(m, wanted) }) {
			return cli.UsageError("--mutant: no server has %s in its name or its checks; 'cabrank check matrix --suite %s' runs all", wanted, f.suite)
		}
	}
	const roomy = 400 // per cent: hundreds of servers produce much garbage, and each is small
	defer debug.SetGCPercent(debug.SetGCPercent(roomy))
	matrix, err := matrix.KillMatrix(ctx, trial)
	if err != nil {
		return err
	}
	if len(f.mutants) > 0 {
		matrix.Unproved = nil // the other servers did not run
	}
	if f.json != "" {
		err = writeTo("json", f.json, out, matrix.WriteJSON)
	} else {
		err = matrix.WriteText(out.Stdout)
	}
	if err == nil && !matrix.OK() {
		return cli.Exit(cli.ExitFindings, nil)
	}
	return err
}

// chosen returns the servers that --mutant names, or all without the flag.
func (f *checkMatrixFlags) chosen(all []matrix.Mutant) []matrix.Mutant {
	var chosen []matrix.Mutant
	for _, m := range all {
		if len(f.mutants) == 0 || slices.ContainsFunc(f.mutants, func(wanted string) bool { return has(m, wanted) }) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

// has reports whether a server has a text in its name or in the ids of its checks.
func has(m matrix.Mutant, wanted string) bool {
	return strings.Contains(strings.ToLower(m.Name+" "+m.KilledBy+" "+m.Warns), strings.ToLower(wanted))
}
