package tracking

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// unreadable are the intents of bad calls whose body cannot be understood at all. An answer with
// 2xx to one of them must be invented.
var unreadable = map[conformance.Intent]bool{rules.IntentBadEmpty: true, rules.IntentBadNotJSON: true, rules.IntentBadCut: true, rules.IntentBadNoObject: true, rules.IntentBadTypes: true}

// judgeBad judges the answer to invalid or unusual input. A 2xx is harmless if the call can be read
// as the valid call that it resembles.
func (r *tracker) judgeBad(x *conformance.Exchange) {
	id := rules.BadChecksOf[x.Intent]
	members, mark := rules.Marked(x)
	if len(members) > 1 && r.oneByOne[markKey{x.Operation, mark.Text}] {
		return // the calls with one of these texts say which
	}
	switch {
	case x.Response == nil && x.Intent == rules.IntentBadHuge:
		r.Warn(id, "the connection was reset", "413, or the call served", conformance.Answer(x), x)
	case x.Response == nil:
		r.Fail(id, "no answer came", "4xx", conformance.Answer(x), x)
	case x.RefusedCleanly():
		r.Refused(id, x)
	case len(members) > 0 && !x.Succeeded():
		r.Fail(id, fmt.Sprintf("%s in %s is answered %d", mark.Name, conformance.WordList(members), x.Code()), "4xx, or the text kept", conformance.Answer(x), x)
	case !x.Succeeded():
		r.Fail(id, fmt.Sprintf("it was answered %d", x.Code()), "4xx", conformance.Answer(x), x)
	case rules.Served(x) && x.Operation != rules.OpConfig && !r.readable(x):
		judgeAccepted(id, x, &r.Findings)
	default:
		r.Pass(id, x)
	}
}

// markKey is a key for the calls of an operation that contain a certain test text, the mark.
type markKey struct {
	op   conformance.Operation
	mark string
}

// judgeAccepted judges a bad call that was served although it names nothing that can exist. A
// read of the first part of an id only warns, since it changes nothing.
func judgeAccepted(id string, x *conformance.Exchange, s *conformance.Findings) {
	message := "the server accepted it as a valid request"
	if members, mark := rules.Marked(x); len(members) > 0 {
		message = fmt.Sprintf("%s in %s finds what is another's", mark.Name, conformance.WordList(members))
	}
	if readsPart(x) {
		message = rules.IDNotWhole
	}
	if x.Operation == rules.OpStatus && readsPart(x) {
		s.Warn(id, message, "4xx", conformance.Answer(x), x)
		return
	}
	s.Fail(id, message, "4xx", conformance.Answer(x), x)
}

// readsPart reports whether the journeyId of an answer is a prefix of the one sent.
func readsPart(x *conformance.Exchange) bool {
	sent, got := x.Sent().At("journeyId").Scalar(), x.Reply().At("journeyId").Scalar()
	return got != "" && sent != got && strings.HasPrefix(sent, got)
}

// readable reports whether the answer to a bad call fits what the call says; if not, the server invented it.
func (r *tracker) readable(x *conformance.Exchange) bool {
	switch {
	case unreadable[x.Intent]:
		return false
	case r.userIDsUnstable:
		return true // the owner of the journey is unknown
	case x.Intent == rules.IntentBadScript && x.Operation == rules.OpUser:
		owner := r.usersByID[x.Reply().At("userId").Scalar()]
		return owner == nil || owner.phone == "" || sharesNumber(owner.phone, jsonvalue.Digits(x.Sent().At("phoneNumber").Text()))
	case x.Intent == rules.IntentBadScript && x.Sent().At("userId").Text() == "%":
		return false
	case x.Intent == rules.IntentBadScript && x.Operation == rules.OpBook && rules.IsEdit(x): // of a journey that these ids do not name
		members, _ := rules.Marked(x)
		marked := slices.Contains(members, "userId") && !r.servesAnybody || slices.Contains(members, "journeyId")
		return !marked || r.journeys[x.Reply().At("journeyId").Scalar()] == nil
	case x.Operation == rules.OpCancel || x.Operation == rules.OpStatus:
		id := x.Reply().At("journeyId").Scalar()
		if r.journeys[id] == nil && answeredJourney(r.journeys, x) != nil {
			return true // CAN-01 and STA-01 judge the form of its id
		}
		return (r.journeys[id] != nil || r.unreliableIDs[id]) && namesAnsweredJourney(x)
	default:
		return true
	}
}

// namesAnsweredJourney reports whether a call names the journey of its answer, with journeyId or JourneyId, or has no JSON body.
func namesAnsweredJourney(x *conformance.Exchange) bool {
	id := x.Reply().At("journeyId").Scalar()
	return x.Sent().At("journeyId").Scalar() == id || x.Sent().At("JourneyId").Scalar() == id || !x.Sent().Present()
}

