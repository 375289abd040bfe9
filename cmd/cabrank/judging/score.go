package judging

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// scoreFlags select the requirements that a run is scored by.
type scoreFlags struct {
	requirements string
	baseline     string
	claims       []string
	failOn       string
	suite        *conformance.Suite // nil: that of dispatch systems
}

// scoredBy is the suite that a run is scored by.
func (f *scoreFlags) scoredBy() *conformance.Suite { return cmp.Or(f.suite, &dispatchside.Suite) }

func (f *scoreFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.requirements, "requirements", "1", "set of requirements: 1 or latest")
	fs.StringVar(&f.baseline, "baseline", "", `JSON file of known failures, {"known":[{"id","owner","until","reason"}]}; an unused entry fails the run`)
	fs.StringVar(&f.failOn, "fail-on", string(conformance.Must), "lowest level that fails the run, in the exit code and in JUnit: must, should or robustness")
	fs.StringSliceVar(&f.claims, "claim", nil, "tiers that the server claims to offer: "+strings.Join(f.tiers(), ", ")+"; each must be verified")
}

// tiers lists the values of --claim.
func (f *scoreFlags) tiers() (names []string) {
	for _, t := range f.scoredBy().Tiers {
		names = append(names, t.Name)
	}
	return names
}

func (f *scoreFlags) scoring() (conformance.Scoring, error) {
	s := conformance.Scoring{Requirements: f.requirements, FailOn: conformance.Level(f.failOn)}
	if !slices.Contains([]conformance.Level{conformance.Must, conformance.Should, conformance.Robustness}, s.FailOn) {
		return s, cli.UsageError("--fail-on is %q, want must, should or robustness", f.failOn)
	}
	if _, err := f.scoredBy().Required(f.requirements); err != nil {
		return s, cli.UsageError("--requirements: %w", err)
	}
	for _, name := range f.claims {
		tier, err := f.scoredBy().TierNamed(name)
		if err != nil {
			return s, cli.UsageError("--claim: %w", err)
		}
		s.Claims = append(s.Claims, tier)
	}
	if f.baseline == "" {
		return s, nil
	}
	file, err := openFile("baseline", f.baseline)
	if err != nil {
		return s, err
	}
	defer file.Close()
	if s.Baseline, err = conformance.ReadBaseline(file, f.scoredBy()); err != nil {
		return s, cli.UsageError("--baseline %s: %w", f.baseline, err)
	}
	return s, nil
}
