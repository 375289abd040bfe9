package judging

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/platformapi"
)

// explained is a suite, and what shows its checks.
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

// lookup returns the check with an id, and its suite.
func lookup(id string) (explained, conformance.Check, bool) {
	for _, s := range suites() {
		if c, ok := s.suite.Lookup(id); ok {
			return s, c, true
		}
	}
	for _, c := range orderChecks() {
		if strings.EqualFold(c.ID, id) {
			return explained{suite: &callingside.Suite, seeIt: "cabrank requests --rule %s"}, c, true
		}
	}
	return explained{}, conformance.Check{}, false
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
