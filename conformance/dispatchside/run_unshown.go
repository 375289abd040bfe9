package dispatchside

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// excuseStrangers sets the reason for the gaps of a server that books only for its
// customers: the run was given no customer's number.
func excuseStrangers(gaps []conformance.Gap, results []conformance.Result) []conformance.Gap {
	if !slices.ContainsFunc(results, booksForCustomers) {
		return gaps
	}
	for i := range gaps {
		gaps[i].Reason, gaps[i].Why = conformance.NeedsAid, rules.NameCustomers
	}
	return gaps
}

// booksForCustomers reports the verdict that a server books only for its customers.
func booksForCustomers(res conformance.Result) bool {
	if res.ID != "W-01" || res.Operation != rules.OpBook || res.Outcome != conformance.NotVerified || len(res.Findings) == 0 {
		return false
	}
	why := res.Findings[0].Reason
	return why != nil && why.Aid == conformance.AidNumbers
}
