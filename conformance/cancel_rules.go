package conformance

import "github.com/cabrank/cabrank/dispatch/taxi"

// judgeCancel judges one call of /cancel by itself.
func judgeCancel(x *Exchange, s *findings) {
	if x.Request.Method != "POST" || !x.Sent().isObject() {
		return
	}
	switch {
	case lacksIDs(x.Sent()):
		judgeNoCancel(s, "CAN-07", "a call without its ids", x)
	case x.Intent == intentUnknown:
		judgeNoCancel(s, "CAN-05", "an unknown journeyId", x)
	case x.Intent == intentForeign:
		judgeNoCancel(s, "CAN-06", "another user's userId", x)
	case x.Intent == intentInexact:
		judgeNoCancel(s, "CAN-11", "a journeyId spelled differently", x)
	case x.succeeded():
		judgeCancelReply(x, s)
	case mustServeUsual(x):
		s.fail("CAN-01", "a journey could not be cancelled", "journeyId and status CANCELLED", answer(x), x)
	}
}

// lacksIDs reports a reference to a journey that names none.
func lacksIDs(sent value) bool {
	return !sent.at("journeyId").hasText() || !sent.at("userId").hasText()
}

// saysCancelled reports an answer that would be told to the caller as cancelled.
func saysCancelled(x *Exchange) bool {
	return x.succeeded() && x.Reply().at("status").text() == string(taxi.Cancelled)
}

// answersUnclearly reports a /cancel that was served and not answered with a status of the
// interface: whether the journey has ended is anybody's guess.
func answersUnclearly(x *Exchange) bool {
	return x.succeeded() && !taxi.Status(x.Reply().at("status").text()).Known()
}

// judgeNoCancel judges a call that must not cancel anything.
func judgeNoCancel(s *findings, id, what string, x *Exchange) {
	switch {
	case saysCancelled(x):
		s.fail(id, what+" was answered CANCELLED", "4xx", answer(x), x)
	case x.refusedCleanly():
		s.refused(id, x)
	default:
		s.warn(id, what+" was not refused cleanly", "4xx", answer(x), x)
	}
}

func judgeCancelReply(x *Exchange, s *findings) {
	id, status := x.Reply().at("journeyId"), x.Reply().at("status")
	asked := x.Sent().at("journeyId").scalar()
	s.want("CAN-01", id.scalar() == asked, id, "string "+x.Sent().at("journeyId").show()+", as asked", x)
	switch {
	case status.text() == string(taxi.Cancelled):
		s.pass("CAN-01", x)
	case !mustServe(x) && spelled(status):
		s.warn("CAN-01", "a cancellation was answered with another status", "CANCELLED", status, x)
	default:
		s.want("CAN-01", false, status, "string CANCELLED", x)
	}
}
