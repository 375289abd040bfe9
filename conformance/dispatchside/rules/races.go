package rules

import (
	"github.com/cabrank/cabrank/conformance"
)

// raceChecks are about concurrent calls and calls that are sent twice.
var raceChecks = []conformance.Check{
	{
		ID: "CON-01", Level: conformance.Should, Clause: clauseBook,
		Requirement: "Twenty bookings at once give twenty journeys, each with its own id under which it can be read.",
		Why:         "On a Friday night many phones ring at once.",
		Hint:        "Take ids from a sequence or generate them at random; do not count rows.",
	},
	{
		ID: "CON-02", Level: conformance.Robustness, Clause: clauseCancel,
		Requirement: "Ten cancellations of one journey at once leave one end state.",
		Why:         "People press twice, and platforms retry.",
		Hint:        "Let the first call win; answer the others like it, or 409.",
	},
	{
		ID: "CON-03", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "After a cancellation and an edit at once, /status and /user agree, and CANCELLED is final.",
		Why:         "A taxi comes that is not listed, or that was cancelled.",
		Hint:        "Change a journey in one transaction that checks its status first.",
	},
	{
		ID: "CON-04", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "Calls at once for a number never seen make one end user.",
		Why:         "A caller who is two users loses half of their bookings.",
		Hint:        "Make the number unique in the database.",
	},
	{
		ID: "CON-05", Level: conformance.Robustness, Clause: clauseBook, Needs: "a /status reply with two of pickup, dropoffs and date",
		Requirement: "Concurrent edits of one journey leave the result of one of them, never a mix.",
		Why:         "A booking with the pickup of one edit and the time of another is one that nobody made.",
		Hint:        "Store the whole booking in one statement.",
	},
	{
		ID: "CON-06", Level: conformance.Robustness, Clause: clauseStatus,
		Requirement: "Fifty /status calls at once are all served.",
		Why:         "Waiting callers ask where the taxi is.",
		Hint:        "Do not lock for reading; size the pool of connections.",
	},
	{
		ID: "CON-07", Level: conformance.Observed, Needs: "concurrent reads that take long enough to measure",
		Requirement: "Whether the server answers one call at a time is recorded: such a server cannot show how it handles concurrent calls.",
		Why:         "Code that works for one call at a time may fail on a Friday night.",
		Hint:        "Start the server as in production, with several workers (PHP_CLI_SERVER_WORKERS=4 php -S ...), and run again.",
	},
	{
		ID: "IDM-01", Level: conformance.Observed, Clause: clauseBook, Needs: "a booking that was served and then sent again",
		Requirement: "The interface does not show whether the same /book sent twice gives one journey or two; the result is recorded.",
		Why:         "A platform that received no answer may retry.",
		Hint:        "Document which of the two your server does.",
	},
	{
		ID: "IDM-02", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "A client that stopped waiting finds the booking, if it was made, through /user, and can book again.",
		Why:         "Otherwise a second taxi is sent, or none.",
		Hint:        "Complete the booking that was started, list it, and release all locks.",
	},
	{
		ID: "IDM-03", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "An Idempotency-Key header is harmless: it is ignored, or the same call with the same key gets the same answer.",
		Why:         "Careful platforms send one so that they can retry a call.",
		Hint:        "Ignore the header, or store the first answer under its key.",
	},
}