// trackBadCall records what a bad call may have changed.
func (r *tracker) trackBadCall(x *conformance.Exchange) {
	switch {
	case x.Operation == rules.OpBook && rules.Served(x):
		r.trackOdd(x.Reply().At("journeyId").Scalar(), x)
	case x.Operation == rules.OpBook:
		r.outdateLists(x)
		r.refusedBooks[x.Probe] = append(r.refusedBooks[x.Probe], x)
	case x.Operation == rules.OpStatus && rules.Served(x):
		r.judgeOdd(x)
	case x.Operation == rules.OpCancel && (rules.SaysCancelled(x) || answersUnclearly(x)):
		if t := answeredJourney(r.journeys, x); t != nil {
			if members, _ := rules.Marked(x); rules.SaysCancelled(x) && len(members) == 0 {
				t.cancelledBy = x
			} else { // of another user, or in other words: whether it was carried out is not known
				t.maybeCancelled = true
			}
			t.outdateList()
		}
	case x.Operation == rules.OpCancel:
		for _, t := range r.journeys {
			if len(t.writes) > 0 && t.writes[0].Probe == x.Probe && !t.hasEnded() {
				t.unservedCancels = append(t.unservedCancels, x)
			}
		}
	}
}

// answeredJourney returns the known journey that an answer names, or else the one that its call names in another form of the same id;
// nil if there is none.
func answeredJourney(journeys map[string]*trackedJourney, x *conformance.Exchange) *trackedJourney {
	asked, told := x.Sent().At("journeyId").Scalar(), x.Reply().At("journeyId").Scalar()
	if t := journeys[told]; t != nil || !sameButForm(asked, told) {
		return t
	}
	return journeys[asked]
}

// judgeUnservedCancels judges whether a journey is still active after invalid calls of /cancel that were not served.
func judgeUnservedCancels(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	for _, bad := range t.unservedCancels {
		fileUnderOperation(s, rules.OpCancel, rules.BadChecksOf[bad.Intent], now != taxi.Cancelled, x.Reply().At("status"),
			"the status of a journey that is not cancelled: the call had not been served", bad, x)
	}
	t.unservedCancels = nil
}

// judgeRefusedBooks judges whether a list of bookings has one that was refused.
func (r *tracker) judgeRefusedBooks(p *trackedUser, listed map[string]jsonvalue.Value, x *conformance.Exchange) {
	refused := r.refusedBooks[x.Probe]
	if len(refused) == 0 || !p.startedEmpty || !r.usedByOneProbe(p) || r.userIDsUnstable || r.tellsOthers(p, x) {
		return
	}
	delete(r.refusedBooks, x.Probe)
	last := refused[len(refused)-1]
	for id, j := range listed {
		if r.journeys[id] != nil || r.unreliableIDs[id] {
			continue
		}
		f := conformance.Finding{
			Outcome: conformance.Fail, Message: "a booking that was refused is listed at " + j.Pointer(), Pointer: j.Pointer(),
			Expected: "no such journey", Got: j.Show(),
		}
		if p.lacksActive(listed) {
			why := conformance.Because(conformance.FailedBefore, "the list lacks the journeys that were booked (see USR-10), so it is not known which of its journeys are new")
			f = conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why}
		}
		r.File(rules.OpBook, refusedCheck(last), f, last, x)
		return
	}
	fileUnderOperation(&r.Findings, rules.OpBook, refusedCheck(last), true, jsonvalue.Value{}, "", last, x)
}

// refusedCheck returns the id of the check that judges a refused call.
func refusedCheck(x *conformance.Exchange) string {
	if rules.IsBad(x.Intent) {
		return rules.BadChecksOf[x.Intent]
	}
	return "SEC-07"
}

// fileUnderOperation records a pass or, if ok is false, a failure under an operation other than that of its calls.
func fileUnderOperation(s *conformance.Findings, op conformance.Operation, id string, ok bool, v jsonvalue.Value, expected string, xs ...*conformance.Exchange) {
	f := conformance.Finding{Outcome: conformance.Pass, Count: 1}
	if !ok {
		f = conformance.Finding{Outcome: conformance.Fail, Message: conformance.Describe(v, expected), Pointer: v.Pointer(), Expected: expected, Got: v.Show()}
	}
	s.File(op, id, f, xs...)
}

// lacksActive reports whether a list lacks one of the end user's active journeys.
func (p *trackedUser) lacksActive(listed map[string]jsonvalue.Value) bool {
	return slices.ContainsFunc(p.journeys, func(t *trackedJourney) bool { return !t.hasEnded() && !t.maybeCancelled && !listed[t.id].Present() })
}
