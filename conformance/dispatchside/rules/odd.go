package rules

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// A server that accepts an invalid booking has to return the invalid values: the fault
// is that it accepted the call, and is reported once, under that call's check.

// OddBooking reports whether a server should have refused a booking for its contents.
func OddBooking(x *conformance.Exchange) bool {
	return IsBad(x.Intent) || oddIntents[x.Intent] != "" || len(bookFaults(x.Sent())) > 0
}

// oddIntents has the checks of other unusual bookings, which a server may accept or refuse.
var oddIntents = map[conformance.Intent]string{IntentMistyped: "BOK-40", IntentTimeForm: "BOK-41"}

// OddCheck returns the id of the check that judges a booking for which [OddBooking] is true.
func OddCheck(made *conformance.Exchange) string {
	if IsBad(made.Intent) {
		return BadChecksOf[made.Intent]
	}
	if check := oddIntents[made.Intent]; check != "" {
		return check
	}
	return bookFaults(made.Sent())[0].check
}

// JourneyFlaws returns the differences of a journey's members from the interface.
func JourneyFlaws(j jsonvalue.Value) []Flaw {
	var flaws []Flaw
	for _, part := range journeyParts {
		if v := j.At(part.key); v.Given() {
			flaws = append(flaws, part.flaws(v)...)
		}
	}
	return flaws
}
