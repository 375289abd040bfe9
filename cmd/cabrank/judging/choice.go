package judging

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// partFlags select the checks of a suite to run.
type partFlags struct{ only, skip []string }

// add adds the flags; pattern is an example of a pattern for ids of the suite.
func (f *partFlags) add(fs *pflag.FlagSet, pattern string) {
	fs.StringSliceVar(&f.only, "only", nil, fmt.Sprintf("ids of checks, or patterns such as '%s': run only these", pattern))
	fs.StringSliceVar(&f.skip, "skip", nil, "ids of checks, or patterns, to skip")
}

// choose returns the selected ids of a suite; nil: all.
func (f *partFlags) choose(s *conformance.Suite) ([]string, error) {
	for i, names := range [][]string{f.only, f.skip} {
		if _, err := s.Choose(names, nil); err != nil {
			return nil, cli.UsageError("%s: %w%s; 'cabrank explain' lists all", []string{"--only", "--skip"}[i], err, elsewhere(s, err))
		}
	}
	ids, err := s.Choose(f.only, f.skip)
	if err != nil {
		return nil, cli.UsageError("--only, --skip: %w", err)
	}
	return ids, nil
}

// elsewhere says which suite has the check that was named, or else which ids of this
// suite are nearest.
func elsewhere(s *conformance.Suite, err error) string {
	unknown, ok := errors.AsType[*conformance.UnknownCheckError](err)
	if !ok {
		return ""
	}
	for _, other := range suites() {
		if ids, err := other.suite.Choose([]string{unknown.Name}, nil); err == nil && len(ids) > 0 && other.suite != s {
			return fmt.Sprintf("; it belongs to the suite %s, which 'cabrank %s' runs", other.suite.Name, other.command)
		}
	}
	return nearestTo(unknown.Name, idsOf(s))
}

// idsOf lists the ids of a suite's checks.
func idsOf(s *conformance.Suite) (ids []string) {
	for _, c := range s.Checks {
		ids = append(ids, c.ID)
	}
	return ids
}

// choiceFlags select a part of a suite, and its random walk.
type choiceFlags struct {
	partFlags
	seed uint64
}

func (f *choiceFlags) add(fs *pflag.FlagSet) {
	f.partFlags.add(fs, "BOK-*")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the random walk (0: another each time); names and phone numbers are new in every run")
}

// newTarget returns the target of a new run, with its clock, random walk (seed 0:
// different in every run) and generated names.
func newTarget(address string, seed uint64) dispatchside.Target {
	nonce := uint64(cli.Now().UnixNano())
	return dispatchside.Target{URL: address, Now: cli.Now, Nonce: nonce, Seed: cmp.Or(seed, nonce)}
}

// apply selects the checks of a run.
func (f *choiceFlags) apply(t *dispatchside.Target, s *conformance.Suite) (err error) {
	t.Only, err = f.choose(s)
	return err
}
