package conformance

import (
	"fmt"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// sequenceCheck is a check of several calls of one probe together.
type sequenceCheck struct {
	check string
	probe ProbeName
	// ends judges the calls once every call of it was served; "" is a pass.
	ends func(calls []*Exchange) (problem string, at *Exchange)
}

// sequenceChecks are the checks of calls that have to fit together.
var sequenceChecks = []sequenceCheck{
	{"JRN-01", probeGoldenCall, wholeCall},
	{"JRN-02", probeMinimum, endsCancelled},
	{"JRN-03", probeListed, listedThenGone},
	{"JRN-04", probeEditedTwice, oneID},
	{"JRN-05", probeFirstCaller, knownAfterwards},
	{"JRN-06", probeFullLife, liveToComplete},
	{"JRN-12", probeRestart, stillThere},
	{"JRN-09", probeTwoJourneys, bothTheirOwn},
	{"JRN-10", probeTwoUsers, bothTheirOwn},
	{"JRN-11", probeReturnTrip, bothTheirOwn},
	{"JRN-13", probeCancelInEach, cancelsAgree},
	{"JRN-14", probeEditInEach, editsWhole},
}

// judgeSequences judges each probe that the history tells.
func judgeSequences(history []*Exchange, r *tracker) {
	for _, st := range slices.Concat(sequenceChecks, raceSequenceChecks) {
		var calls []*Exchange
		for _, x := range history {
			if x.Probe == st.probe && x.Intent != intentCleanUp {
				calls = append(calls, x)
			}
		}
		if len(calls) > 0 {
			st.judge(calls, r)
		}
	}
}

func (st sequenceCheck) judge(calls []*Exchange, r *tracker) {
	for i, x := range calls {
		if r.namesUnreliableID(x) {
			r.unverified(st.check, FailedBefore, "the server's ids cannot be relied on (see USR-01, USR-04 and BOK-04)", x)
			return
		}
		if mustServeUsual(x) && !wentThrough(x) {
			message := fmt.Sprintf("step %d, %s, was not served", i+1, x.Operation.Path())
			r.fail(st.check, message, "served", answer(x), x)
			return
		}
	}
	last := calls[len(calls)-1]
	problem, at := st.ends(calls)
	switch {
	case problem == "":
		r.pass(st.check, last)
	case at == nil:
		r.unverified(st.check, Incomplete, problem, last)
	default:
		r.fail(st.check, problem, byID[st.check].Requirement, answer(at), at)
	}
}

// inStatus are the seven statuses that a journey may be cancelled or edited in.
var inStatus = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete}

// perStatus judges the calls of a probe in which a journey was tried in each
// status: each try is a read, the call itself, and a read.
func perStatus(op Operation, calls []*Exchange, fits func(before, tried, after *Exchange) (problem string, known bool)) (string, *Exchange) {
	tried := map[taxi.Status]bool{}
	for i := 1; i+1 < len(calls); i++ {
		before, x, after := calls[i-1], calls[i], calls[i+1]
		if x.Operation != op || before.Operation != OpStatus || after.Operation != OpStatus || !served(before) {
			continue
		}
		if firstUnanswered([]*Exchange{x}) != nil {
			return "a call at " + before.Reply().at("status").text() + " was not answered cleanly", x
		}
		status := taxi.Status(before.Reply().at("status").text())
		problem, known := fits(before, x, after)
		if problem != "" {
			return "at " + string(status) + " " + problem, after
		}
		tried[status] = tried[status] || known
	}
	for _, s := range inStatus {
		if !tried[s] && s != taxi.Held && s != taxi.Waiting { // not every office holds or queues journeys
			return "not tried at " + string(s) + ": no journey could be brought there, or too little is shown", nil
		}
	}
	return "", nil
}

func cancelsAgree(calls []*Exchange) (string, *Exchange) {
	return perStatus(OpCancel, calls, func(_, x, after *Exchange) (string, bool) {
		ended := taxi.Status(after.Reply().at("status").text()) == taxi.Cancelled || after.refusedCleanly()
		if saysCancelled(x) != ended {
			return "the journey is not what /cancel said it is", true
		}
		return "", true
	})
}

func editsWhole(calls []*Exchange) (string, *Exchange) {
	return perStatus(OpBook, calls, func(before, x, after *Exchange) (string, bool) {
		edited, all := halves(after.Reply(), x.Sent())
		kept := stayed(before.Reply(), after.Reply())
		switch {
		case all < 2 || !served(after):
			return "", false
		case served(x) && edited < all:
			return "an edit that was served is applied by half or not at all", true
		case !served(x) && kept < all:
			return "an edit that was refused is applied all the same", true
		}
		return "", true
	})
}

// stayed counts how many of pickup, dropoffs and date are shown as before.
func stayed(before, after value) (n int) {
	for _, key := range []string{"pickup", "dropoffs", "date"} {
		if b, a := before.at(key), after.at(key); a.given() && a.show() == b.show() {
			n++
		}
	}
	return n
}

// shownBoth counts how many of pickup, dropoffs and date are shown twice.
func shownBoth(before, after value) (n int) {
	for _, key := range []string{"pickup", "dropoffs", "date"} {
		if before.at(key).given() && after.at(key).given() {
			n++
		}
	}
	return n
}

// of returns the calls of one operation.
func of(op Operation, calls []*Exchange) []*Exchange {
	return slices.DeleteFunc(slices.Clone(calls), func(x *Exchange) bool { return x.Operation != op })
}

