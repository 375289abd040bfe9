package rules

import (
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeStatus judges one call of /status by itself.
func judgeStatus(x *conformance.Exchange, s *conformance.Findings) {
	if x.Request.Method != "POST" || !x.Sent().IsObject() {
		return
	}
	judgePolling(x, s)
	switch {
	case lacksIDs(x.Sent()):
		judgeNoJourney(s, "STA-09", "a call without its ids", x)
	case x.Intent == IntentUnknown:
		judgeNoJourney(s, "STA-07", "an unknown journeyId", x)
	case x.Intent == IntentForeign:
		judgeNoJourney(s, "STA-08", "another user's userId", x)
	case x.Succeeded():
		judgeStatusReply(x, s)
	case mustServeUsual(x):
		s.Fail("STA-01", "a journey that was booked could not be read", "the journey", conformance.Answer(x), x)
	}
}

// judgePolling judges whether reading again and again is allowed.
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

func judgeStatusReply(x *conformance.Exchange, s *conformance.Findings) {
	j := x.Reply()
	s.Want("STA-01", j.At("journeyId").Scalar() == x.Sent().At("journeyId").Scalar(), j.At("journeyId"),
		"string "+x.Sent().At("journeyId").Show()+", as asked", x)
	if s.Want("STA-01", j.At("status").HasText(), j.At("status"), "string, not empty", x) {
		s.Want("STA-02", spelled(j.At("status")), j.At("status"), statusList, x)
	}
	judgePartial(x, s)
	if date := j.At("date"); date.Given() {
		judgeDate(date, x, s)
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

// judgePartial warns of a journey that leaves out what the table of fields
// requires: the operation's own line asks for less, and partial responses are
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

func judgeDate(date jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if !judgeFlaws(s, "STA-04", dateFlaws(date), x) {
		return
	}
	if t, _ := taxi.ParseTime(date.Text()); t.Local {
		s.Warn("STA-04", "/date has no zone", "Z or an offset", date, x)
	}
}
