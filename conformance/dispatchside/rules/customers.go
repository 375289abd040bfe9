package rules

import (
	"net/http"

	"github.com/cabrank/cabrank/conformance"
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
		case (x.Operation == OpUser || x.Operation == OpBook) && x.Succeeded():
			return false
		case x.Operation != OpBook || IsEdit(x):
		case x.Sound && (x.Code() != http.StatusNotFound || !x.Reply().IsObject()):
			return false
		case x.Sound:
			strangers = true
		case x.RefusedCleanly() && x.Code() != http.StatusNotFound && oddBooking(x):
			there = true
		}
	}
	return strangers && there
}

// NameCustomers is the reason and the cure for such a server.
const NameCustomers = "the server books only for numbers that it knows, and knew none of the invented ones: name two of its customers"

// excuseStrangers allows a server to refuse bookings of unknown users, and says so under
// the check that the operation answers.
func excuseStrangers(history []*conformance.Exchange, s *conformance.Findings) {
	var last *conformance.Exchange
	for _, x := range history {
		if x.Operation == OpBook && x.Sound {
			x.Sound, last = false, x
		}
	}
	why := conformance.Because(conformance.NotServed, "%s", NameCustomers)
	why.Aid = conformance.AidNumbers
	s.File(OpBook, "W-01", conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why}, last)
}
