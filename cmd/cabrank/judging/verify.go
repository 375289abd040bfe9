package judging

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// verifyFlags select what a signed result is compared with.
type verifyFlags struct {
	signer, run, newKey, suite string
	asJSON                     bool
}

func newVerify(out cli.Outside) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify RESULT",
		Short: "Verify a signed result, offline",
		Long: `Verify a result of 'cabrank check --result RESULT --sign KEY': it is unchanged, has not expired, belongs to
the suite of --suite, and is signed by --signer. Without --signer, anybody may have signed it. --run also
compares it with the run file. A file that another program could read differently is refused.

Exit codes: 0 all of this is true, and the run passed without a baseline that excuses a MUST; 1 something is
not true; 2 the file is not a signed result.`,
		Example: `  cabrank verify --new-key vendor.key
  cabrank check http://127.0.0.1:8080 --out run.json --result result.json --sign vendor.key
  cabrank verify result.json --signer vendor.key.pub --run run.json
  cabrank verify voice.json --signer vendor.key.pub --suite platform`,
		Args: cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.newKey != "" && len(args) == 0:
				if err := newKey(f.newKey); err != nil {
					return err
				}
				fmt.Fprintf(out.Stdout, "wrote %s (keep it) and %s.pub (give it away)\n", f.newKey, f.newKey)
				return nil
			case f.newKey != "" || len(args) == 0:
				return cli.UsageError("want %q, or --new-key FILE", cmd.UseLine())
			}
			return f.verify(args[0], out)
		},
	}
	cmd.Flags().StringVar(&f.signer, "signer", "", "public key of the expected signer")
	cmd.Flags().StringVar(&f.run, "run", "", "run file to compare with the result")
	cmd.Flags().StringVar(&f.suite, "suite", dispatchside.Suite.Name, "suite of the result: third-party, platform or caller")
	cmd.Flags().StringVar(&f.newKey, "new-key", "", "generate a signing key: FILE and FILE.pub")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the signed statement as JSON")
	return cmd
}

func (f *verifyFlags) verify(path string, out cli.Outside) error {
	wanted, err := suiteNamed(f.suite)
	if err != nil {
		return err
	}
	signed, err := readSigned(path)
	if err != nil {
		return err
	}
	var signer ed25519.PublicKey
	if f.signer != "" {
		if signer, err = readPublicKey(f.signer); err != nil {
			return err
		}
	}
	var run *conformance.RunFile
	if f.run != "" {
		if run, err = readRun(f.run); err != nil {
			return err
		}
	}
	if err := signed.Verify(cli.Now(), signer, run); err != nil {
		return cli.Exit(cli.ExitFindings, fmt.Errorf("%s: %w", path, err))
	}
	_, otherSuite := signed.Of(wanted.suite)
	if f.asJSON {
		err = cli.PrintJSON(out.Stdout, signed.Statement)
	} else {
		printResult(signed, signer != nil && otherSuite == nil, out)
	}
	if err != nil {
		return err
	}
	return worth(signed, signer, wanted.suite, out)
}

func readSigned(path string) (conformance.SignedResult, error) {
	file, err := os.Open(path)
	if err != nil {
		return conformance.SignedResult{}, cli.UsageError("RESULT: %w", err)
	}
	defer file.Close()
	signed, err := conformance.ReadSignedResult(file)
	if err != nil {
		return signed, cli.UsageError("%s: %w", path, err)
	}
	return signed, nil
}

// worth returns why an unchanged result is not the one that was requested; nil: it is.
func worth(signed conformance.SignedResult, signer ed25519.PublicKey, wanted *conformance.Suite, out cli.Outside) error {
	sameChecks, err := signed.Of(wanted)
	if err == nil && !sameChecks {
		fmt.Fprintf(out.Stderr, "cabrank: the checks of the suite %s are not those of this program: version %s made the result\n", wanted.Name, cli.Line(signed.Judge.Version))
	}
	switch {
	case signer == nil:
		return cli.Exit(cli.ExitFindings, errors.New("it is unchanged, and signed with the key that is in it; give --signer FILE.pub, the public key of the one who should have signed it"))
	case err != nil:
		return cli.Exit(cli.ExitFindings, fmt.Errorf("%w; --suite says which one is wanted", err))
	case signed.ExitCode != cli.ExitOK:
		return cli.Exit(cli.ExitFindings, nil)
	case slices.ContainsFunc(signed.Known, func(k conformance.Excused) bool { return k.Level == conformance.Must }):
		return cli.Exit(cli.ExitFindings, errors.New("the run passed by its own baseline: a MUST is not met"))
	}
	return nil
}

// printResult prints the content of a signed result; genuine: it is signed by the given
// key and belongs to the requested suite.
func printResult(s conformance.SignedResult, genuine bool, out cli.Outside) {
	if genuine {
		fmt.Fprintln(out.Stdout, "genuine, signed by the key given")
	}
	fmt.Fprintf(out.Stdout, "  target        %s\n  run           %s, good until %s\n  suite         %s, requirements/%s, by cabrank %s\n  verdict       %s\n",
		cli.Line(s.Target), s.Started.Format(time.RFC1123), s.Expires.Format(time.DateOnly), cli.Line(s.Judge.Suite),
		cli.Line(s.Requirements), cli.Line(s.Judge.Version), cli.Line(s.Verdict))
	for _, l := range s.Levels {
		fmt.Fprintf(out.Stdout, "  %-13s %d passed, %d failed, %d known failures, %d warnings, %d not verified\n",
			cli.Line(string(l.Level)), l.Pass, l.Fail, l.Known, l.Warn, l.NotVerified)
	}
	for _, k := range s.Known {
		fmt.Fprintf(out.Stdout, "  known         %s fails; %s has taken it on until %s: %s\n",
			cli.Line(fmt.Sprintf("%s@%s (%s)", k.ID, k.Operation, k.Level)), cli.Line(k.Owner), k.Until.Format(time.DateOnly), cli.Line(k.Reason))
	}
}
