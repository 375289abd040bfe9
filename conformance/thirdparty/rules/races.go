package rules

import "github.com/cabrank/cabrank/conformance"

// raceChecks are about calls that meet on the way, and calls that are sent twice.
var raceChecks = []conformance.Check{
	{
		ID: "CON-01", Level: conformance.Should, Clause: clauseBook,
		Requirement: "Twenty bookings at once give twenty journeys, each with an id of its own under which it can be read.",
		Why:         "On a Friday night many phones ring at once.",
		Hint:        "Take ids from a sequence or make them at random; do not count rows.",
	},
	{
		ID: "CON-02", Level: conformance.Robustness, Clause: clauseCancel,
		Requirement: "Ten cancellations of one journey at once leave one end state.",
		Why:         "People press twice, and platforms repeat.",
		Hint:        "Let the first win; answer the others like it, or 409.",
	},
	{
		ID: "CON-03", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "After a cancellation and an edit at once, /status and /user tell the same, and CANCELLED stays cancelled.",
		Why:         "A taxi comes that is in no list, or one that was cancelled.",
		Hint:        "Change a journey in one transaction that looks at its status first.",
	},
	{
		ID: "CON-04", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "Calls at once for a number never seen make one end user.",
		Why:         "A caller who is two users loses half of their bookings.",
		Hint:        "Make the number unique in the database.",
	},
	{
		ID: "CON-05", Level: conformance.Robustness, Clause: clauseBook, Needs: "a /status reply with two of pickup, dropoffs and date",
		Requirement: "Edits of one journey at once leave one of them whole, never a mix.",
		Why:         "The pickup of one and the time of another is nobody's booking.",
		Hint:        "Write the whole booking in one statement.",
	},
	{
		ID: "CON-06", Level: conformance.Robustness, Clause: clauseStatus,
		Requirement: "Fifty /status calls at once are all served.",
		Why:         "Every caller who waits asks where the taxi is.",
		Hint:        "Do not lock for reading; size the pool of connections.",
	},
	{
		ID: "IDM-01", Level: conformance.Observed, Clause: clauseBook, Needs: "a booking that was served and then sent again",
		Requirement: "What the same /book sent twice gives, one journey or two, is not shown; it is recorded.",
		Why:         "A platform that heard no answer may try again.",
		Hint:        "Say in your documentation which of the two you do.",
	},
	{
		ID: "IDM-02", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "A caller who gave up waiting finds the booking through /user, if it was made, and can book again.",
		Why:         "Otherwise a second taxi is sent, or none.",
		Hint:        "Finish what was begun, list it, and leave nothing locked.",
	},
	{
		ID: "IDM-03", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "An Idempotency-Key header does no harm: it is ignored, or the same call under it is answered alike.",
		Why:         "Careful platforms send one to be able to repeat a call.",
		Hint:        "Ignore the header, or keep the first answer under its key.",
	},
}
