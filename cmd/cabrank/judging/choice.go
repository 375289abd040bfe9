package judging

import (
	"cmp"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// partFlags say which checks of a suite are run.
type partFlags struct{ only, skip []string }

func (f *partFlags) add(fs *pflag.FlagSet) {
	fs.StringSliceVar(&f.only, "only", nil, "ids of checks, or patterns such as 'BOK-*': run only what they depend on")
	fs.StringSliceVar(&f.skip, "skip", nil, "ids of checks or patterns to leave out")
}

// choose returns the ids that the flags leave of a suite; nil: all.
func (f *partFlags) choose(s *conformance.Suite) ([]string, error) {
	ids, err := s.Choose(f.only, f.skip)
	if err != nil {
		return nil, cli.UsageError("--only, --skip: %w; 'cabrank explain' lists them", err)
	}
	return ids, nil
}

// part names the flag that makes it a run of a part of the suite; "": none.
func (f *partFlags) part() string {
	switch {
	case len(f.only) > 0:
		return "--only"
	case len(f.skip) > 0:
		return "--skip"
	}
	return ""
}

// choiceFlags say which part of a suite is run, and with which random walk.
type choiceFlags struct {
	partFlags
	seed uint64
}

func (f *choiceFlags) add(fs *pflag.FlagSet) {
	f.partFlags.add(fs)
	fs.Uint64Var(&f.seed, "seed", 1, "what the random walk follows from (0: another each time); names and numbers are new in every run")
}

// newTarget returns a server to judge, with the clock, the random walk (seed 0:
// another each time) and the made-up names of a new run.
func newTarget(address string, seed uint64) thirdparty.Target {
	nonce := uint64(cli.Now().UnixNano())
	return thirdparty.Target{URL: address, Now: cli.Now, Nonce: nonce, Seed: cmp.Or(seed, nonce)}
}

// apply chooses the checks of a run.
func (f *choiceFlags) apply(t *thirdparty.Target) (err error) {
	t.Only, err = f.choose(&thirdparty.Suite)
	return err
}
