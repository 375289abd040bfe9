package interop

import (
	"slices"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// rows is the table of predictions.
func rows() []row { return slices.Concat(basics(), people(), details(), trouble()) }

// What bookings rest on.
var (
	arrives = all(platform("P-01"), vendor("W-01"), credentials, keepsOn("features", "voice"))

	// A caller whom the dispatch system knows is booked for by userId, others by number.
	accepted = either(vendor("BOK-01"), all(platform("P-13"), vendor("BOK-03")))

	written = all(complete, creates, bookedWith, taken(rules.OpBook, "phoneNumber", numberForm), taken(rules.OpBook, "pickupTime", timeForm))

	booked = all(arrives, accepted, written, soft(vendor("CFG-01 USR-01 USR-02 BOK-04")), soft(vendor("CFG-02")), soft(platform("P-05 P-08 P-09")))

	named = either(platform("P-14@status"), failing(vendor("STA-09")))
	read  = all(arrives, named, vendor("STA-01"), soft(vendor("STA-02")), verbatim)
)

// basics are the predictions of calls and bookings. Those on which others rest come
// first: what many share is told of the first.
func basics() []row {
	return []row{
		{
			id: "reach", about: "calls that arrive", needs: []need{platform("P-01"), vendor("W-01")},
			works: "All five operations arrive, and the answers can be read.", breaks: "Calls do not arrive, or are not answered, as the interface has it",
		},
		{
			id: "auth", about: "credentials", needs: []need{credentials},
			works:  "Calls show who makes them where that is asked for. That both are given the same secret is for their operators to see.",
			breaks: "The dispatch system refuses the platform's calls",
		},
		{
			id: "tls", about: "https", needs: []need{secured, soft(vendor("SEC-02"))},
			works: "The platform reaches the dispatch system over https.", breaks: "The platform does not reach the dispatch system over https",
		},
		{
			id: "numbers", about: "numbers in bookings", needs: []need{taken(rules.OpBook, "phoneNumber", numberForm)},
			works: "The dispatch system takes numbers as the platform writes them.", breaks: "Bookings are refused for how the number is written",
		},
		{
			id: "times-sent", about: "times in bookings", needs: []need{taken(rules.OpBook, "pickupTime", timeForm), soft(vendor("BOK-11"))},
			works: "Taxis are booked for the time that was said.", breaks: "Bookings are refused for how the time is written",
		},
		{
			id: "places", about: "places in bookings", needs: []need{platform("P-09"), soft(vendor("BOK-32 BOK-33"))},
			works: "Taxis are sent to the place that was said.", breaks: "Taxis are sent to another place, or to none",
		},
		{
			id: "ids", about: "ids", needs: []need{verbatim},
			works: "Ids come back as they were given.", breaks: "Journeys are not found by the ids that come back",
		},
		{
			id: "lookup", about: "finding out who calls", needs: []need{taken(rules.OpUser, "phoneNumber", numberForm), vendor("USR-01 USR-02 USR-03"), soft(platform("P-05")), arrives},
			works: "The dispatch system knows callers by their numbers.", breaks: "Callers are not known by their numbers",
		},
		{
			id: "book", about: "booking", needs: []need{booked},
			works: "Known callers can book.", breaks: "Nobody can book",
		},
		{
			id: "listed", about: "finding a booking again", needs: []need{vendor("USR-10"), soft(platform("P-13")), soft(vendor("USR-04 USR-05")), booked},
			works: "Who has booked is known by the booking at the next call.", breaks: "A booking is not found again at the next call",
		},
		{
			id: "edit", about: "changing a booking",
			needs: []need{vendor("BOK-15 BOK-16 BOK-19"), platform("P-12"), tells("date"), dropoffsTold, soft(vendor("STA-04")), read},
			works: "Callers can change where they are picked up.", breaks: "A change of a booking is lost, or made twice",
		},
		{
			id: "times-told", about: "times that are told", needs: []need{toldTimes, soft(vendor("STA-04")), soft(platform("P-12"))},
			works: "Times that the dispatch system tells come back unchanged in an edit.", breaks: "Times that the dispatch system tells cannot be read",
		},
		{
			id: "cancel", about: "cancelling",
			needs: []need{verbatim, either(platform("P-14@cancel"), failing(vendor("CAN-07"))), vendor("CAN-01 CAN-02"), soft(vendor("STA-01")), soft(platform("P-55")), option("cancel", "P-32"), arrives},
			works: "Callers can cancel, and hear that it is cancelled.", breaks: "Callers cannot cancel",
		},
		{
			id: "status", about: "following a journey", needs: []need{soft(platform("P-58@status")), read},
			works: "Callers hear how their journey stands.", breaks: "Callers cannot hear how their journey stands",
		},
	}
}
