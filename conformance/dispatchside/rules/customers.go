package rules

import (
	"net/http"

	"github.com/cabrank/cabrank/conformance"
)

// servesCustomersOnly reports a server that books for nobody whom it does not know:
// whether it is right cannot be shown without numbers of its customers. That is no
// server without a /book: it finds a malformed booking malformed, or knows that /user
// has nobody under these numbers.
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

// NameCustomers is what to do about such a server.
const NameCustomers = "the server books for numbers that it knows, and knew none of those made up: name two of its customers"

// excuseStrangers takes it that the bookings of a server's strangers may be refused,
// and says so under the check that the operation answers at all.
func (r *tracker) excuseStrangers(history []*conformance.Exchange) {
	var last *conformance.Exchange
	for _, x := range history {
		if x.Operation == OpBook && x.Sound {
			x.Sound, last = false, x
		}
	}
	why := conformance.Because(conformance.NotServed, "%s", NameCustomers)
	why.Aid = conformance.AidNumbers
	r.File(OpBook, "W-01", conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why}, last)
}
