package judging

import (
	"cmp"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// choiceFlags say which part of a suite is run, and with which random walk.
type choiceFlags struct {
	only []string
	seed uint64
}

func (f *choiceFlags) add(fs *pflag.FlagSet) {
	fs.StringSliceVar(&f.only, "only", nil, "ids of checks: run only the probes that they depend on")
	fs.Uint64Var(&f.seed, "seed", 1, "what the random walk follows from (0: another each time); names and numbers are new in every run")
}

// newTarget returns a server to judge, with the clock, the random walk (seed 0:
// another each time) and the made-up names of a new run.
func newTarget(address string, seed uint64) thirdparty.Target {
	nonce := uint64(cli.Now().UnixNano())
	return thirdparty.Target{URL: address, Now: cli.Now, Nonce: nonce, Seed: cmp.Or(seed, nonce)}
}

// apply chooses the checks of a run.
func (f *choiceFlags) apply(t *thirdparty.Target) error {
	for _, named := range f.only {
		id, _, _ := strings.Cut(strings.TrimSpace(named), "@") // reports name verdicts so
		c, ok := thirdparty.Suite.Lookup(id)
		if !ok {
			return cli.UsageError("--only: there is no check %q; 'cabrank explain' lists them", id)
		}
		t.Only = append(t.Only, c.ID)
	}
	return nil
}

// partial names the flag that makes it a run of a part of the suite; "": none.
func (f *choiceFlags) partial() string {
	if len(f.only) > 0 {
		return "--only"
	}
	return ""
}
