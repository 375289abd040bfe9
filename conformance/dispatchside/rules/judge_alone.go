package rules

import "github.com/cabrank/cabrank/conformance"

// JudgeAlone applies the rules that need no other calls. odd has the accepted bookings with odd
// contents, by journeyId: what replies show of them proves nothing.
func JudgeAlone(x *conformance.Exchange, odd map[string]*conformance.Exchange, s *conformance.Findings) {
	if x.ToOtherPort() {
		judgeSecurity(x, s)
		return
	}
	judgeWire(x, s)
	if IsBad(x.Intent) {
		return
	}
	judgeSecurity(x, s)
	judgeClock(x, s)
	if RefusedForItsCredentials(x) {
		return
	}
	judgeSlashes(x, s)
	judgeMethod(x, s)
	judgePast(x, s)
	switch x.Operation {
	case OpConfig:
		judgeConfig(x, s)
	case OpUser:
		judgeUser(x, s, odd)
	case OpBook:
		judgeBook(x, s)
	case OpCancel:
		judgeCancel(x, s)
	case OpStatus:
		judgeStatus(x, s, odd[x.Sent().At("journeyId").Scalar()] != nil)
	}
	if x.Request.Method == "POST" {
		for _, j := range Journeys(x) {
			if odd[j.At("journeyId").Scalar()] == nil && (x.Operation != OpBook || !OddBooking(x)) {
				judgeEnrichment(j, x, s)
			}
		}
	}
}

// RefusedForItsCredentials reports whether a call was refused because of the credentials that it was sent
// with: the rules of its operation do not apply.
func RefusedForItsCredentials(x *conformance.Exchange) bool {
	return Refusable[x.Intent] && !x.Succeeded()
}

// JudgeRateLimited judges an answer 429 as an answer only, since the call was neither served nor refused.
func JudgeRateLimited(x *conformance.Exchange, s *conformance.Findings) {
	judgeWire(x, s)
	if x.Operation == OpStatus {
		judgePolling(x, s)
	}
}
