package rules

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// journeyChecks are about several calls that must be consistent.
var journeyChecks = []conformance.Check{
	{
		ID: "JRN-01", Level: conformance.Must, Clause: clauseOperations,
		Requirement: "The golden call in the platform's order is served: config, user, book, status, cancel.",
		Why:         "This is a phone call.",
		Hint:        "Try it with curl in this order; the finding names the first refused step.",
	},
	{
		ID: "JRN-02", Level: conformance.Must, Clause: clauseMinimum,
		Requirement: "Book a journey, get its status, cancel it, get its status: all calls are about one journey.",
		Why:         "It is the minimum functionality that the interface requires.",
		Hint:        "The finding names the first wrong step.",
	},
	{
		ID: "JRN-03", Level: conformance.Must, Clause: clauseMinimum, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "/user lists a journey once it is booked and no longer once it is cancelled (still listed is a warning: see CAN-03).",
		Why:         "A caller who rings again must find the booking, or must not find it after a cancellation.",
		Hint:        "Let /user read what /book and /cancel wrote.",
	},
	{
		ID: "JRN-04", Level: conformance.Must, Clause: clauseBook,
		Requirement: "Book, edit the time, edit the drop-off, status, cancel: one journeyId throughout.",
		Why:         "Plans change twice, too.",
		Hint:        "Keep the id through edits.",
	},
	{
		ID: "JRN-05", Level: conformance.Should, Clause: clauseBook,
		Requirement: "userId: no (if known): a first-time caller books without one, and /user then knows them.",
		Why:         "Every customer is a first-time caller once.",
		Hint:        "Create the user from name and phoneNumber of their first booking.",
	},
	{
		ID: "JRN-06", Level: conformance.Should, Clause: clauseStatuses, Needs: "a journey followed to COMPLETE",
		Requirement: "A journey followed to COMPLETE shows only statuses of the interface.",
		Why:         "A journey is followed to its end.",
		Hint:        "Use exactly the interface's spellings in every state.",
	},
	{
		ID: "JRN-07", Level: conformance.Observed, Clause: clauseStatuses, Needs: "a journey that changes its status",
		Requirement: "The interface does not show the transitions; those seen are recorded.",
		Why:         "A platform has to support the order that you use.",
		Hint:        "Document the order.",
	},
	{
		ID: "JRN-08", Level: conformance.Robustness, Clause: clauseStatuses, Needs: "/status calls after a journey's end",
		Requirement: "COMPLETE and CANCELLED are final.",
		Why:         "A finished journey that comes back to life is billed twice.",
		Hint:        "Let nothing follow COMPLETE and CANCELLED.",
	},
	{
		ID: "JRN-09", Level: conformance.Should, Clause: clauseOperations,
		Requirement: "Two journeys of one user are independent of one another.",
		Why:         "Out and back are two bookings.",
		Hint:        "Key everything by journeyId.",
	},
	{
		ID: "JRN-10", Level: conformance.Should, Clause: clauseOperations,
		Requirement: "Interleaved calls of two users do not affect each other.",
		Why:         "Two phones ring at once.",
		Hint:        "Keep no state between calls outside the journey and the user.",
	},
	{
		ID: "JRN-11", Level: conformance.Should, Clause: clauseBook,
		Requirement: "A return trip and a journey with three stops are served.",
		Why:         "Callers book return trips and school runs.",
		Hint:        "Allow several journeys for a user and several dropoffs for a journey.",
	},
	{
		ID: "JRN-12", Level: conformance.Robustness, Needs: "a restart of the server",
		Requirement: "Journeys survive a restart of the server.",
		Why:         "A taxi booked for tomorrow must come even if you deployed tonight.",
		Hint:        "Store bookings before acknowledging them.",
	},
	{
		ID: "JRN-13", Level: conformance.Robustness, Clause: clauseCancel, Needs: "journeys cancelled in each status",
		Requirement: "A journey cancelled in each of the seven statuses has the status that /cancel answered.",
		Why:         "The driver has set off, but the caller was told that the taxi is cancelled.",
		Hint:        "Decide in each status between CANCELLED and 409, and let /status say the same.",
	},
	{
		ID: "JRN-14", Level: conformance.Robustness, Clause: clauseBook, Needs: "journeys edited in each status",
		Requirement: "A journey edited in each status is changed as requested or not at all, never partly.",
		Why:         "A booking with the new time and the old address is one that nobody made.",
		Hint:        "Apply an edit in one transaction, or refuse it with 409.",
	},
	{
		ID: "JRN-15", Level: conformance.Robustness, Clause: clauseOperations,
		Requirement: "Two hundred calls in a random order, given by a seed, are answered consistently with the calls before them.",
		Why:         "Real callers do not follow a script, and some faults need a history.",
		Hint:        "Repeat the listed calls one by one: no shorter series of calls shows the fault.",
	},
	{
		ID: "JRN-16", Level: conformance.Should, Tier: TierDriver, Clause: clauseService, Needs: "a journey that showed a driver or a vehicle, and was read again",
		Requirement: "Optional data progressively enriches: driver and vehicle stay from ACCEPTED on, unless the journey goes back to WAITING.",
		Why:         "The caller was told whom to look for, and later that there is nobody.",
		Hint:        "Send driver and vehicle with every reply until the journey ends or is reallocated.",
	},
	{
		ID: "JRN-17", Level: conformance.Robustness, Clause: clauseBook, Needs: "a booking after a restart of the server",
		Requirement: "After a restart no journeyId of an earlier journey is used again.",
		Why:         "The caller asks for their taxi and hears about another one.",
		Hint:        "Take ids from a sequence in the database, or generate them at random; do not count from 1 in memory.",
	},
	{
		ID: "JRN-18", Level: conformance.Robustness, Clause: clauseEndUser, Needs: "/user and /book on the day after a booking and a cancellation",
		Requirement: "The day after, cancelled journeys are not in activeBookings, and no journeyId of an earlier journey is used again.",
		Why:         "The caller is offered yesterday's taxi, or asks for their own and hears about another one.",
		Hint:        "Select active bookings by status, not by day; do not restart the ids each day.",
	},
}

// InStatus are the seven statuses that a journey may be cancelled or edited in.
var InStatus = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete}
