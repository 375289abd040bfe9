package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// badChecks are about invalid or unusual input; each is executed on all five
// operations.
var badChecks = []conformance.Check{
	badCheck("BAD-01", "An empty body", "A request cut off on the way must not book a taxi.", "Answer 400 when there is no body."),
	badCheck("BAD-02", "A body that is not JSON", "An error in one integration must not stop the others.", "Catch the JSON reader's error and answer 400."),
	badCheck("BAD-03", "JSON that breaks off", "Half a booking is no booking.", "Read the body whole before acting on it; answer 400."),
	badCheck("BAD-04", "An array, a string or null in place of the object", "Code that expects an object crashes.", "Check that the body is an object; answer 400."),
	badCheck("BAD-05", "A required field of the wrong type", "A name that is an object is read out as nonsense.", "Check the type of each field; answer 4xx naming it."),
	badCheck("BAD-06", "A body of one megabyte", "One client's mistake must not use up the memory for all others.", "Limit bodies to a sensible size and answer 413, or accept it."),
	badCheck("BAD-07", "Nesting a thousand levels deep", "Anybody can crash a parser that recurses.", "Limit the depth, or skip unknown fields without recursion."),
	badCheck("BAD-08", "Duplicate keys", "Two parts of a system read different values and disagree on what was booked.", "Refuse with 400, or always use the same one of the two."),
	badCheck("BAD-09", "Invalid UTF-8 or a lone surrogate", "Text that cannot be stored or forwarded breaks the next system.", "Refuse with 400, or replace what cannot be read."),
	badCheck("BAD-10", "NUL and control characters", "A NUL ends the text in some databases and not in others.", "Refuse with 4xx, or keep them as data; compare ids whole."),
	badCheck("BAD-11", "A Content-Type other than JSON", "A form sent by mistake must not be half understood.", "Answer 415, or read the body as JSON anyway."),
	badCheck("BAD-12", "Characters with a meaning in SQL, scripts and templates: kept as data", "A passenger's name must not run as code.", "Bind parameters; never build queries or templates from text."),
	badCheck("BAD-13", "Strings of ten thousand characters", "One over-long name must not crash the call for everybody.", "Refuse with 4xx, or keep it whole."),
	badCheck("BAD-14", "Extreme numbers: 1e400, -0, 1e-7", "Parsers turn them into infinity or zero, and the taxi goes there.", "Check ranges after reading; answer 4xx."),
	badCheck("BAD-15", "Keys in other letter case (PhoneNumber): all accepted or none", "Half a booking is booked.", "Compare all keys exactly, or all of them ignoring case."),
}

func badCheck(id, what, why, hint string) conformance.Check {
	return conformance.Check{
		ID: id, Level: conformance.Robustness,
		Requirement: what + ": the server answers 4xx or a harmless 2xx; it must not answer 5xx, stay silent or change state.",
		Why:         why,
		Hint:        hint,
	}
}

// unreadable are the classes of bad calls that cannot be parsed as a call. A 2xx for
// one of them is invented.
var unreadable = map[conformance.Intent]bool{IntentBadEmpty: true, IntentBadNotJSON: true, IntentBadCut: true, IntentBadNoObject: true, IntentBadTypes: true}

// judgeBad judges the answer to invalid or unusual input. A 2xx is harmless if the
// call can be read as the valid call it resembles.
func (r *tracker) judgeBad(x *conformance.Exchange) {
	id := BadChecksOf[x.Intent]
	switch {
	case x.Response == nil && x.Intent == IntentBadHuge:
		r.Warn(id, "the connection was reset", "413, or the call served", conformance.Answer(x), x)
	case x.Response == nil:
		r.Fail(id, "no answer came", "4xx", conformance.Answer(x), x)
	case x.RefusedCleanly():
		r.Refused(id, x)
	case !x.Succeeded():
		r.Fail(id, fmt.Sprintf("it was answered %d", x.Code()), "4xx", conformance.Answer(x), x)
		r.Suggest("Catch the exception from parsing such a body in one place for all operations, and answer 400.")
	case Served(x) && x.Operation != OpConfig && !r.readable(x):
		judgeAccepted(id, x, &r.Findings)
	default:
		r.Pass(id, x)
	}
}

// judgeAccepted judges a bad call that was served although it names nothing that can exist. A
// read of the first part of an id only warns, since it changes nothing.
func judgeAccepted(id string, x *conformance.Exchange, s *conformance.Findings) {
	message := "the server accepted it as a valid request"
	if readsPart(x) {
		message = idNotWhole
	}
	if x.Operation == OpStatus && readsPart(x) {
		s.Warn(id, message, "4xx", conformance.Answer(x), x)
		return
	}
	s.Fail(id, message, "4xx", conformance.Answer(x), x)
}

