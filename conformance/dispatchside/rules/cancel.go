package rules

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var cancelChecks = []conformance.Check{
	{
		ID: "CAN-01", Level: conformance.Must, Clause: clauseCancel, Needs: "a /cancel call for a journey not yet under way",
		Requirement: "Reply: journeyId (required), status (required, CANCELLED).",
		Why:         `The caller hears "cancelled" only if the status is CANCELLED.`,
		Hint:        "Answer the same journeyId with status CANCELLED (two Ls).",
	},
	{
		ID: "CAN-02", Level: conformance.Should, Clause: clauseStatuses, Needs: "a /status call after a cancellation",
		Requirement: "After a cancellation /status answers CANCELLED (that the journey is unknown is a warning).",
		Why:         "The caller was told that the taxi is cancelled, but it comes.",
		Hint:        "Store the cancellation before answering.",
	},
	{
		ID: "CAN-03", Level: conformance.Should, Clause: clauseEndUser, Needs: "a /user reply after a cancellation",
		Requirement: "A cancelled journey is not in activeBookings.",
		Why:         "The platform offers the caller to cancel it again.",
		Hint:        "Leave cancelled journeys out of activeBookings.",
	},
	{
		ID: "CAN-04", Level: conformance.Robustness, Clause: clauseCancel, Needs: "a second /cancel call for one journey",
		Requirement: "Cancelling twice leaves the same end state and is never a 5xx.",
		Why:         "People press twice, and platforms retry after a timeout.",
		Hint:        "Answer the second like the first, or 409.",
	},
	{
		ID: "CAN-05", Level: conformance.Robustness, Clause: clauseCancel,
		Requirement: "An unknown journeyId is never answered CANCELLED.",
		Why:         "The caller believes that the taxi is cancelled, but it is on its way.",
		Hint:        "Answer 404.",
	},
	{
		ID: "CAN-06", Level: conformance.Robustness, Clause: clauseCancel, Needs: "two end users whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "The right journeyId with another user's userId is refused, and the journey is not cancelled.",
		Why:         "Anybody could cancel anybody's taxi.",
		Hint:        "Compare the journey's owner with userId; answer 404.",
	},
	{
		ID: "CAN-07", Level: conformance.Robustness, Clause: clauseCancel,
		Requirement: "userId and journeyId are required: missing, empty or null is not a success.",
		Why:         "A call that names no journey must not cancel one.",
		Hint:        "Answer 4xx naming the field.",
	},
	{
		ID: "CAN-08", Level: conformance.Robustness, Clause: clauseCancel, Needs: "a journey cancelled at POB or COMPLETE",
		Requirement: "Cancelling at POB or COMPLETE: the reply and the later /status agree.",
		Why:         "The caller must be told what really happens.",
		Hint:        "Refuse with 409, or cancel and say so in both.",
	},
	{
		ID: "CAN-09", Level: conformance.Should, Clause: clauseCancel, Needs: "an end user with two journeys of which one is cancelled",
		Requirement: "To cancel a journey: the user's other journeys are untouched.",
		Why:         "The return trip is cancelled as well.",
		Hint:        "Cancel by journeyId, not by user.",
	},
	{
		ID: "CAN-10", Level: conformance.Should, Clause: clauseCancel, Needs: "a /cancel call after an edit",
		Requirement: "A journey that was edited is cancelled under the same id.",
		Why:         "A caller who changed the time can no longer cancel.",
		Hint:        "Keep the id through edits.",
	},
	{
		ID: "CAN-11", Level: conformance.Robustness, Clause: clauseCancel,
		Requirement: "journeyId is compared exactly: in other letter case or with added spaces it names no journey.",
		Why:         "Ids are opaque; two that differ only in case may be two journeys.",
		Hint:        "Compare byte for byte; check for case-insensitive database columns.",
	},
	{
		ID: "CAN-12", Level: conformance.Robustness, Clause: clauseStatuses, Needs: "/status calls after a cancellation",
		Requirement: "A cancelled journey never moves again.",
		Why:         "A cancelled taxi comes after all.",
		Hint:        "Make CANCELLED final in every code path, the dispatcher's screen included.",
	},
}

// judgeCancel judges one call of /cancel by itself.
func judgeCancel(x *conformance.Exchange, s *conformance.Findings) {
	if x.Request.Method != "POST" || !x.Sent().IsObject() {
		return
	}
	switch {
	case x.Intent == IntentInjected: // SEC-12 judges it
	case LacksIDs(x.Sent()):
		judgeNoCancel(s, "CAN-07", "a call without its ids", x)
	case x.Intent == IntentUnknown || x.Intent == IntentNoSuch:
		judgeNoCancel(s, "CAN-05", "an unknown journeyId", x)
	case x.Intent == IntentForeign || x.Intent == IntentNotYours:
		judgeNoCancel(s, "CAN-06", "another user's userId", x)
	case x.Intent == IntentInexact:
		judgeNoCancel(s, "CAN-11", "a journeyId spelled differently", x)
	case refusedWith2xx(x):
	case x.Succeeded():
		judgeCancelReply(x, s)
	case MustServeUsual(x):
		s.Fail("CAN-01", "a journey could not be cancelled", "journeyId and status CANCELLED", conformance.Answer(x), x)
	}
}

// LacksIDs reports a request without the ids of a journey.
func LacksIDs(sent jsonvalue.Value) bool {
	return !sent.At("journeyId").HasText() || !sent.At("userId").HasText()
}

// SaysCancelled reports an answer that the platform reads as cancelled.
func SaysCancelled(x *conformance.Exchange) bool {
	return x.Succeeded() && x.Reply().At("status").Text() == string(taxi.Cancelled)
}

// judgeNoCancel judges a call that must not cancel anything.
func judgeNoCancel(s *conformance.Findings, id, what string, x *conformance.Exchange) {
	switch {
	case SaysCancelled(x):
		s.Fail(id, what+" was answered CANCELLED", "4xx", conformance.Answer(x), x)
	case x.RefusedCleanly():
		s.Refused(id, x)
	default:
		s.Warn(id, what+" was not refused cleanly", "4xx", conformance.Answer(x), x)
	}
}

func judgeCancelReply(x *conformance.Exchange, s *conformance.Findings) {
	id, status := x.Reply().At("journeyId"), x.Reply().At("status")
	asked := x.Sent().At("journeyId").Scalar()
	s.Want("CAN-01", id.Scalar() == asked, id, "string "+x.Sent().At("journeyId").Show()+", as asked", x)
	switch {
	case status.Text() == string(taxi.Cancelled):
		s.Pass("CAN-01", x)
	case !MustServe(x) && Spelled(status):
		s.Warn("CAN-01", "a cancellation was answered with another status", "CANCELLED", status, x)
	default:
		s.Want("CAN-01", false, status, "string CANCELLED", x)
	}
}
