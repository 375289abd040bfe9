package tracking

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Facts about a history that must be known before its first call is judged.

// refusedInBothForms returns, by the id of a call that was refused in an unusual form, the same
// call in its usual form that was refused as well.
func refusedInBothForms(history []*conformance.Exchange) map[int]*conformance.Exchange {
	type kind struct {
		probe conformance.ProbeName
		op    conformance.Operation
	}
	asked, again := map[kind]*conformance.Exchange{}, map[int]*conformance.Exchange{}
	for _, x := range history {
		k := kind{x.Probe, x.Operation}
		_, odd := rules.Variants[x.Intent]
		switch before := asked[k]; {
		case odd && !x.Succeeded():
			asked[k] = x
		case before != nil && x.Intent == conformance.IntentPlain:
			if delete(asked, k); !x.Succeeded() {
				again[before.ID] = x
			}
		}
	}
	return again
}

// indexCalls collects facts about the whole history before its calls are judged, such as the probes
// that use a number and the journeys to which overlapping calls wrote.
func (r *tracker) indexCalls(history []*conformance.Exchange) {
	for _, x := range history {
		if phone := jsonvalue.Digits(x.Sent().At("phoneNumber").Text()); phone != "" && x.Intent != conformance.IntentCleanUp {
			if was, ok := r.probeOfPhone[phone]; ok && was != x.Probe {
				r.probeOfPhone[phone] = "*"
			} else {
				r.probeOfPhone[phone] = x.Probe
			}
		}
		if id := x.Sent().At("journeyId").Scalar(); id != "" && writes(x) {
			r.writesByJourney[id] = append(r.writesByJourney[id], x)
		}
		if x.Operation == rules.OpBook && x.Succeeded() && !rules.IsEdit(x) {
			r.booked[x.Reply().At("journeyId").Scalar()] = true
		}
		r.listsBookings = r.listsBookings || x.Operation == rules.OpUser && len(rules.Journeys(x)) > 0
		if rules.Served(x) && x.Intent == conformance.IntentPlain && (x.Operation != rules.OpBook || rules.IsEdit(x)) {
			r.serves[x.Operation] = true
		}
		if x.Operation == rules.OpStatus && rules.Served(x) && !rules.IsBad(x.Intent) && hostileChecks[x.Intent] == "" {
			r.readsByJourney[x.Reply().At("journeyId").Scalar()] = append(r.readsByJourney[x.Reply().At("journeyId").Scalar()], x)
		}
		if members, mark := rules.Marked(x); len(members) == 1 && x.Code() >= http.StatusInternalServerError {
			r.oneByOne[markKey{x.Operation, mark.Text}] = true
		}
		if x.Intent == rules.IntentRace {
			r.racedJourneys[x.Sent().At("journeyId").Scalar()] = true
		}
	}
	for id, pens := range r.writesByJourney {
		for i, x := range pens {
			if x.Probe == "" && slices.ContainsFunc(pens[:i], func(w *conformance.Exchange) bool { return x.Started.Before(w.Ended()) }) {
				r.racedJourneys[id] = true // in traffic of other clients, without an intent
			}
		}
	}
	delete(r.racedJourneys, "")
}

// writtenDuring reports whether a journey was edited or cancelled while x ran, or by a later call
// that began before x ended.
func (r *tracker) writtenDuring(id string, x *conformance.Exchange) bool {
	return slices.ContainsFunc(r.writesByJourney[id], func(w *conformance.Exchange) bool {
		return w != x && w.Started.Before(x.Ended()) && (x.Started.Before(w.Ended()) || w.ID > x.ID)
	})
}

// usedByOneProbe reports whether only one probe uses a user's number, so that no other probe
// books for that user meanwhile.
func (r *tracker) usedByOneProbe(p *trackedUser) bool { return r.probeOfPhone[p.phone] != "*" }

// findUnreliableIDs records userIds that change, are shared or are not strings, and journeyIds that
// are used twice. Their own checks fail; for other checks, calls with these ids prove nothing.
func (r *tracker) findUnreliableIDs(history []*conformance.Exchange) {
	userIDs, phones := map[string]string{}, map[string]string{}
	firstWith := map[string]*conformance.Exchange{}
	for _, x := range history {
		switch {
		case !rules.Served(x) || rules.IsBad(x.Intent):
		case x.Operation == rules.OpUser && x.Intent != rules.IntentPhoneForm && x.Intent != rules.IntentSameEnding && x.Intent != rules.IntentRace && isNumber(x.Sent().At("phoneNumber").Text()):
			phone, id := jsonvalue.Digits(x.Sent().At("phoneNumber").Text()), x.Reply().At("userId")
			if was, ok := userIDs[phone]; ok && was != id.Scalar() || !id.IsText() {
				r.userIDsUnstable = true
			}
			userIDs[phone] = id.Scalar()
			if first, ok := phones[id.Scalar()]; ok && first != phone && !sharesNumber(first, phone) {
				r.userIDsUnstable = true
			}
			phones[id.Scalar()] = phone
		case x.Operation == rules.OpBook && !rules.IsEdit(x):
			id := x.Reply().At("journeyId")
			first, again := firstWith[id.Scalar()]
			if !id.IsText() || again && !sameRequest(first, x) {
				r.unreliableIDs[id.Scalar()] = true
			}
			firstWith[id.Scalar()] = x
		}
	}
}

// sameRequest reports whether two calls have the same body or the same Idempotency-Key.
func sameRequest(a, b *conformance.Exchange) bool {
	key := a.Request.Header.Get(taxi.IdempotencyHeader)
	return bytes.Equal(a.Request.Body, b.Request.Body) || key != "" && key == b.Request.Header.Get(taxi.IdempotencyHeader)
}

// findRacedCalls returns the ids of calls that overlapped in time with a call that changes
// something. Their correct answer is not known.
func findRacedCalls(history []*conformance.Exchange) map[int]bool {
	stories := map[conformance.ProbeName][]*conformance.Exchange{}
	for _, x := range history {
		stories[x.Probe] = append(stories[x.Probe], x)
	}
	hit := map[int]bool{}
	for _, story := range stories {
		byStart := slices.SortedFunc(slices.Values(story), func(a, b *conformance.Exchange) int { return a.Started.Compare(b.Started) })
		for i, a := range byStart {
			for _, b := range byStart[i+1:] {
				if !b.Started.Before(a.Ended()) {
					break
				}
				if (writes(a) || writes(b)) && mayConflict(a, b) {
					hit[a.ID], hit[b.ID] = true, true
				}
			}
		}
	}
	return hit
}

// mayConflict reports whether two overlapping calls may affect each other. Calls of one probe may;
// calls of other clients may if they name the same user, number or journey.
func mayConflict(a, b *conformance.Exchange) bool {
	if a.Probe != "" {
		return true
	}
	named := rules.Names(a)
	return slices.ContainsFunc(rules.Names(b), func(n string) bool { return slices.Contains(named, n) })
}

// namesUnreliableID reports whether a call names an unreliable id.
func (r *tracker) namesUnreliableID(x *conformance.Exchange) bool {
	if r.unreliableIDs[x.Sent().At("journeyId").Scalar()] {
		return true
	}
	return r.userIDsUnstable && (x.Operation != rules.OpConfig && x.Operation != rules.OpUser) && x.Sent().At("userId").Given()
}
