package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// unreadable are the classes of bad calls that cannot be understood as a call at all.
// A 2xx to one of them was made up.
var unreadable = map[Intent]bool{intentBadEmpty: true, intentBadNotJSON: true, intentBadCut: true, intentBadNoObject: true, intentBadTypes: true}

// judgeBad judges the answer to a call that is wrong or odd on purpose. A 2xx is
// harmless when the call can be read as the one it resembles.
func (r *tracker) judgeBad(x *Exchange) {
	id := badChecksOf[x.Intent]
	switch {
	case x.Response == nil && x.Intent == intentBadHuge:
		r.warn(id, "the connection was broken off", "413, or the call served", answer(x), x)
	case x.Response == nil:
		r.fail(id, "no answer came", "4xx", answer(x), x)
	case x.refusedCleanly():
		r.refused(id, x)
	case !x.succeeded():
		r.fail(id, fmt.Sprintf("it was answered %d", x.code()), "4xx", answer(x), x)
	case served(x) && x.Operation != OpConfig && !r.readable(x):
		r.fail(id, "it was answered as if it were a call", "4xx", answer(x), x)
	default:
		r.pass(id, x)
	}
}

// readable reports whether the answer given can belong to a bad call.
func (r *tracker) readable(x *Exchange) bool {
	switch {
	case unreadable[x.Intent]:
		return false
	case r.userIDsUnstable:
		return true // whose journey it is cannot be told
	case x.Operation == OpCancel || x.Operation == OpStatus:
		id := x.Reply().at("journeyId").scalar()
		return (r.journeys[id] != nil || r.unreliableIDs[id]) && r.namesTrip(x)
	default:
		return true
	}
}

// namesTrip reports a call that gives the id it was answered with, whatever the
// capitals of its keys.
func (r *tracker) namesTrip(x *Exchange) bool {
	id := x.Reply().at("journeyId").scalar()
	return x.Sent().at("journeyId").scalar() == id || x.Sent().at("JourneyId").scalar() == id || !x.Sent().present()
}

// trackBadCall records what a bad call may have changed.
func (r *tracker) trackBadCall(x *Exchange) {
	switch {
	case x.Operation == OpBook && served(x):
		id := x.Reply().at("journeyId").scalar()
		r.unreliableIDs[id] = true
		r.oddBookings[id] = x
		r.ownerOf(x).lastReply = nil
	case x.Operation == OpBook:
		r.refusedBooks[x.Probe] = append(r.refusedBooks[x.Probe], x)
	case x.Operation == OpStatus && served(x):
		r.judgeOdd(x)
	case x.Operation == OpCancel && saysCancelled(x):
		if t := r.journeys[x.Reply().at("journeyId").scalar()]; t != nil {
			t.cancelledBy = x
			t.outdateList()
		}
	case x.Operation == OpCancel && answersUnclearly(x):
		if t := r.journeys[x.Reply().at("journeyId").scalar()]; t != nil {
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
func (r *tracker) judgeOdd(x *Exchange) {
	made := r.oddBookings[x.Reply().at("journeyId").scalar()]
	if made == nil {
		return
	}
	if made.Intent == intentBadCapitals {
		l := likenessOf(x.Reply().at("pickup"), made.Sent().at("Pickup"))
		r.judgeOn(OpBook, "BAD-15", !l.shownAtAll() || l.same(), x.Reply().at("pickup"), "the pickup as sent, or the call refused", made, x)
	}
	r.judgeTemplates(made, made.Sent().at("name"), x.Reply().at("passenger").at("name"), x)
	r.judgeTemplates(made, made.Sent().at("pickup").at("address"), x.Reply().at("pickup").at("address"), x)
}

// judgeTemplates judges whether a template in a text came back unchanged, if it came
// back at all.
func (r *tracker) judgeTemplates(made *Exchange, sent, shown value, x *Exchange) {
	if made.Intent == intentBadScript && shown.hasText() && strings.Contains(sent.text(), "{{7*7}}") {
		ran := evaluated.MatchString(shown.text()) && !evaluated.MatchString(sent.text())
		r.judgeOn(OpBook, "BAD-12", !ran, shown, "string "+sent.show(), made, x)
	}
}

// judgeUnservedCancels judges whether a journey survived cancellations that were no
// valid calls.
func (r *tracker) judgeUnservedCancels(x *Exchange, t *trackedJourney, now taxi.Status) {
	for _, bad := range t.unservedCancels {
		r.judgeOn(OpCancel, badChecksOf[bad.Intent], now != taxi.Cancelled, x.Reply().at("status"),
			"the status of a journey that lives on: the call had not been served", bad, x)
	}
	t.unservedCancels = nil
}

// judgeRefusedBooks judges whether bookings that were refused have not been made.
func (r *tracker) judgeRefusedBooks(p *trackedUser, listed map[string]value, x *Exchange) {
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
		f := Finding{
			Outcome: Fail, Message: "a booking that was refused is listed at " + j.pointer(), Pointer: j.pointer(),
			Expected: "no such journey", Got: j.show(),
		}
		if p.misses(listed) {
			why := because(FailedBefore, "the list does not have the journeys that were booked (see USR-10), so it cannot be told which journeys are others")
			f = Finding{Outcome: NotVerified, Message: why.String(), Reason: &why}
		}
		r.file(OpBook, refusedCheck(last), f, last, x)
		return
	}
	r.judgeOn(OpBook, refusedCheck(last), true, value{}, "", last, x)
}

// refusedCheck names the check that a refused call belongs to.
func refusedCheck(x *Exchange) string {
	if isBad(x.Intent) {
		return badChecksOf[x.Intent]
	}
	return "SEC-07"
}

// judgeOn files a verdict under another operation than that of its evidence.
func (r *tracker) judgeOn(op Operation, id string, ok bool, v value, expected string, xs ...*Exchange) {
	f := Finding{Outcome: Pass, Count: 1}
	if !ok {
		f = Finding{Outcome: Fail, Message: describe(v, expected), Pointer: v.pointer(), Expected: expected, Got: v.show()}
	}
	r.file(op, id, f, xs...)
}

// misses reports a list that lacks one of the end user's active journeys.
func (p *trackedUser) misses(listed map[string]value) bool {
	return slices.ContainsFunc(p.journeys, func(t *trackedJourney) bool { return !t.hasEnded() && !t.maybeCancelled && !listed[t.id].present() })
}
