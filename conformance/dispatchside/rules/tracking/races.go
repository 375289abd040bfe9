package tracking

import (
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// raceSequenceChecks are the checks of overlapping calls.
var raceSequenceChecks = []sequenceCheck{
	{check: "CON-01", probe: rules.ProbeTwentyBookings, ends: twentyOfTheirOwn, apart: true},
	{check: "CON-02", probe: rules.ProbeTenCancels, ends: tenCancelsEndJourney},
	{check: "CON-03", probe: rules.ProbeCancelAndEdit, ends: viewsAgree},
	{check: "CON-04", probe: rules.ProbeNewNumber, ends: oneUser},
	{check: "CON-05", probe: rules.ProbeEditsAtOnce, ends: oneEditWhole},
	{check: "CON-06", probe: rules.ProbeFiftyReads, ends: servedThroughout(rules.OpStatus, 50)},
	{check: "IDM-02", probe: rules.ProbeHungUp, ends: foundAfterwards},
	{check: "IDM-03", probe: rules.ProbeIdempotencyKeys, ends: keysDoNoHarm},
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
	return slices.DeleteFunc(of(op, calls), func(x *conformance.Exchange) bool { return x.Intent != rules.IntentRace })
}

func twentyOfTheirOwn(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	if len(of(rules.OpBook, calls)) < 20 || len(of(rules.OpStatus, calls)) < 20 {
		return unfinished, nil
	}
	return parallelJourneysSeparate(calls)
}

func tenCancelsEndJourney(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	cancels, reads := sentTogether(rules.OpCancel, calls), sentTogether(rules.OpStatus, calls)
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

// viewsAgree judges whether /cancel, /status and /user agree after a cancellation and an edit at
// the same time. The calls come in rounds that end with a /user.
func viewsAgree(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	rounds := 0
	var cancel, read *conformance.Exchange
	for _, x := range calls {
		switch {
		case x.Intent == rules.IntentRace && firstUnanswered([]*conformance.Exchange{x}) != nil:
			return "one of two calls at once was not answered cleanly", x
		case x.Intent == rules.IntentRace && x.Operation == rules.OpCancel:
			cancel = x
		case x.Intent == rules.IntentRace && x.Operation == rules.OpStatus:
			read = x
		case x.Operation == rules.OpUser && cancel != nil && read != nil:
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
	looks, books := of(rules.OpUser, calls), of(rules.OpBook, calls)
	if x := firstUnanswered(looks); x != nil {
		return "one of several calls at once for a new number was not answered cleanly", x
	}
	if len(looks) < 10 || len(books) < 4 {
		return unfinished, nil
	}
	ids := map[string]bool{}
	for _, x := range looks {
		if rules.Served(x) {
			ids[x.Reply().At("userId").Scalar()] = true
		}
		if len(ids) > 1 {
			return "one number has two userIds", x
		}
	}
	last := looks[len(looks)-1]
	for _, x := range books {
		if rules.Served(x) && !slices.Contains(listedIn(last), x.Reply().At("journeyId").Scalar()) {
			return "one of several concurrent bookings from a new number is not listed", last
		}
	}
	return "", nil
}

// oneEditWhole judges whether the journey, after several edits at the same time, is exactly one of
// them, or unchanged if all were refused.
func oneEditWhole(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	edits, reads := sentTogether(rules.OpBook, calls), sentTogether(rules.OpStatus, calls)
	if len(edits) < 2 || len(reads) == 0 {
		return unfinished, nil
	}
	if x := firstUnanswered(edits); x != nil {
		return "one of several edits at once was not answered cleanly", x
	}
	shown := reads[len(reads)-1]
	best := 0
	for _, x := range edits {
		match, all := countShownAndSame(shown.Reply(), x.Sent())
		if all < 2 {
			return "too little of the journey is shown", nil
		}
		best = max(best, match)
		if match == all {
			return "", nil
		}
	}
	if !slices.ContainsFunc(edits, rules.Served) && best == 0 {
		return "", nil // all refused, and none applied
	}
	return "the journey shown matches none of the concurrent edits", shown
}

// countShownAndSame returns how many of pickup, dropoffs and date a journey shows, and how many of those are
// as sent.
func countShownAndSame(shown, sent jsonvalue.Value) (match, all int) {
	for _, f := range []struct {
		v    jsonvalue.Value
		same bool
	}{
		{shown.At("pickup"), rules.LikenessOf(shown.At("pickup"), sent.At("pickup")).Same()},
		{shown.At("dropoffs"), samePlaces(shown.At("dropoffs"), sent.At("dropoffs"))},
		{shown.At("date"), rules.SameInstant(shown.At("date"), sent.At("pickupTime"))},
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

// foundAfterwards judges bookings whose answer the client did not wait for: once /user has listed
// one, it must stay listed. One that is never listed may not have been made.
func foundAfterwards(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	if len(of(rules.OpCancel, calls)) == 0 {
		return unfinished, nil
	}
	found := false
	for i, left := range calls {
		if left.Intent != rules.IntentHangUp {
			continue
		}
		listed := false
		for _, look := range of(rules.OpUser, calls[i:]) {
			if listed && !rules.IsShownIn(left, look) {
				return "a booking whose answer was not awaited was listed, and later was not", look
			}
			listed = rules.IsShownIn(left, look)
		}
		found = found || listed
	}
	if !found {
		return "a booking whose answer was not awaited is not listed: it is not known whether it was made", nil
	}
	return "", nil
}

func keysDoNoHarm(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	keyed := slices.DeleteFunc(slices.Clone(calls), func(x *conformance.Exchange) bool { return x.Intent != rules.IntentKey })
	reused := slices.IndexFunc(calls, func(x *conformance.Exchange) bool { return x.Intent == rules.IntentKeyReused })
	if len(keyed) < 2 || reused < 0 {
		return unfinished, nil
	}
	for i, x := range keyed {
		switch {
		case x.MayRefuse && x.RefusedCleanly():
			return "the server may refuse the booking with the key", nil
		case !rules.Served(x):
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
		if x.Operation != rules.OpBook || x.Intent != conformance.IntentPlain || rules.IsEdit(x) || x.Code() == 0 {
			continue
		}
		was := before[string(x.Request.Body)]
		before[string(x.Request.Body)] = x
		switch {
		case was == nil || !rules.Served(was) || x.Started.Sub(was.Started) > soon:
		case !rules.Served(x):
			s.Observe("IDM-01", fmt.Sprintf("the same booking sent again is answered %d", x.Code()), was, x)
		case x.Reply().At("journeyId").Scalar() == was.Reply().At("journeyId").Scalar():
			s.Observe("IDM-01", "the same booking sent again gives the same journey", was, x)
		default:
			s.Observe("IDM-01", "the same booking sent again gives a second journey", was, x)
		}
	}
}
