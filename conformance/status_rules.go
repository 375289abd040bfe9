package conformance

import (
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeStatus judges one call of /status by itself.
func judgeStatus(x *Exchange, s *findings) {
	if x.Request.Method != "POST" || !x.Sent().isObject() {
		return
	}
	judgePolling(x, s)
	switch {
	case lacksIDs(x.Sent()):
		judgeNoJourney(s, "STA-09", "a call without its ids", x)
	case x.Intent == intentUnknown:
		judgeNoJourney(s, "STA-07", "an unknown journeyId", x)
	case x.Intent == intentForeign:
		judgeNoJourney(s, "STA-08", "another user's userId", x)
	case x.succeeded():
		judgeStatusReply(x, s)
	case mustServeUsual(x):
		s.fail("STA-01", "a journey that was booked could not be read", "the journey", answer(x), x)
	}
}

// judgePolling judges whether reading again and again is allowed.
func judgePolling(x *Exchange, s *findings) {
	switch {
	case x.code() == http.StatusTooManyRequests:
		after := x.Response.Header.Get("Retry-After")
		s.want("STA-13", after != "", headerValue("Retry-After", after), "string, seconds to wait", x)
	case served(x):
		s.pass("STA-13", x)
	}
}

// judgeNoJourney judges a call that must not be answered with a journey.
func judgeNoJourney(s *findings, id, what string, x *Exchange) {
	switch {
	case x.succeeded() && (x.Reply().at("journeyId").given() || x.Reply().at("pickup").given()):
		s.fail(id, what+" was answered with a journey", "4xx", answer(x), x)
	case x.refusedCleanly():
		s.refused(id, x)
	case x.succeeded():
		s.warn(id, what+" was answered as a success, without a journey", "4xx", answer(x), x)
	default:
		s.fail(id, what+" was not refused cleanly", "4xx", answer(x), x)
	}
}

func judgeStatusReply(x *Exchange, s *findings) {
	j := x.Reply()
	s.want("STA-01", j.at("journeyId").scalar() == x.Sent().at("journeyId").scalar(), j.at("journeyId"),
		"string "+x.Sent().at("journeyId").show()+", as asked", x)
	if s.want("STA-01", j.at("status").hasText(), j.at("status"), "string, not empty", x) {
		s.want("STA-02", spelled(j.at("status")), j.at("status"), statusList, x)
	}
	judgePartial(x, s)
	if date := j.at("date"); date.given() {
		judgeDate(date, x, s)
	}
	if v := j.at("pickup"); v.given() {
		judgeFlaws(s, "STA-05", addressFlaws(v), x)
	}
	if v := j.at("dropoffs"); v.given() && (!v.isArray() || len(v.items()) > 0) {
		judgeFlaws(s, "STA-05", addressesFlaws(v), x)
	}
	if v := j.at("passenger"); v.given() {
		judgeFlaws(s, "STA-14", flawsOf(v, passengerShape), x)
	}
}

// judgePartial warns of a journey that leaves out what the table of fields
// requires: the operation's own line asks for less, and partial responses are
// accepted.
func judgePartial(x *Exchange, s *findings) {
	for _, key := range []string{"date", "pickup", "dropoffs"} {
		if v := x.Reply().at(key); !v.given() {
			s.warn("STA-03", v.pointer()+" is missing", "date, pickup and dropoffs with every journey", v, x)
			return
		}
	}
	s.pass("STA-03", x)
}

func judgeDate(date value, x *Exchange, s *findings) {
	if !judgeFlaws(s, "STA-04", dateFlaws(date), x) {
		return
	}
	if t, _ := taxi.ParseTime(date.text()); t.Local {
		s.warn("STA-04", "/date has no zone", "Z or an offset", date, x)
	}
}
