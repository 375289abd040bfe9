package tracking

import (
	"fmt"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// sequenceCheck is a check of several calls of one probe together.
type sequenceCheck struct {
	check string
	probe conformance.ProbeName
	// ends judges the calls if all were served. It returns "" for a pass, or a problem and the call that shows it; without a
	// call, the check is not verified.
	ends  func(calls []*conformance.Exchange) (problem string, at *conformance.Exchange)
	mild  string // a problem that fails another check: here it only warns
	apart bool   // its bookings must have separate ids even if other ids are unreliable
}

// sequenceChecks are the checks that judge all calls of one probe together, except those of overlapping calls, which are in
// [raceSequenceChecks].
var sequenceChecks = []sequenceCheck{
	{check: "JRN-01", probe: rules.ProbeGoldenCall, ends: wholeCall},
	{check: "JRN-02", probe: rules.ProbeMinimum, ends: endsCancelled},
	{check: "JRN-03", probe: rules.ProbeListed, ends: listedThenGone, mild: stillListed},
	{check: "JRN-04", probe: rules.ProbeEditedTwice, ends: oneID},
	{check: "JRN-05", probe: rules.ProbeFirstCaller, ends: knownAfterwards},
	{check: "JRN-06", probe: rules.ProbeFullLife, ends: liveToComplete},
	{check: "JRN-12", probe: rules.ProbeRestart, ends: stillThere},
	{check: "ENR-24", probe: rules.ProbeShortAndLong, ends: longCostsMore, mild: shortForLong},
	{check: "JRN-09", probe: rules.ProbeTwoJourneys, ends: parallelJourneysSeparate, apart: true},
	{check: "JRN-10", probe: rules.ProbeTwoUsers, ends: parallelJourneysSeparate, apart: true},
	{check: "JRN-11", probe: rules.ProbeReturnTrip, ends: parallelJourneysSeparate, apart: true},
	{check: "JRN-13", probe: rules.ProbeCancelInEach, ends: cancelsAgree},
	{check: "JRN-14", probe: rules.ProbeEditInEach, ends: editsWhole},
}

// judgeSequences applies each sequence check to the calls of its probe in the history.
func judgeSequences(history []*conformance.Exchange, r *tracker) {
	for _, st := range slices.Concat(sequenceChecks, raceSequenceChecks) {
		var calls []*conformance.Exchange
		for _, x := range history {
			if x.Probe == st.probe && x.Intent != conformance.IntentCleanUp {
				calls = append(calls, x)
			}
		}
		if len(calls) > 0 {
			st.judge(calls, r)
		}
	}
}

func (st sequenceCheck) judge(calls []*conformance.Exchange, r *tracker) {
	if x := sharedID(calls); st.apart && x != nil {
		r.Fail(st.check, twoWithOneID, r.Requirement(st.check), conformance.Answer(x), x)
		return
	}
	for i, x := range calls {
		if r.namesUnreliableID(x) {
			r.Unverified(st.check, conformance.FailedBefore, "the server's ids cannot be relied on (see USR-01, USR-04 and BOK-04)", x)
			return
		}
		if rules.MustServeUsual(x) && !wentThrough(x) {
			message := fmt.Sprintf("step %d, %s, was %s", i+1, x.Operation.Path(), notServed(x))
			r.Fail(st.check, message, "served", conformance.Answer(x), x)
			return
		}
	}
	last := calls[len(calls)-1]
	problem, at := st.ends(calls)
	switch {
	case problem == "":
		r.Pass(st.check, last)
	case at == nil:
		r.Unverified(st.check, conformance.Incomplete, problem, last)
	case problem == st.mild:
		r.Warn(st.check, problem, r.Requirement(st.check), conformance.Answer(at), at)
	default:
		r.Fail(st.check, problem, r.Requirement(st.check), conformance.Answer(at), at)
	}
}

// notServed returns a phrase that says why a call counts as not served.
func notServed(x *conformance.Exchange) string {
	switch {
	case !x.Succeeded():
		return "not served"
	case x.Operation == rules.OpUser:
		return "answered without a userId"
	case !x.Reply().At("journeyId").Given() && !x.Reply().At("status").Given():
		return "answered without a journeyId and a status"
	case !x.Reply().At("journeyId").Given():
		return "answered without a journeyId"
	}
	return "answered without a status"
}

// perStatus judges a probe that makes a call of op in each status of a journey, between two reads. fits judges one such
// group. The results are a problem and the call that shows it: none for a pass, a problem alone for a status not tested.
func perStatus(op conformance.Operation, calls []*conformance.Exchange, fits func(before, tried, after *conformance.Exchange) (problem string, known bool)) (string, *conformance.Exchange) {
	tried := map[taxi.Status]bool{}
	for i := 1; i+1 < len(calls); i++ {
		before, x, after := calls[i-1], calls[i], calls[i+1]
		if x.Operation != op || before.Operation != rules.OpStatus || after.Operation != rules.OpStatus || !rules.Served(before) {
			continue
		}
		if firstUnanswered([]*conformance.Exchange{x}) != nil {
			return "a call at " + before.Reply().At("status").Text() + " was not answered cleanly", x
		}
		status := taxi.Status(before.Reply().At("status").Text())
		problem, known := fits(before, x, after)
		if problem != "" {
			return "at " + string(status) + " " + problem, after
		}
		tried[status] = tried[status] || known
	}
	for _, s := range rules.InStatus {
		if !tried[s] && s != taxi.Held && s != taxi.Waiting { // not every server holds or queues journeys
			return "not tested at " + string(s) + ": no journey reached it, or too little is shown", nil
		}
	}
	return "", nil
}

func cancelsAgree(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	return perStatus(rules.OpCancel, calls, func(_, x, after *conformance.Exchange) (string, bool) {
		ended := taxi.Status(after.Reply().At("status").Text()) == taxi.Cancelled || after.RefusedCleanly()
		if rules.SaysCancelled(x) != ended {
			return "the journey does not have the status that /cancel answered", true
		}
		return "", true
	})
}

func editsWhole(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	return perStatus(rules.OpBook, calls, func(before, x, after *conformance.Exchange) (string, bool) {
		edited, all := countShownAndSame(after.Reply(), x.Sent())
		kept := countUnchanged(before.Reply(), after.Reply())
		switch {
		case all < 2 || !rules.Served(after):
			return "", false
		case rules.Served(x) && edited < all:
			return "a served edit is applied partly or not at all", true
		case !rules.Served(x) && kept < all:
			return "a refused edit is applied anyway", true
		}
		return "", true
	})
}

// countUnchanged counts how many of pickup, dropoffs and date are shown as before.
func countUnchanged(before, after jsonvalue.Value) (n int) {
	for key, same := range map[string]func(a, b jsonvalue.Value) bool{"pickup": samePlace, "dropoffs": samePlaces, "date": rules.SameInstant} {
		if b, a := before.At(key), after.At(key); a.Given() && b.Given() && same(a, b) {
			n++
		}
	}
	return n
}

// shownBoth counts how many of pickup, dropoffs and date both replies show.
func shownBoth(before, after jsonvalue.Value) (n int) {
	for _, key := range []string{"pickup", "dropoffs", "date"} {
		if before.At(key).Given() && after.At(key).Given() {
			n++
		}
	}
	return n
}

// of returns the calls of one operation.
func of(op conformance.Operation, calls []*conformance.Exchange) []*conformance.Exchange {
	return slices.DeleteFunc(slices.Clone(calls), func(x *conformance.Exchange) bool { return x.Operation != op })
}

const unfinished = "the probe did not finish"

// platformOrder is the order of the operations in a phone call.
var platformOrder = []conformance.Operation{rules.OpConfig, rules.OpUser, rules.OpBook, rules.OpStatus, rules.OpCancel}

func wholeCall(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	at := 0
	for _, x := range calls {
		if at < len(platformOrder) && x.Operation == platformOrder[at] {
			at++
		}
	}
	if at < len(platformOrder) {
		return unfinished, nil
	}
	return "", nil
}

func endsCancelled(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	reads := of(rules.OpStatus, calls)
	if len(reads) < 2 || len(of(rules.OpCancel, calls)) == 0 {
		return unfinished, nil
	}
	if last := reads[len(reads)-1]; !isOver(last) {
		return "after the cancellation /status still shows the journey", last
	}
	return "", nil
}

// isOver reports whether a /status reply says that the caller's own journey has ended or no longer exists. The
// interface does not define the status code for a journey that has ended.
func isOver(x *conformance.Exchange) bool {
	return x.Succeeded() && meansEnd(x.Reply().At("status")) || x.RefusedCleanly()
}

// stillListed is the problem of a cancelled journey that /user still lists. It only warns: CAN-03 and USR-11 judge it, and are
// not MUSTs.
const stillListed = "the cancelled journey is still listed (see CAN-03)"

func listedThenGone(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	looks, books, cancels := of(rules.OpUser, calls), of(rules.OpBook, calls), of(rules.OpCancel, calls)
	if len(looks) < 2 || len(books) == 0 || len(cancels) == 0 {
		return unfinished, nil
	}
	id := cancels[0].Sent().At("journeyId").Scalar()
	before, after := looks[len(looks)-2], looks[len(looks)-1]
	switch {
	case !before.Succeeded():
		return "the server does not know the end user after their booking", nil
	case !slices.Contains(listedIn(before), id):
		return "the booked journey is not listed", before
	case slices.Contains(listedIn(after), id):
		return stillListed, after
	}
	return "", nil
}

func oneID(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	edits := slices.DeleteFunc(of(rules.OpBook, calls), func(x *conformance.Exchange) bool { return !rules.IsEdit(x) })
	cancels := of(rules.OpCancel, calls)
	if len(edits) < 2 || len(cancels) == 0 {
		return unfinished, nil
	}
	id := edits[0].Sent().At("journeyId").Scalar()
	for _, x := range slices.Concat(edits, of(rules.OpStatus, calls), cancels) {
		if x.Sent().At("journeyId").Scalar() == id && x.Succeeded() && x.Reply().At("journeyId").Scalar() != id {
			return "the journey's id changed on the way", x
		}
	}
	return "", nil
}

func knownAfterwards(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	books, looks := of(rules.OpBook, calls), of(rules.OpUser, calls)
	if len(looks) == 0 || looks[0].Intent != rules.IntentNewcomer {
		return unfinished, nil // no caller was new: the numbers were given as an aid
	}
	if len(books) == 0 || len(looks) < 2 || !rules.Served(books[0]) {
		return unfinished, nil
	}
	last := looks[len(looks)-1]
	switch {
	case !last.Succeeded():
		return "after their first booking /user does not know the caller", last
	case !slices.Contains(listedIn(last), books[0].Reply().At("journeyId").Scalar()):
		return "after their first booking /user does not list the caller's journey", last
	}
	return "", nil
}

const twoWithOneID = "two journeys have one id"

// sharedID returns the first booking whose journeyId an earlier booking with another request has, or nil.
func sharedID(calls []*conformance.Exchange) *conformance.Exchange {
	first := map[string]*conformance.Exchange{}
	for _, x := range of(rules.OpBook, calls) {
		id := x.Reply().At("journeyId").Scalar()
		if !rules.Served(x) || rules.IsEdit(x) || id == "" {
			continue
		}
		if before := first[id]; before != nil && !sameRequest(before, x) {
			return x
		}
		first[id] = x
	}
	return nil
}

// parallelJourneysSeparate judges whether parallel journeys have their own ids, are answered under
// these ids, and end separately.
func parallelJourneysSeparate(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	ids := map[string]bool{}
	cancelled := map[string]bool{}
	for _, x := range calls {
		id := x.Reply().At("journeyId").Scalar()
		switch x.Operation {
		case rules.OpBook:
			switch {
			case !rules.Served(x): // more stops than the server takes
			case ids[id]:
				return twoWithOneID, x
			default:
				ids[id] = true
			}
		case rules.OpStatus:
			if asked := x.Sent().At("journeyId").Scalar(); id != asked {
				return "/status answered another journey", x
			}
			if !cancelled[id] && x.Reply().At("status").Text() == string(taxi.Cancelled) {
				return "a journey was cancelled with another one", x
			}
		case rules.OpCancel:
			cancelled[x.Sent().At("journeyId").Scalar()] = true
		}
	}
	if len(ids) < 2 || len(of(rules.OpStatus, calls)) < 2 {
		return unfinished, nil
	}
	return "", nil
}

// liveToComplete judges a journey that an aid advanced to its end.
func liveToComplete(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	reads := of(rules.OpStatus, calls)
	for _, x := range reads {
		if status := x.Reply().At("status"); !rules.Spelled(status) {
			return "the interface does not define this status", x
		}
	}
	if len(reads) == 0 || reads[len(reads)-1].Reply().At("status").Text() != string(taxi.Complete) {
		return "the journey could not be advanced to COMPLETE", nil
	}
	return "", nil
}

func statusIn(x *conformance.Exchange) taxi.Status { return taxi.Status(x.Reply().At("status").Text()) }

// stillThere judges whether journeys are the same before and after a restart, as far as
// they are shown, and whether ended journeys are still ended.
func stillThere(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	first, twice := map[string]*conformance.Exchange{}, 0
	for _, after := range of(rules.OpStatus, calls) {
		id := after.Sent().At("journeyId").Scalar()
		before := first[id]
		if before == nil || after.Intent == rules.IntentMoved { // an aid moves other journeys on, and their cars with them
			first[id] = after
			continue
		}
		twice++
		switch {
		case countUnchanged(before.Reply(), after.Reply()) < shownBoth(before.Reply(), after.Reply()):
			return "the restart changed the journey", after
		case withDriver(statusIn(before)) && !withDriver(statusIn(after)):
			return "after the restart a journey that was under way is " + string(statusIn(after)), after
		case !isOver(before) && isOver(after):
			return "after the restart a booking is " + string(statusIn(after)), after
		case withDriver(statusIn(before)) && (changed("driver", "name", before, after) || changed("vehicle", "registration", before, after)):
			return "after the restart another driver or vehicle has the journey", after
		case isOver(before) && !isOver(after):
			return "after the restart a journey that had ended is active", after
		}
	}
	if twice == 0 {
		return unfinished, nil
	}
	return "", nil
}

// changed reports whether two replies show a member of an object with different texts.
func changed(object, member string, before, after *conformance.Exchange) bool {
	was, is := before.Reply().At(object).At(member), after.Reply().At(object).At(member)
	return was.HasText() && is.HasText() && was.Text() != is.Text()
}

// servedThroughout returns a function for checks that only require every call to be served.
// [sequenceCheck.judge] has already judged that, so the function only requires n calls of op.
func servedThroughout(op conformance.Operation, n int) func([]*conformance.Exchange) (string, *conformance.Exchange) {
	return func(calls []*conformance.Exchange) (string, *conformance.Exchange) {
		if len(of(op, calls)) < n {
			return unfinished, nil
		}
		return "", nil
	}
}
