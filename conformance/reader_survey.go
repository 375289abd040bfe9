package conformance

import (
	"bytes"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// What has to be known of a history before its first call is judged.

// refusedInBothForms finds the calls in an unusual form that were refused, and were
// then refused in their usual form as well.
func refusedInBothForms(history []*Exchange) map[int]*Exchange {
	type kind struct {
		probe ProbeName
		op    Operation
	}
	asked, again := map[kind]*Exchange{}, map[int]*Exchange{}
	for _, x := range history {
		k := kind{x.Probe, x.Operation}
		_, odd := variants[x.Intent]
		switch before := asked[k]; {
		case odd && !x.succeeded():
			asked[k] = x
		case before != nil && x.Intent == intentPlain:
			if delete(asked, k); !x.succeeded() {
				again[before.ID] = x
			}
		}
	}
	return again
}

// indexCalls finds out which probes use a phone number, and which journeys were
// written to by overlapping calls.
func (r *tracker) indexCalls(history []*Exchange) {
	for _, x := range history {
		if phone := digits(x.Sent().at("phoneNumber").text()); phone != "" && x.Intent != intentCleanUp {
			if was, ok := r.probeOfPhone[phone]; ok && was != x.Probe {
				r.probeOfPhone[phone] = "*"
			} else {
				r.probeOfPhone[phone] = x.Probe
			}
		}
		if id := x.Sent().at("journeyId").scalar(); id != "" && writes(x) {
			r.writesByJourney[id] = append(r.writesByJourney[id], x)
		}
		if x.Operation == OpStatus && served(x) && !isBad(x.Intent) && hostileChecks[x.Intent] == "" {
			r.readsByJourney[x.Reply().at("journeyId").scalar()] = append(r.readsByJourney[x.Reply().at("journeyId").scalar()], x)
		}
		if x.Intent == intentRace {
			r.racedJourneys[x.Sent().at("journeyId").scalar()] = true
		}
	}
	for id, pens := range r.writesByJourney {
		for i, x := range pens {
			if x.Probe == "" && slices.ContainsFunc(pens[:i], func(w *Exchange) bool { return x.Started.Before(w.ended()) }) {
				r.racedJourneys[id] = true // in somebody else's traffic, unannounced
			}
		}
	}
	delete(r.racedJourneys, "")
}

// writtenDuring reports a journey that was edited or cancelled while call x was under
// way, or by an earlier call that ended later.
func (r *tracker) writtenDuring(id string, x *Exchange) bool {
	return slices.ContainsFunc(r.writesByJourney[id], func(w *Exchange) bool {
		return w != x && w.Started.Before(x.ended()) && (x.Started.Before(w.ended()) || w.ID > x.ID)
	})
}

// usedByOneProbe reports whether only one probe uses a user's number, so that no other
// books for them meanwhile.
func (r *tracker) usedByOneProbe(p *trackedUser) bool { return r.probeOfPhone[p.phone] != "*" }

// findUnreliableIDs finds userIds that change, are shared or are not strings, and
// journeyIds given out twice. Each fails a check of its own, and calls that depend on
// them prove nothing more.
func (r *tracker) findUnreliableIDs(history []*Exchange) {
	userIDs, phones := map[string]string{}, map[string]string{}
	firstWith := map[string]*Exchange{}
	for _, x := range history {
		switch {
		case !served(x) || isBad(x.Intent):
		case x.Operation == OpUser && x.Intent != intentPhoneForm && x.Intent != intentRace && isNumber(x.Sent().at("phoneNumber").text()):
			phone, id := digits(x.Sent().at("phoneNumber").text()), x.Reply().at("userId")
			if was, ok := userIDs[phone]; ok && was != id.scalar() || !id.isText() {
				r.userIDsUnstable = true
			}
			userIDs[phone] = id.scalar()
			if first, ok := phones[id.scalar()]; ok && first != phone && !sharesNumber(first, phone) {
				r.userIDsUnstable = true
			}
			phones[id.scalar()] = phone
		case x.Operation == OpBook && !isEdit(x):
			id := x.Reply().at("journeyId")
			first, again := firstWith[id.scalar()]
			if !id.isText() || again && !sameRequest(first, x) {
				r.unreliableIDs[id.scalar()] = true
			}
			firstWith[id.scalar()] = x
		}
	}
}

// sameRequest reports a call sent twice: the same body, or the same key.
func sameRequest(a, b *Exchange) bool {
	key := a.Request.Header.Get(taxi.IdempotencyHeader)
	return bytes.Equal(a.Request.Body, b.Request.Body) || key != "" && key == b.Request.Header.Get(taxi.IdempotencyHeader)
}

// findRacedCalls finds the calls that ran while a write of the same probe was under
// way. What they should have seen is not known.
func findRacedCalls(history []*Exchange) map[int]bool {
	stories := map[ProbeName][]*Exchange{}
	for _, x := range history {
		stories[x.Probe] = append(stories[x.Probe], x)
	}
	hit := map[int]bool{}
	for _, story := range stories {
		byStart := slices.SortedFunc(slices.Values(story), func(a, b *Exchange) int { return a.Started.Compare(b.Started) })
		for i, a := range byStart {
			for _, b := range byStart[i+1:] {
				if !b.Started.Before(a.ended()) {
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

// mayConflict reports whether two calls may be about the same thing. Calls of one
// probe may; calls of other people's traffic may if they name the same user, number or
// journey.
func mayConflict(a, b *Exchange) bool {
	if a.Probe != "" {
		return true
	}
	named := names(a)
	return slices.ContainsFunc(names(b), func(n string) bool { return slices.Contains(named, n) })
}

// namesUnreliableID reports whether a call names an unreliable id.
func (r *tracker) namesUnreliableID(x *Exchange) bool {
	if r.unreliableIDs[x.Sent().at("journeyId").scalar()] {
		return true
	}
	return r.userIDsUnstable && (x.Operation != OpConfig && x.Operation != OpUser) && x.Sent().at("userId").given()
}
