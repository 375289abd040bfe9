package rules

import (
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// raceChecks are about concurrent calls and calls that are sent twice.
var raceChecks = []conformance.Check{
	{
		ID: "CON-01", Level: conformance.Should, Clause: clauseBook,
		Requirement: "Twenty bookings at once give twenty journeys, each with its own id under which it can be read.",
		Why:         "On a Friday night many phones ring at once.",
		Hint:        "Take ids from a sequence or generate them at random; do not count rows.",
	},
	{
		ID: "CON-02", Level: conformance.Robustness, Clause: clauseCancel,
		Requirement: "Ten cancellations of one journey at once leave one end state.",
		Why:         "People press twice, and platforms retry.",
		Hint:        "Let the first call win; answer the others like it, or 409.",
	},
	{
		ID: "CON-03", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "After a cancellation and an edit at once, /status and /user agree, and CANCELLED is final.",
		Why:         "A taxi comes that is not listed, or that was cancelled.",
		Hint:        "Change a journey in one transaction that checks its status first.",
	},
	{
		ID: "CON-04", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "Calls at once for a number never seen make one end user.",
		Why:         "A caller who is two users loses half of their bookings.",
		Hint:        "Make the number unique in the database.",
	},
	{
		ID: "CON-05", Level: conformance.Robustness, Clause: clauseBook, Needs: "a /status reply with two of pickup, dropoffs and date",
		Requirement: "Concurrent edits of one journey leave the result of one of them, never a mix.",
		Why:         "A booking with the pickup of one edit and the time of another is one that nobody made.",
		Hint:        "Store the whole booking in one statement.",
	},
	{
		ID: "CON-06", Level: conformance.Robustness, Clause: clauseStatus,
		Requirement: "Fifty /status calls at once are all served.",
		Why:         "Waiting callers ask where the taxi is.",
		Hint:        "Do not lock for reading; size the pool of connections.",
	},
	{
		ID: "CON-07", Level: conformance.Observed, Needs: "concurrent reads that take long enough to measure",
		Requirement: "Whether the server answers one call at a time is recorded: such a server cannot show how it handles concurrent calls.",
		Why:         "Code that works for one call at a time may fail on a Friday night.",
		Hint:        "Start the server as in production, with several workers (PHP_CLI_SERVER_WORKERS=4 php -S ...), and run again.",
	},
	{
		ID: "IDM-01", Level: conformance.Observed, Clause: clauseBook, Needs: "a booking that was served and then sent again",
		Requirement: "The interface does not show whether the same /book sent twice gives one journey or two; the result is recorded.",
		Why:         "A platform that received no answer may retry.",
		Hint:        "Document which of the two your server does.",
	},
	{
		ID: "IDM-02", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "A client that stopped waiting finds the booking, if it was made, through /user, and can book again.",
		Why:         "Otherwise a second taxi is sent, or none.",
		Hint:        "Complete the booking that was started, list it, and release all locks.",
	},
	{
		ID: "IDM-03", Level: conformance.Robustness, Clause: clauseBook,
		Requirement: "An Idempotency-Key header is harmless: it is ignored, or the same call with the same key gets the same answer.",
		Why:         "Careful platforms send one so that they can retry a call.",
		Hint:        "Ignore the header, or store the first answer under its key.",
	},
}

// raceSequenceChecks are the checks of overlapping calls.
var raceSequenceChecks = []sequenceCheck{
	{check: "CON-01", probe: ProbeTwentyBookings, ends: twentyOfTheirOwn, apart: true},
	{check: "CON-02", probe: ProbeTenCancels, ends: oneEnd},
	{check: "CON-03", probe: ProbeCancelAndEdit, ends: viewsAgree},
	{check: "CON-04", probe: ProbeNewNumber, ends: oneUser},
	{check: "CON-05", probe: ProbeEditsAtOnce, ends: oneEditWhole},
	{check: "CON-06", probe: ProbeFiftyReads, ends: servedThroughout(OpStatus, 50)},
	{check: "IDM-02", probe: ProbeHungUp, ends: foundAfterwards},
	{check: "IDM-03", probe: ProbeIdempotencyKeys, ends: keysDoNoHarm},
}

// firstUnanswered returns the first call that got no answer or a 5xx.
func firstUnanswered(calls []*conformance.Exchange) *conformance.Exchange {
	for _, x := range calls {
		if x.Code() == 0 || x.Code() >= 500 {
			return x
		}
	}
	return nil
}

// sentTogether returns the calls of an operation that were sent together.
func sentTogether(op conformance.Operation, calls []*conformance.Exchange) []*conformance.Exchange {
	return slices.DeleteFunc(of(op, calls), func(x *conformance.Exchange) bool { return x.Intent != IntentRace })
}

func twentyOfTheirOwn(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	if len(of(OpBook, calls)) < 20 || len(of(OpStatus, calls)) < 20 {
		return unfinished, nil
	}
	return bothTheirOwn(calls)
}

func oneEnd(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	cancels, reads := sentTogether(OpCancel, calls), sentTogether(OpStatus, calls)
	if len(cancels) < 2 || len(reads) == 0 {
		return unfinished, nil
	}
	if x := firstUnanswered(cancels); x != nil {
		return "one of ten cancellations was not answered cleanly", x
	}
	told := slices.ContainsFunc(cancels, meansCancelled)
	switch last := reads[len(reads)-1]; {
	case !told:
		return "none of ten cancellations was answered CANCELLED", cancels[0]
	case !isOver(last):
		return "after ten cancellations the journey is still active", last
	}
	return "", nil
}

// viewsAgree judges the result of a concurrent cancellation and edit. The calls come in
// rounds that end with a read.
func viewsAgree(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	rounds := 0
	var cancel, read *conformance.Exchange
	for _, x := range calls {
		switch {
		case x.Intent == IntentRace && firstUnanswered([]*conformance.Exchange{x}) != nil:
			return "one of two calls at once was not answered cleanly", x
		case x.Intent == IntentRace && x.Operation == OpCancel:
			cancel = x
		case x.Intent == IntentRace && x.Operation == OpStatus:
			read = x
		case x.Operation == OpUser && cancel != nil && read != nil:
			id := read.Sent().At("journeyId").Scalar()
			listed := slices.Contains(listedIn(x), id)
			switch {
			case meansCancelled(cancel) && !isOver(read):
				return "/cancel was answered CANCELLED, but /status shows an active journey", read
			case listed == isOver(read):
				return "/status and /user disagree on whether the journey is active", x
			}
			rounds++
			cancel, read = nil, nil
		}
	}
	if rounds == 0 {
		return unfinished, nil
	}
	return "", nil
}

func oneUser(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	looks, books := of(OpUser, calls), of(OpBook, calls)
	if x := firstUnanswered(looks); x != nil {
		return "one of several calls at once for a new number was not answered cleanly", x
	}
	if len(looks) < 10 || len(books) < 4 {
		return unfinished, nil
	}
	ids := map[string]bool{}
	for _, x := range looks {
		if Served(x) {
			ids[x.Reply().At("userId").Scalar()] = true
		}
		if len(ids) > 1 {
			return "one number has two userIds", x
		}
	}
	last := looks[len(looks)-1]
	for _, x := range books {
		if Served(x) && !slices.Contains(listedIn(last), x.Reply().At("journeyId").Scalar()) {
			return "one of several concurrent bookings from a new number is not listed", last
		}
	}
	return "", nil
}

// oneEditWhole judges whether the journey after several concurrent edits is one of them,
// or the booking as it was.
func oneEditWhole(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	edits, reads := sentTogether(OpBook, calls), sentTogether(OpStatus, calls)
	if len(edits) < 2 || len(reads) == 0 {
		return unfinished, nil
	}
	if x := firstUnanswered(edits); x != nil {
		return "one of several edits at once was not answered cleanly", x
	}
	shown := reads[len(reads)-1]
	best := 0
	for _, x := range edits {
		match, all := halves(shown.Reply(), x.Sent())
		if all < 2 {
			return "too little of the journey is shown", nil
		}
		best = max(best, match)
		if match == all {
			return "", nil
		}
	}
	if !slices.ContainsFunc(edits, Served) && best == 0 {
		return "", nil // all refused, and none applied
	}
	return "the journey shown matches none of the concurrent edits", shown
}

// halves counts how many of pickup, dropoffs and date are shown, and how many of them
// match those sent.
func halves(shown, sent jsonvalue.Value) (match, all int) {
	for _, f := range []struct {
		v    jsonvalue.Value
		same bool
	}{
		{shown.At("pickup"), LikenessOf(shown.At("pickup"), sent.At("pickup")).Same()},
		{shown.At("dropoffs"), samePlaces(shown.At("dropoffs"), sent.At("dropoffs"))},
		{shown.At("date"), SameInstant(shown.At("date"), sent.At("pickupTime"))},
	} {
		if f.v.Given() {
			all++
			if f.same {
				match++
			}
		}
	}
	return match, all
}

// foundAfterwards judges bookings whose answer the client did not wait for. A booking that
// is never listed may not have been made: no other reply shows it.
func foundAfterwards(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	if len(of(OpCancel, calls)) == 0 {
		return unfinished, nil
	}
	found := false
	for i, left := range calls {
		if left.Intent != IntentHangUp {
			continue
		}
		listed := false
		for _, look := range of(OpUser, calls[i:]) {
			if listed && !IsShownIn(left, look) {
				return "a booking whose answer was not awaited was listed, and later was not", look
			}
			listed = IsShownIn(left, look)
		}
		found = found || listed
	}
	if !found {
		return "a booking whose answer was not awaited is not listed: it is not known whether it was made", nil
	}
	return "", nil
}

func keysDoNoHarm(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	keyed := slices.DeleteFunc(slices.Clone(calls), func(x *conformance.Exchange) bool { return x.Intent != IntentKey })
	reused := slices.IndexFunc(calls, func(x *conformance.Exchange) bool { return x.Intent == IntentKeyReused })
	if len(keyed) < 2 || reused < 0 {
		return unfinished, nil
	}
	for i, x := range keyed {
		if !Served(x) {
			return fmt.Sprintf("call %d of two equal calls with an Idempotency-Key was not served", i+1), x
		}
	}
	if x := firstUnanswered([]*conformance.Exchange{calls[reused]}); x != nil {
		return "another call under the same Idempotency-Key was not answered cleanly", x
	}
	return "", nil
}

// judgeSentTwice records the result of the same booking sent twice without a key.
func judgeSentTwice(history []*conformance.Exchange, s *conformance.Findings) {
	before := map[string]*conformance.Exchange{}
	const soon = time.Minute
	for _, x := range history {
		if x.Operation != OpBook || x.Intent != conformance.IntentPlain || IsEdit(x) || x.Code() == 0 {
			continue
		}
		was := before[string(x.Request.Body)]
		before[string(x.Request.Body)] = x
		switch {
		case was == nil || !Served(was) || x.Started.Sub(was.Started) > soon:
		case !Served(x):
			s.Observe("IDM-01", fmt.Sprintf("the same booking sent again is answered %d", x.Code()), was, x)
		case x.Reply().At("journeyId").Scalar() == was.Reply().At("journeyId").Scalar():
			s.Observe("IDM-01", "the same booking sent again gives the same journey", was, x)
		default:
			s.Observe("IDM-01", "the same booking sent again gives a second journey", was, x)
		}
	}
}