// readsPart reports an answer whose journeyId is a prefix of the one sent.
func readsPart(x *conformance.Exchange) bool {
	sent, got := x.Sent().At("journeyId").Scalar(), x.Reply().At("journeyId").Scalar()
	return got != "" && sent != got && strings.HasPrefix(sent, got)
}

// readable reports whether the answer can belong to the bad call.
func (r *tracker) readable(x *conformance.Exchange) bool {
	switch {
	case unreadable[x.Intent]:
		return false
	case r.userIDsUnstable:
		return true // the owner of the journey is unknown
	case x.Operation == OpCancel || x.Operation == OpStatus:
		id := x.Reply().At("journeyId").Scalar()
		return (r.journeys[id] != nil || r.unreliableIDs[id]) && namesTrip(x, &r.Findings)
	default:
		return true
	}
}

// namesTrip reports a call with the journeyId of its answer, ignoring the case of its
// keys.
func namesTrip(x *conformance.Exchange, s *conformance.Findings) bool {
	id := x.Reply().At("journeyId").Scalar()
	return x.Sent().At("journeyId").Scalar() == id || x.Sent().At("JourneyId").Scalar() == id || !x.Sent().Present()
}

// trackBadCall records what a bad call may have changed.
func (r *tracker) trackBadCall(x *conformance.Exchange) {
	switch {
	case x.Operation == OpBook && Served(x):
		r.trackOdd(x.Reply().At("journeyId").Scalar(), x)
	case x.Operation == OpBook:
		r.outdateLists(x)
		r.refusedBooks[x.Probe] = append(r.refusedBooks[x.Probe], x)
	case x.Operation == OpStatus && Served(x):
		r.judgeOdd(x)
	case x.Operation == OpCancel && SaysCancelled(x):
		if t := r.journeys[x.Reply().At("journeyId").Scalar()]; t != nil {
			t.cancelledBy = x
			t.outdateList()
		}
	case x.Operation == OpCancel && answersUnclearly(x):
		if t := r.journeys[x.Reply().At("journeyId").Scalar()]; t != nil {
			t.maybeCancelled = true
			t.outdateList()
		}
	case x.Operation == OpCancel:
		for _, t := range r.journeys {
			if len(t.writes) > 0 && t.writes[0].Probe == x.Probe && !t.hasEnded() {
				t.unservedCancels = append(t.unservedCancels, x)
			}
		}
	}
}

// judgeUnservedCancels judges whether a journey survived invalid calls of /cancel.
func judgeUnservedCancels(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	for _, bad := range t.unservedCancels {
		judgeOn(s, OpCancel, BadChecksOf[bad.Intent], now != taxi.Cancelled, x.Reply().At("status"),
			"the status of a journey that is not cancelled: the call had not been served", bad, x)
	}
	t.unservedCancels = nil
}

// judgeRefusedBooks judges whether a refused booking was made anyway.
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
		if p.misses(listed) {
			why := conformance.Because(conformance.FailedBefore, "the list lacks the journeys that were booked (see USR-10), so it is not known which of its journeys are new")
			f = conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why}
		}
		r.File(OpBook, refusedCheck(last), f, last, x)
		return
	}
	judgeOn(&r.Findings, OpBook, refusedCheck(last), true, jsonvalue.Value{}, "", last, x)
}

// refusedCheck names the check that a refused call belongs to.
func refusedCheck(x *conformance.Exchange) string {
	if IsBad(x.Intent) {
		return BadChecksOf[x.Intent]
	}
	return "SEC-07"
}

// judgeOn files a verdict under another operation than that of its evidence.
func judgeOn(s *conformance.Findings, op conformance.Operation, id string, ok bool, v jsonvalue.Value, expected string, xs ...*conformance.Exchange) {
	f := conformance.Finding{Outcome: conformance.Pass, Count: 1}
	if !ok {
		f = conformance.Finding{Outcome: conformance.Fail, Message: conformance.Describe(v, expected), Pointer: v.Pointer(), Expected: expected, Got: v.Show()}
	}
	s.File(op, id, f, xs...)
}

// misses reports whether a list lacks one of the end user's active journeys.
func (p *trackedUser) misses(listed map[string]jsonvalue.Value) bool {
	return slices.ContainsFunc(p.journeys, func(t *trackedJourney) bool { return !t.hasEnded() && !t.maybeCancelled && !listed[t.id].Present() })
}
