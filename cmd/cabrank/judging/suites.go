package judging

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
	platformmutants "github.com/cabrank/cabrank/conformance/platformapi/mutants"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"github.com/cabrank/cabrank/conformance/thirdparty/mutants"
)

// proved is a suite with the servers that prove it, and with the reference that meets it.
type proved struct {
	suite    *conformance.Suite
	mutants  func() []matrix.Mutant
	variants func() []matrix.Mutant
	peers    func() []matrix.Mutant
	sound    func(ctx context.Context, seed uint64) (matrix.Subject, error) // a reference to break
	alone    func(ctx context.Context, id string) (*conformance.Report, error)
	seeIt    string // the commands that show a check, with %s for its id
}

// suites are those that can be explained and proved.
func suites() []proved {
	return []proved{
		{
			&thirdparty.Suite, mutants.All, mutants.Variants, mutants.NullPeers, soundSystem, systemAlone,
			"cabrank check URL --out run.json; cabrank repeat run.json#%s",
		},
		{
			&platformapi.Suite, platformmutants.All, platformmutants.Variants, platformmutants.NullPeers, soundPlatform, platformAlone,
			"cabrank check platform URL --credentials-file FILE --only %s",
		},
		{
			&callingside.Suite, callerMutants, callerVariants, callerPeers, soundCaller, callerAlone,
			"cabrank check caller --drive URL --only %s",
		},
	}
}

// suiteNamed returns the suite of a name.
func suiteNamed(name string) (proved, error) {
	var names []string
	for _, s := range suites() {
		if s.suite.Name == name {
			return s, nil
		}
		names = append(names, s.suite.Name)
	}
	return proved{}, cli.UsageError("--suite is %q, want %s", name, strings.Join(names, " or "))
}

// lookup returns the check with an id, and its suite.
func lookup(id string) (proved, conformance.Check, bool) {
	for _, s := range suites() {
		if c, ok := s.suite.Lookup(id); ok {
			return s, c, true
		}
	}
	return proved{}, conformance.Check{}, false
}

// allChecks are the checks of every suite.
func allChecks() []conformance.Check {
	var all []conformance.Check
	for _, s := range suites() {
		all = append(all, s.suite.Checks...)
	}
	return all
}
