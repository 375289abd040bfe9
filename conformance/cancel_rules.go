package conformance

import "github.com/cabrank/cabrank/dispatch/taxi"

// judgeCancel judges one call of /cancel by itself.
func judgeCancel(x *Exchange, s *sheet) {
	if x.Request.Method != "POST" || !x.sent.isObject() {
		return
	}
	switch {
	case lacksIDs(x.sent):
		s.judgeNoCancel("CAN-07", "a call without its ids", x)
	case x.Intent == intentUnknown:
		s.judgeNoCancel("CAN-05", "an unknown journeyId", x)
	case x.Intent == intentForeign:
		s.judgeNoCancel("CAN-06", "another user's userId", x)
	case x.Intent == intentInexact:
		s.judgeNoCancel("CAN-11", "a journeyId spelled differently", x)
	case x.succeeded():
		judgeCancelReply(x, s)
	case x.due():
		s.fail("CAN-01", "a journey could not be cancelled", "journeyId and status CANCELLED", answer(x), x)
	}
}

// lacksIDs reports a reference to a journey that names none.
func lacksIDs(sent value) bool {
	return !sent.at("journeyId").hasText() || !sent.at("userId").hasText()
}

// saysCancelled reports an answer that would be told to the caller as cancelled.
func saysCancelled(x *Exchange) bool {
	return x.succeeded() && x.reply.at("status").text() == string(taxi.Cancelled)
}

// mumbles reports a /cancel that was served and not answered with a status of the
// interface: whether the journey has ended is anybody's guess.
func (x *Exchange) mumbles() bool {
	return x.succeeded() && !taxi.Status(x.reply.at("status").text()).Known()
}

// judgeNoCancel judges a call that must not cancel anything.
func (s *sheet) judgeNoCancel(id, what string, x *Exchange) {
	switch {
	case saysCancelled(x):
		s.fail(id, what+" was answered CANCELLED", "4xx", answer(x), x)
	case x.refusedCleanly():
		s.refused(id, x)
	default:
		s.warn(id, what+" was not refused cleanly", "4xx", answer(x), x)
	}
}

func judgeCancelReply(x *Exchange, s *sheet) {
	id, status := x.reply.at("journeyId"), x.reply.at("status")
	asked := x.sent.at("journeyId").scalar()
	s.want("CAN-01", id.scalar() == asked, id, "string "+x.sent.at("journeyId").show()+", as asked", x)
	switch {
	case status.text() == string(taxi.Cancelled):
		s.pass("CAN-01", x)
	case !x.vouched() && spelled(status):
		s.warn("CAN-01", "a cancellation was answered with another status", "CANCELLED", status, x)
	default:
		s.want("CAN-01", false, status, "string CANCELLED", x)
	}
}
