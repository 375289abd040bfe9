package dispatchside

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// excuseStrangers gives the gaps of a server that books for its customers only the
// reason that they have: the run was not told any. Whatever else it does is right.
func excuseStrangers(gaps []conformance.Gap, results []conformance.Result) []conformance.Gap {
	if !slices.ContainsFunc(results, booksForCustomers) {
		return gaps
	}
	for i := range gaps {
		gaps[i].Reason, gaps[i].Why = conformance.NeedsAid, rules.NameCustomers
	}
	return gaps
}

// booksForCustomers reports the verdict that says so.
func booksForCustomers(res conformance.Result) bool {
	if res.ID != "W-01" || res.Operation != rules.OpBook || res.Outcome != conformance.NotVerified || len(res.Findings) == 0 {
		return false
	}
	why := res.Findings[0].Reason
	return why != nil && why.Aid == conformance.AidNumbers
}
