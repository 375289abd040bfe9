package rules

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeCancel judges one call of /cancel without comparing it with others.
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

// LacksIDs reports whether a request lacks the id of a journey or that of its user.
func LacksIDs(sent jsonvalue.Value) bool {
	return !sent.At("journeyId").HasText() || !sent.At("userId").HasText()
}

// SaysCancelled reports whether an answer is a 2xx with the status CANCELLED.
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

// InStatus are the seven statuses in which a probe tries to cancel or edit a journey.
var InStatus = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete}
