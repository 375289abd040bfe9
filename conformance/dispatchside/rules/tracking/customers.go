package tracking

import (
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// servesCustomersOnly reports whether a server books only for users whom it knows, so that it cannot be tested
// without numbers of its customers. It differs from a server without /book in that it refuses malformed
// bookings as malformed.
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

// excuseStrangers allows a server to refuse bookings of unknown users, and records that /book could
// not be verified for them.
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

// writes reports whether a call is a /book or a /cancel, which may change something.
func writes(x *conformance.Exchange) bool {
	return x.Operation == rules.OpBook || x.Operation == rules.OpCancel
}

// wentThrough reports whether a probe can continue after a step. Probes about journeys do not depend on the
// contents of /config.
func wentThrough(x *conformance.Exchange) bool {
	return rules.Served(x) || x.Operation == rules.OpConfig && x.Succeeded()
}

// meansEnd reports whether a status says that a journey has ended: COMPLETE or CANCELLED, or a
// misspelling of one. STA-02 and CAN-01 judge the spelling.
func meansEnd(status jsonvalue.Value) bool {
	return taxi.Status(status.Text()).Terminal() || rules.StatusMeant(status.Text()).Terminal()
}

// meansCancelled reports whether a call succeeded and its status means CANCELLED, also if it is misspelt.
func meansCancelled(x *conformance.Exchange) bool {
	status := x.Reply().At("status").Text()
	return x.Succeeded() && (status == string(taxi.Cancelled) || rules.StatusMeant(status) == taxi.Cancelled)
}

// showsEnd reports whether a reply shows a journey that has ended.
func showsEnd(x *conformance.Exchange) bool {
	return taxi.Status(x.Reply().At("status").Text()).Terminal()
}

// isNumber reports whether a text has only characters of telephone numbers: digits, spaces and + - ( ) and dots.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789 +-().") == "" }

// answersUnclearly reports whether the status in the answer to a /cancel is not one of the interface, so that
// it is not known whether the journey has ended.
func answersUnclearly(x *conformance.Exchange) bool {
	return x.Succeeded() && !taxi.Status(x.Reply().At("status").Text()).Known()
}
