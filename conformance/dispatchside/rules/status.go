package rules

import (
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

var statusChecks = []conformance.Check{
	{
		ID: "STA-01", Level: conformance.Must, Clause: clauseStatus, Needs: "a /status call for a journey booked",
		Requirement: "Journey object; journeyId and status are required, and the journey is the one asked for.",
		Why:         "The caller hears about somebody else's taxi, or nothing.",
		Hint:        "Answer the journey whose journeyId was sent.",
	},
	{
		ID: "STA-02", Level: conformance.Must, Clause: clauseStatuses, Needs: "a served /status call",
		Requirement: "status: HELD, WAITING, ACCEPTED, EN_ROUTE, ARRIVED, POB, COMPLETE, CANCELLED.",
		Why:         "The platform cannot tell the caller a status that it does not know.",
		Hint:        "Use exactly the interface's spellings.",
	},
	{
		ID: "STA-03", Level: conformance.Should, Clause: clauseJourney, Needs: "a served /status call",
		Requirement: "date, pickup, dropoffs: required (partial responses are accepted: missing is a warning).",
		Why:         "The booking cannot be read back to the caller.",
		Hint:        "Send date, pickup and dropoffs with every journey.",
	},
	{
		ID: "STA-04", Level: conformance.Must, Clause: clauseJourney, Needs: "a date in a /status reply",
		Requirement: "date: string, ISO 8601 date-time (one without a zone is a warning).",
		Why:         "The pickup time is read out wrongly or not at all.",
		Hint:        "Write RFC 3339 with Z or an offset: 2026-11-21T10:30:00Z.",
	},
	{
		ID: "STA-05", Level: conformance.Must, Clause: clauseObjects, Needs: "a pickup or dropoffs in a /status reply",
		Requirement: "Address: address (string, required), location (Point, required); Point: longitude, latitude (numbers, required).",
		Why:         "The place can be neither spoken nor shown.",
		Hint:        "Send both parts of every address.",
	},
	{
		ID: "STA-06", Level: conformance.Must, Clause: clauseStatus, Needs: "a pickup, dropoffs or date in a /status reply",
		Requirement: "To read a journey: /status shows the journey as booked.",
		Why:         "The caller hears a booking that is not theirs.",
		Hint:        "Answer from the stored journey; sample data belongs in tests.",
	},
	{
		ID: "STA-07", Level: conformance.Robustness, Clause: clauseStatus,
		Requirement: "An unknown journeyId is refused cleanly, never answered with an invented journey.",
		Why:         "A wrong reference number must not lead to a description of a taxi.",
		Hint:        "Answer 404 with a small JSON body.",
	},
	{
		ID: "STA-08", Level: conformance.Robustness, Clause: clauseStatus, Needs: "two end users whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "The right journeyId with another user's userId gives no journey data.",
		Why:         "Anybody could find out the pickup places of others.",
		Hint:        "Compare the journey's owner with userId; answer 404.",
	},
	{
		ID: "STA-09", Level: conformance.Robustness, Clause: clauseStatus,
		Requirement: "userId and journeyId are required: missing ids are not a success.",
		Why:         "A call that names no journey must not be shown one.",
		Hint:        "Answer 4xx naming the field.",
	},
	{
		ID: "STA-10", Level: conformance.Robustness, Clause: clauseStatus, Needs: "/status calls in quick succession",
		Requirement: "Reading does not advance a journey: fifty reads show the same status.",
		Why:         "A caller who asks twice would change the status of their own taxi.",
		Hint:        "Change the status on events, not on reads.",
	},
	{
		ID: "STA-11", Level: conformance.Should, Clause: clauseStatus, Needs: "a journey seen in /status and in activeBookings",
		Requirement: "/status and activeBookings show the same journey.",
		Why:         "A caller who hears two answers in one call trusts neither.",
		Hint:        "Read both from the same place.",
	},
	{
		ID: "STA-12", Level: conformance.Should, Clause: clauseStatus, Needs: "a /status reply after a served /book call, both with a status of the interface",
		Requirement: "/status agrees with the last /book reply (for /cancel see CAN-02).",
		Why:         "The caller is told one thing, and a minute later another.",
		Hint:        "Answer /book from what was stored.",
	},
	{
		ID: "STA-13", Level: conformance.Robustness, Clause: clauseStatus, Needs: "/status calls for a journey booked",
		Requirement: "A journey may be read once a second; a 429 answer has Retry-After.",
		Why:         "Callers who wait at the kerb ask again and again.",
		Hint:        "Allow one read a second for each journey, or answer 429 with the waiting time in Retry-After.",
	},
	{
		ID: "STA-14", Level: conformance.Must, Clause: clauseObjects, Needs: "a passenger in a /status reply",
		Requirement: "Passenger: phoneNumber (string, required), name (string, required).",
		Why:         "Nobody knows who travels, or how to reach them.",
		Hint:        "Send both, or no passenger.",
	},
	{
		ID: "STA-15", Level: conformance.Robustness, Clause: clauseJourney, Needs: "two /status replies for one journey",
		Requirement: "A field has the same type in every reply.",
		Why:         "A client with static types breaks in the middle of a journey.",
		Hint:        "Omit an absent object; do not send \"\" or [].",
	},
	{
		ID: "STA-16", Level: conformance.Robustness, Clause: clauseJourney, Needs: "two /status replies for one journey",
		Requirement: "A field that was an object is later an object or absent, not null; eta, location, driver and vehicle may be null once no car is on its way.",
		Why:         "Clients that have read a driver may fail on null.",
		Hint:        "Omit what no longer exists.",
	},
	{
		ID: "STA-17", Level: conformance.Should, Clause: clauseObjects, Needs: "a passenger's phoneNumber in a /status reply",
		Requirement: "passenger.phoneNumber is the number that was booked, digit by digit (the national form is a warning).",
		Why:         "The driver cannot ring the passenger, or rings somebody else.",
		Hint:        "Store the number as it was sent; reformat it only for display.",
	},
}

// judgeStatus judges one call of /status by itself. odd: the journey was booked with odd
// contents, so that only its id and status are evidence.
func judgeStatus(x *conformance.Exchange, s *conformance.Findings, odd bool) {
	if x.Request.Method != "POST" || !x.Sent().IsObject() || x.Intent == IntentInjected { // SEC-12 judges it
		return
	}
	judgePolling(x, s)
	if JudgesReply(x) {
		if judgeIDAndStatus(x, s); !odd {
			judgeContents(x, s)
		}
		return
	}
	switch {
	case LacksIDs(x.Sent()):
		judgeNoJourney(s, "STA-09", "a call without its ids", x)
	case x.Intent == IntentUnknown || x.Intent == IntentNoSuch:
		judgeNoJourney(s, "STA-07", "an unknown journeyId", x)
	case x.Intent == IntentForeign || x.Intent == IntentNotYours:
		judgeNoJourney(s, "STA-08", "another user's userId", x)
	case MustServeUsual(x) && !x.Succeeded():
		s.Fail("STA-01", "a journey that was booked could not be read", "the journey", conformance.Answer(x), x)
	}
}

// noneOfTheirs are the intents of calls about a journey that is not the user's.
var noneOfTheirs = []conformance.Intent{IntentUnknown, IntentNoSuch, IntentForeign, IntentNotYours}

// JudgesReply reports a /status reply that must be a whole journey.
func JudgesReply(x *conformance.Exchange) bool {
	return x.Request.Method == http.MethodPost && x.Sent().IsObject() && x.Succeeded() &&
		!LacksIDs(x.Sent()) && !slices.Contains(noneOfTheirs, x.Intent) && !refusedWith2xx(x)
}

// judgePolling judges whether polling is allowed.
func judgePolling(x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case x.Code() == http.StatusTooManyRequests:
		after := x.Response.Header.Get("Retry-After")
		s.Want("STA-13", after != "", jsonvalue.HeaderValue("Retry-After", after), "string, seconds to wait", x)
	case Served(x):
		s.Pass("STA-13", x)
	}
}