const unfinished = "the probe did not finish"

// platformOrder is the order in which a phone call meets the operations.
var platformOrder = []Operation{OpConfig, OpUser, OpBook, OpStatus, OpCancel}

func wholeCall(calls []*Exchange) (string, *Exchange) {
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

func endsCancelled(calls []*Exchange) (string, *Exchange) {
	reads := of(OpStatus, calls)
	if len(reads) < 2 || len(of(OpCancel, calls)) == 0 {
		return unfinished, nil
	}
	if last := reads[len(reads)-1]; !isOver(last) {
		return "after the cancellation /status still tells of a journey", last
	}
	return "", nil
}

// isOver reports a /status reply that says a journey of the caller's own has ended, or
// no longer exists. The interface does not say with which status code a server refuses
// a journey that has ended.
func isOver(x *Exchange) bool { return x.succeeded() && showsEnd(x) || x.refusedCleanly() }

func listedThenGone(calls []*Exchange) (string, *Exchange) {
	looks, books, cancels := of(OpUser, calls), of(OpBook, calls), of(OpCancel, calls)
	if len(looks) < 2 || len(books) == 0 || len(cancels) == 0 {
		return unfinished, nil
	}
	id := cancels[0].Sent().at("journeyId").scalar()
	before, after := looks[len(looks)-2], looks[len(looks)-1]
	switch {
	case !before.succeeded():
		return "the server does not know the end user after their booking", nil
	case !slices.Contains(listedIn(before), id):
		return "the journey booked is not listed", before
	case slices.Contains(listedIn(after), id):
		return "the journey cancelled is still listed", after
	}
	return "", nil
}

func oneID(calls []*Exchange) (string, *Exchange) {
	edits := slices.DeleteFunc(of(OpBook, calls), func(x *Exchange) bool { return !isEdit(x) })
	cancels := of(OpCancel, calls)
	if len(edits) < 2 || len(cancels) == 0 {
		return unfinished, nil
	}
	id := edits[0].Sent().at("journeyId").scalar()
	for _, x := range slices.Concat(edits, of(OpStatus, calls), cancels) {
		if x.succeeded() && x.Reply().at("journeyId").scalar() != id {
			return "the journey's id changed on the way", x
		}
	}
	return "", nil
}

func knownAfterwards(calls []*Exchange) (string, *Exchange) {
	books, looks := of(OpBook, calls), of(OpUser, calls)
	if len(books) == 0 || len(looks) < 2 || !served(books[0]) {
		return unfinished, nil
	}
	last := looks[len(looks)-1]
	switch {
	case !last.succeeded():
		return "after their first booking /user does not know the caller", last
	case !slices.Contains(listedIn(last), books[0].Reply().at("journeyId").scalar()):
		return "after their first booking /user does not list the caller's journey", last
	}
	return "", nil
}

// bothTheirOwn judges whether journeys side by side have ids of their own, are
// answered under these ids, and end one by one.
func bothTheirOwn(calls []*Exchange) (string, *Exchange) {
	ids := map[string]bool{}
	cancelled := map[string]bool{}
	for _, x := range calls {
		id := x.Reply().at("journeyId").scalar()
		switch x.Operation {
		case OpBook:
			if ids[id] {
				return "two journeys have one id", x
			}
			ids[id] = true
		case OpStatus:
			if asked := x.Sent().at("journeyId").scalar(); id != asked {
				return "/status answered another journey", x
			}
			if !cancelled[id] && x.Reply().at("status").text() == string(taxi.Cancelled) {
				return "a journey was cancelled with another one", x
			}
		case OpCancel:
			cancelled[x.Sent().at("journeyId").scalar()] = true
		}
	}
	if len(ids) < 2 || len(of(OpStatus, calls)) < 2 {
		return unfinished, nil
	}
	return "", nil
}

// liveToComplete judges a journey that was moved on to its end.
func liveToComplete(calls []*Exchange) (string, *Exchange) {
	reads := of(OpStatus, calls)
	for _, x := range reads {
		if status := x.Reply().at("status"); !spelled(status) {
			return "a status that the interface does not have", x
		}
	}
	if len(reads) == 0 || reads[len(reads)-1].Reply().at("status").text() != string(taxi.Complete) {
		return "the journey could not be helped along to COMPLETE", nil
	}
	return "", nil
}

// stillThere judges whether journeys are the same before and after a restart, as far
// as they are shown, and whether those that had ended still have.
func stillThere(calls []*Exchange) (string, *Exchange) {
	first, twice := map[string]*Exchange{}, 0
	for _, after := range of(OpStatus, calls) {
		id := after.Sent().at("journeyId").scalar()
		before := first[id]
		if before == nil {
			first[id] = after
			continue
		}
		twice++
		switch {
		case stayed(before.Reply(), after.Reply()) < shownBoth(before.Reply(), after.Reply()):
			return "after the restart the journey is another than before", after
		case isOver(before) && !isOver(after):
			return "after the restart a journey that had ended is alive", after
		}
	}
	if twice == 0 {
		return unfinished, nil
	}
	return "", nil
}

// servedThroughout is for checks that only ask for every call to be served.
// [sequenceCheck.judge] looks at that first, so only the number of calls is left to
// judge.
func servedThroughout(op Operation, n int) func([]*Exchange) (string, *Exchange) {
	return func(calls []*Exchange) (string, *Exchange) {
		if len(of(op, calls)) < n {
			return unfinished, nil
		}
		return "", nil
	}
}
