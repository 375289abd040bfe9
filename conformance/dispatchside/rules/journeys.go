package rules

import "github.com/cabrank/cabrank/conformance"

// journeyChecks are about several calls that have to fit together.
var journeyChecks = []conformance.Check{
	{
		ID: "JRN-01", Level: conformance.Must, Clause: clauseOperations,
		Requirement: "The golden call in the platform's order is served: config, user, book, status, cancel.",
		Why:         "This is a phone call.",
		Hint:        "Try it with curl in this order; the first step that is refused is named here.",
	},
	{
		ID: "JRN-02", Level: conformance.Must, Clause: clauseMinimum,
		Requirement: "Book a journey, get its status, cancel it, get its status: all of one journey.",
		Why:         "It is the minimum functionality that the interface asks for.",
		Hint:        "The first step that does not fit is named here.",
	},
	{
		ID: "JRN-03", Level: conformance.Must, Clause: clauseMinimum, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "/user lists a journey once it is booked and no longer once it is cancelled (still listed is a warning: see CAN-03).",
		Why:         "A caller who rings again has to find the booking, or find it gone.",
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
		Why:         "Every customer rings for the first time once.",
		Hint:        "Create the user from name and phoneNumber of their first booking.",
	},
	{
		ID: "JRN-06", Level: conformance.Should, Clause: clauseStatuses, Needs: "a journey followed to COMPLETE",
		Requirement: "A full life to COMPLETE shows only statuses of the interface.",
		Why:         "A journey is followed to its end.",
		Hint:        "Use exactly the interface's spellings in every state.",
	},
	{
		ID: "JRN-07", Level: conformance.Observed, Clause: clauseStatuses, Needs: "a journey that changes its status",
		Requirement: "Transitions are not shown; those seen are recorded.",
		Why:         "A platform has to be ready for the order that you use.",
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
		Requirement: "Two users' calls, interleaved, do not bleed into one another.",
		Why:         "Two phones ring at once.",
		Hint:        "Keep no state between calls outside the journey and the user.",
	},
	{
		ID: "JRN-11", Level: conformance.Should, Clause: clauseBook,
		Requirement: "A return trip and a journey with three stops are served.",
		Why:         "There and back, and the school run.",
		Hint:        "Allow several journeys for a user and several dropoffs for a journey.",
	},
	{
		ID: "JRN-12", Level: conformance.Robustness, Needs: "a restart of the server",
		Requirement: "Journeys survive a restart of the server.",
		Why:         "A taxi booked for tomorrow has to come although you deployed tonight.",
		Hint:        "Store bookings before acknowledging them.",
	},
	{
		ID: "JRN-13", Level: conformance.Robustness, Clause: clauseCancel, Needs: "journeys cancelled in each status",
		Requirement: "Cancelled in each of the seven statuses, a journey is what /cancel said it is.",
		Why:         "The driver has set off, and the caller was told that it is cancelled.",
		Hint:        "Decide in each status between CANCELLED and 409, and let /status say the same.",
	},
	{
		ID: "JRN-14", Level: conformance.Robustness, Clause: clauseBook, Needs: "journeys edited in each status",
		Requirement: "Edited in each status, a journey is changed as asked or not at all, never by half.",
		Why:         "The new time with the old address is nobody's booking.",
		Hint:        "Apply an edit in one transaction, or refuse it with 409.",
	},
	{
		ID: "JRN-15", Level: conformance.Robustness, Clause: clauseOperations,
		Requirement: "Two hundred calls in any order, as a seed has it, are answered as the calls before them ask for.",
		Why:         "Real callers do not follow a script, and some faults need a history.",
		Hint:        "Make the calls named here again, one by one: no shorter series of calls shows the fault.",
	},
	{
		ID: "JRN-16", Level: conformance.Should, Tier: TierDriver, Clause: clauseService, Needs: "a journey that showed a driver or a vehicle, and was read again",
		Requirement: "Optional data progressively enriches: driver and vehicle stay from ACCEPTED on, unless the journey goes back to WAITING.",
		Why:         "The caller was told whom to look for, and then nobody.",
		Hint:        "Send driver and vehicle with every reply until the journey ends or is allocated anew.",
	},
	{
		ID: "JRN-17", Level: conformance.Robustness, Clause: clauseBook, Needs: "a booking after a restart of the server",
		Requirement: "After a restart no journeyId is given out that another journey has had.",
		Why:         "The caller asks for their taxi and is told of another one.",
		Hint:        "Take ids from a sequence in the database, or make them at random; do not count from 1 in memory.",
	},
	{
		ID: "JRN-18", Level: conformance.Robustness, Clause: clauseEndUser, Needs: "/user and /book on the day after a booking and a cancellation",
		Requirement: "The day after, cancelled journeys stay out of activeBookings, and no journeyId is given out that another journey has had.",
		Why:         "The caller is offered yesterday's taxi, or asks for their own and is told of another one.",
		Hint:        "Choose active bookings by their status and not by the day; do not begin ids anew each day.",
	},
}
