package dispatchside

import (
	"fmt"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
)

// unserved returns the MUSTs of the core that traffic of other clients cannot show since an
// operation was never served. If the server failed, that is its fault. Refusals may be right, as of
// an unknown caller: they count only if nothing at all was served.
func unserved(suite *conformance.Suite, history []*conformance.Exchange, results []conformance.Result) []conformance.Gap {
	served, failed := map[conformance.Operation]bool{}, map[conformance.Operation]*conformance.Exchange{}
	var refused *conformance.Exchange
	for _, x := range history {
		switch {
		case x.Succeeded():
			served[x.Operation] = true
		case x.Response == nil || x.Request.Method != http.MethodPost:
		case x.Code() < 200 || x.Code() >= 500:
			failed[x.Operation] = x
		default:
			refused = x
		}
	}
	var gaps []conformance.Gap
	for _, res := range results {
		check, _ := suite.Lookup(res.ID)
		if res.Outcome != conformance.NotVerified || !suite.Core(check) || suite.MayOmit[res.ID] || served[res.Operation] {
			continue
		}
		switch x := failed[res.Operation]; {
		case x != nil:
			gaps = append(gaps, conformance.Gap{ID: res.ID, Operation: res.Operation, Reason: conformance.NotServed, Why: fmt.Sprintf("%s was never served: call %d was answered %s", x.Operation.Path(), x.ID, statusText(x.Code()))})
		case len(served)+len(failed) == 0 && refused != nil:
			gaps = append(gaps, conformance.Gap{ID: res.ID, Operation: res.Operation, Reason: conformance.NeedsAid, Why: fmt.Sprintf("no call was served: call %d was answered %s", refused.ID, statusText(refused.Code()))})
		}
	}
	return gaps
}
