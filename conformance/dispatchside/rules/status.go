package rules

import (
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// judgeStatus judges one call of /status without comparing it with others. If odd is true, the
// journey was booked with odd contents, so that only its id and status are judged.
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

// noneOfTheirs are the intents of calls about a journey that is unknown or another user's.
var noneOfTheirs = []conformance.Intent{IntentUnknown, IntentNoSuch, IntentForeign, IntentNotYours}

// JudgesReply reports whether a /status reply must have a whole journey, and so is judged as one.
func JudgesReply(x *conformance.Exchange) bool {
	return x.Request.Method == http.MethodPost && x.Sent().IsObject() && x.Succeeded() &&
		!LacksIDs(x.Sent()) && !slices.Contains(noneOfTheirs, x.Intent) && !refusedWith2xx(x)
}

// judgePolling judges whether polling works: a 429 must have a Retry-After.
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
