package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// unreadable are the classes of bad calls that cannot be understood as a call at all.
// A 2xx to one of them was made up.
var unreadable = map[conformance.Intent]bool{IntentBadEmpty: true, IntentBadNotJSON: true, IntentBadCut: true, IntentBadNoObject: true, IntentBadTypes: true}

// judgeBad judges the answer to a call that is wrong or odd on purpose. A 2xx is
// harmless when the call can be read as the one it resembles.
func (r *tracker) judgeBad(x *conformance.Exchange) {
	id := BadChecksOf[x.Intent]
	switch {
	case x.Response == nil && x.Intent == IntentBadHuge:
		r.Warn(id, "the connection was broken off", "413, or the call served", conformance.Answer(x), x)
	case x.Response == nil:
		r.Fail(id, "no answer came", "4xx", conformance.Answer(x), x)
	case x.RefusedCleanly():
		r.Refused(id, x)
	case !x.Succeeded():
		r.Fail(id, fmt.Sprintf("it was answered %d", x.Code()), "4xx", conformance.Answer(x), x)
	case Served(x) && x.Operation != OpConfig && !r.readable(x):
		r.Fail(id, "it was answered as if it were a call", "4xx", conformance.Answer(x), x)
	default:
		r.Pass(id, x)
	}
}

// readable reports whether the answer given can belong to a bad call.
func (r *tracker) readable(x *conformance.Exchange) bool {
	switch {
	case unreadable[x.Intent]:
		return false
	case r.userIDsUnstable:
		return true // whose journey it is cannot be told
	case x.Operation == OpCancel || x.Operation == OpStatus:
		id := x.Reply().At("journeyId").Scalar()
		return (r.journeys[id] != nil || r.unreliableIDs[id]) && r.namesTrip(x)
	default:
		return true
	}
}

// namesTrip reports a call that gives the id it was answered with, whatever the
// capitals of its keys.
func (r *tracker) namesTrip(x *conformance.Exchange) bool {
	id := x.Reply().At("journeyId").Scalar()
	return x.Sent().At("journeyId").Scalar() == id || x.Sent().At("JourneyId").Scalar() == id || !x.Sent().Present()
}

// trackBadCall records what a bad call may have changed.
func (r *tracker) trackBadCall(x *conformance.Exchange) {
	switch {
	case x.Operation == OpBook && Served(x):
		id := x.Reply().At("journeyId").Scalar()
		r.unreliableIDs[id] = true
		r.oddBookings[id] = x
		r.ownerOf(x).lastReply = nil
	case x.Operation == OpBook:
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

// evaluated is what is left of {{7*7}}${7*7} when a template ran it.
var evaluated = regexp.MustCompile(`4949|49\$\{|\}\}49`)

// judgeOdd judges what became of a booking with odd contents that was served.
func (r *tracker) judgeOdd(x *conformance.Exchange) {
	made := r.oddBookings[x.Reply().At("journeyId").Scalar()]
	if made == nil {
		return
	}
	if made.Intent == IntentBadCapitals {
		l := LikenessOf(x.Reply().At("pickup"), made.Sent().At("Pickup"))
		r.judgeOn(OpBook, "BAD-15", !l.shownAtAll() || l.Same(), x.Reply().At("pickup"), "the pickup as sent, or the call refused", made, x)
	}
	r.judgeTemplates(made, made.Sent().At("name"), x.Reply().At("passenger").At("name"), x)
	r.judgeTemplates(made, made.Sent().At("pickup").At("address"), x.Reply().At("pickup").At("address"), x)
}

// judgeTemplates judges whether a template in a text came back unchanged, if it came
// back at all.
func (r *tracker) judgeTemplates(made *conformance.Exchange, sent, shown jsonvalue.Value, x *conformance.Exchange) {
	if made.Intent == IntentBadScript && shown.HasText() && strings.Contains(sent.Text(), "{{7*7}}") {
		ran := evaluated.MatchString(shown.Text()) && !evaluated.MatchString(sent.Text())
		r.judgeOn(OpBook, "BAD-12", !ran, shown, "string "+sent.Show(), made, x)
	}
}

// judgeUnservedCancels judges whether a journey survived cancellations that were no
// valid calls.
func (r *tracker) judgeUnservedCancels(x *conformance.Exchange, t *trackedJourney, now taxi.Status) {
	for _, bad := range t.unservedCancels {
		r.judgeOn(OpCancel, BadChecksOf[bad.Intent], now != taxi.Cancelled, x.Reply().At("status"),
			"the status of a journey that lives on: the call had not been served", bad, x)
	}
	t.unservedCancels = nil
}

// judgeRefusedBooks judges whether bookings that were refused have not been made.
func (r *tracker) judgeRefusedBooks(p *trackedUser, listed map[string]jsonvalue.Value, x *conformance.Exchange) {
	refused := r.refusedBooks[x.Probe]
	if len(refused) == 0 || !p.startedEmpty || !r.usedByOneProbe(p) || r.userIDsUnstable {
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
			why := conformance.Because(conformance.FailedBefore, "the list does not have the journeys that were booked (see USR-10), so it cannot be told which journeys are others")
			f = conformance.Finding{Outcome: conformance.NotVerified, Message: why.String(), Reason: &why}
		}
		r.File(OpBook, refusedCheck(last), f, last, x)
		return
	}
	r.judgeOn(OpBook, refusedCheck(last), true, jsonvalue.Value{}, "", last, x)
}

// refusedCheck names the check that a refused call belongs to.
func refusedCheck(x *conformance.Exchange) string {
	if IsBad(x.Intent) {
		return BadChecksOf[x.Intent]
	}
	return "SEC-07"
}

// judgeOn files a verdict under another operation than that of its evidence.
func (r *tracker) judgeOn(op conformance.Operation, id string, ok bool, v jsonvalue.Value, expected string, xs ...*conformance.Exchange) {
	f := conformance.Finding{Outcome: conformance.Pass, Count: 1}
	if !ok {
		f = conformance.Finding{Outcome: conformance.Fail, Message: conformance.Describe(v, expected), Pointer: v.Pointer(), Expected: expected, Got: v.Show()}
	}
	r.File(op, id, f, xs...)
}

// misses reports a list that lacks one of the end user's active journeys.
func (p *trackedUser) misses(listed map[string]jsonvalue.Value) bool {
	return slices.ContainsFunc(p.journeys, func(t *trackedJourney) bool { return !t.hasEnded() && !t.maybeCancelled && !listed[t.id].Present() })
}
