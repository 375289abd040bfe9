package tracking

import (
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// servesCustomersOnly reports a server that books only for users whom it knows, so that it
// cannot be tested without numbers of its customers. It differs from a server without
// /book: it refuses malformed bookings as malformed, or answers that /user has nobody with
// these numbers.
func servesCustomersOnly(history []*conformance.Exchange) bool {
	strangers, there := false, false
	for _, x := range history {
		switch {
		case x.Request.Method != http.MethodPost || x.ToOtherPort():
		case (x.Operation == rules.OpUser || x.Operation == rules.OpBook) && x.Succeeded():
			return false
		case x.Operation != rules.OpBook || rules.IsEdit(x):
		case x.Sound && (x.Code() != http.StatusNotFound || !x.Reply().IsObject()):
			return false
		case x.Sound:
			strangers = true
		case x.RefusedCleanly() && x.Code() != http.StatusNotFound && rules.OddBooking(x):
			there = true
		}
	}
	return strangers && there
}

// excuseStrangers allows a server to refuse bookings of unknown users, and says so under
// the check that the operation answers.
func excuseStrangers(history []*conformance.Exchange, s *conformance.Findings) {
	var last *conformance.Exchange
	for _, x := range history {
		if x.Operation == rules.OpBook && x.Sound {
			x.Sound, last = false, x
		}
	}
	why := conformance.Because(conformance.NotServed, "%s", rules.NameCustomers)
	why.Aid = conformance.AidNumbers
	s.File(rules.OpBook, "W-01", conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why}, last)
}