// judgeNoJourney judges a call that must not be answered with a journey.
func judgeNoJourney(s *conformance.Findings, id, what string, x *conformance.Exchange) {
	switch {
	case x.Succeeded() && (x.Reply().At("journeyId").Given() || x.Reply().At("pickup").Given()):
		s.Fail(id, what+" was answered with a journey", "4xx", conformance.Answer(x), x)
	case x.RefusedCleanly():
		s.Refused(id, x)
	case x.Succeeded():
		s.Warn(id, what+" was answered as a success, without a journey", "4xx", conformance.Answer(x), x)
	default:
		s.Fail(id, what+" was not refused cleanly", "4xx", conformance.Answer(x), x)
	}
}

// judgeIDAndStatus judges the required members of a /status reply.
func judgeIDAndStatus(x *conformance.Exchange, s *conformance.Findings) {
	j := x.Reply()
	s.Want("STA-01", j.At("journeyId").Scalar() == x.Sent().At("journeyId").Scalar(), j.At("journeyId"),
		"string "+x.Sent().At("journeyId").Show()+", as asked", x)
	if s.Want("STA-01", j.At("status").HasText(), j.At("status"), "string, not empty", x) {
		judgeSpelling("STA-02", j.At("status"), x, s)
	}
}

// judgeContents judges the rest of the journey in a /status reply.
func judgeContents(x *conformance.Exchange, s *conformance.Findings) {
	j := x.Reply()
	judgePartial(x, s)
	judgeMembers(j, journeyMembers, x, s)
	if date := j.At("date"); date.Given() {
		judgeFlaws(s, "STA-04", dateFlaws(date), x)
	}
	if v := j.At("pickup"); v.Given() {
		judgeFlaws(s, "STA-05", addressFlaws(v), x)
	}
	if v := j.At("dropoffs"); v.Given() && (!v.IsArray() || len(v.Items()) > 0) {
		judgeFlaws(s, "STA-05", addressesFlaws(v), x)
	}
	if v := j.At("passenger"); v.Given() {
		judgeFlaws(s, "STA-14", flawsOf(v, passengerShape), x)
	}
}

// judgePartial warns of a journey without members that the table of fields requires.
// It does not fail, since the text on /status requires fewer and partial responses are
// accepted.
func judgePartial(x *conformance.Exchange, s *conformance.Findings) {
	for _, key := range []string{"date", "pickup", "dropoffs"} {
		if v := x.Reply().At(key); !v.Given() {
			s.Warn("STA-03", v.Pointer()+" is missing", "date, pickup and dropoffs with every journey", v, x)
			return
		}
	}
	s.Pass("STA-03", x)
}
