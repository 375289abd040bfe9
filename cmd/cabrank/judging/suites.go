package judging

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/mutants"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
	platformmutants "github.com/cabrank/cabrank/conformance/platformapi/mutants"
)

// proved is a suite with its broken servers, and the reference that passes it.
type proved struct {
	suite    *conformance.Suite
	mutants  func() []matrix.Mutant
	variants func() []matrix.Mutant
	peers    func() []matrix.Mutant
	sound    func(ctx context.Context, seed uint64) (matrix.Subject, error)    // a reference to break
	alone    func(ctx context.Context, id string) (*conformance.Report, error) // nil: there is no reference to show requests
	command  string                                                            // that runs the suite
	seeIt    string                                                            // commands that show a check, with %s for its id
	width    int                                                               // servers that a matrix tests at a time, for each processor
}

// suites lists the suites that can be explained and proved.
func suites() []proved {
	return []proved{
		{
			&dispatchside.Suite, mutants.All, mutants.Variants, mutants.NullPeers, soundSystem, systemAlone,
			"check", "cabrank check URL --out run.json; cabrank repeat run.json#%s", 1,
		},
		{
			&platformapi.Suite, platformmutants.All, platformmutants.Variants, platformmutants.NullPeers, soundPlatform, platformAlone,
			"check platform", "cabrank check platform URL --credentials-file FILE --only %s", 1,
		},
		{
			&callingside.Suite, callerMutants, callerVariants, callerPeers, soundCaller, callerAlone,
			"check caller", "cabrank check caller --drive URL --only %s", 3, // they wait most of the time
		},
	}
}

// suiteNamed returns the suite with a name.
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
	for _, c := range orderChecks() {
		if strings.EqualFold(c.ID, id) {
			return proved{suite: &callingside.Suite, mutants: callerMutants, seeIt: "cabrank requests --rule %s"}, c, true
		}
	}
	return proved{}, conformance.Check{}, false
}

// orderChecks are checks of the order of requests. Only the journal of 'cabrank serve'
// has them; no suite does.
func orderChecks() []conformance.Check { return callingside.Suite.Traffic.Checks }

// allChecks are the checks of every suite, and orderChecks.
func allChecks() []conformance.Check {
	var all []conformance.Check
	for _, s := range suites() {
		all = append(all, s.suite.Checks...)
	}
	return append(all, orderChecks()...)
}
