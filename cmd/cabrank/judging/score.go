package judging

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// scoreFlags say what a run is scored by.
type scoreFlags struct {
	requirements string
	baseline     string
	claims       []string
	failOn       string
}

func (f *scoreFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.requirements, "requirements", "1", "score by this frozen set of requirements, or by the latest: 1 or latest")
	fs.StringVar(&f.baseline, "baseline", "", `JSON file of known failures, {"known":[{"id","owner","until","reason"}]}; an entry that excuses nothing fails the run`)
	fs.StringVar(&f.failOn, "fail-on", string(conformance.Must), "lowest level whose failures fail the run, in the exit code and in JUnit: must, should or robustness")
	fs.StringSliceVar(&f.claims, "claim", nil, "tiers that the server claims to offer: core, eta, price, vehicle, driver, map, coming-now; each must be shown")
}

func (f *scoreFlags) scoring() (conformance.Scoring, error) {
	s := conformance.Scoring{Requirements: f.requirements, FailOn: conformance.Level(f.failOn)}
	if !slices.Contains([]conformance.Level{conformance.Must, conformance.Should, conformance.Robustness}, s.FailOn) {
		return s, cli.UsageError("--fail-on is %q, want must, should or robustness", f.failOn)
	}
	if _, err := thirdparty.Suite.Required(f.requirements); err != nil {
		return s, cli.UsageError("--requirements: %w", err)
	}
	for _, name := range f.claims {
		tier, err := thirdparty.Suite.TierNamed(name)
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
	if s.Baseline, err = conformance.ReadBaseline(file, &thirdparty.Suite); err != nil {
		return s, cli.UsageError("%s: %w", f.baseline, err)
	}
	return s, nil
}
