package rules

import "github.com/cabrank/cabrank/conformance"

var editChecks = []conformance.Check{
	{
		ID: "BOK-15", Level: conformance.Must, Clause: clauseBook, Needs: "a served edit",
		Requirement: "journeyId: when present, the booking is edited: the journey keeps its id.",
		Why:         "The caller's reference number stops working.",
		Hint:        "Answer an edit with the journeyId that was sent.",
	},
	{
		ID: "BOK-16", Level: conformance.Must, Clause: clauseBook, Needs: "a reply with the pickup of an edited journey",
		Requirement: "When present, the booking is edited: the new pickup is what /status shows.",
		Why:         "The taxi waits at the old door.",
		Hint:        "Apply the edit before answering.",
	},
	{
		ID: "BOK-17", Level: conformance.Must, Clause: clauseBook, Needs: "a reply with the dropoffs of an edited journey",
		Requirement: "When present, the booking is edited: the new dropoffs are what /status shows.",
		Why:         "The taxi goes to the old place.",
		Hint:        "Apply the edit before answering.",
	},
	{
		ID: "BOK-18", Level: conformance.Must, Clause: clauseBook, Needs: "a reply with the date of an edited journey",
		Requirement: "When present, the booking is edited: the new pickupTime is what /status shows as date.",
		Why:         "The taxi comes at the old time.",
		Hint:        "Apply the edit before answering.",
	},
	{
		ID: "BOK-19", Level: conformance.Must, Clause: clauseBook, Needs: "a /user reply after an edit",
		Requirement: "When present, the booking is edited: no second active booking appears.",
		Why:         "Two taxis come, and one is charged for nothing.",
		Hint:        "Update the journey; do not insert another.",
	},
	{
		ID: "BOK-20", Level: conformance.Should, Clause: clauseBook, Needs: "a reply with pickup, dropoffs, date or passenger of an edited journey",
		Requirement: "Fields that an edit repeats unchanged stay as they were.",
		Why:         "A changed time must not change the address.",
		Hint:        "Apply the booking as sent, field by field.",
	},
	{
		ID: "BOK-21", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "An edit of an unknown id never silently creates a journey.",
		Why:         "An outdated reference number would book a second taxi.",
		Hint:        "Answer 404.",
	},
	{
		ID: "BOK-22", Level: conformance.Robustness, Clause: clauseBook, Needs: "two end users whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "An edit of another end user's journey is refused.",
		Why:         "Anybody could redirect anybody's taxi.",
		Hint:        "Compare the journey's owner with userId; answer 404.",
	},
	{
		ID: "BOK-23", Level: conformance.Robustness, Clause: clauseStatuses, Needs: "an edit of a journey that has ended",
		Requirement: "An edit of a CANCELLED or COMPLETE journey does not revive it.",
		Why:         "A cancelled taxi comes after all.",
		Hint:        "Answer 409.",
	},
}
