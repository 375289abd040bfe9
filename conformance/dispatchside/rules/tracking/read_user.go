package tracking

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// trackUser compares a /user reply with the known state of the user.
func (r *tracker) trackUser(x *conformance.Exchange) {
	asked := x.Sent().At("phoneNumber").Text()
	p := r.personOf(jsonvalue.Digits(asked))
	if owner := r.usersByID[x.Reply().At("userId").Scalar()]; x.Probe == "" && owner != nil && sharesNumber(owner.phone, p.phone) {
		p = owner // the same number in another form
	}
	switch x.Intent {
	case rules.IntentPhoneForm:
		r.judgePhoneForm(x)
		return
	case rules.IntentSameEnding:
		r.judgeSameEnding(x)
		return
	}
	if !isNumber(asked) {
		return // the owner is unknown
	}
	if !p.lookedUp {
		unknown := func(id string) bool { return !r.booked[id] } // some servers list everybody's bookings
		p.lookedUp, p.startedEmpty = true, len(p.journeys) == 0 && !slices.ContainsFunc(listedIn(x), unknown)
	}
	if !rules.Served(x) || p.phone == "" {
		return
	}
	judgeName(p, x, &r.Findings)
	r.judgeIdentity(p, x)
	if r.racedCalls[x.ID] || x.Intent == conformance.IntentCleanUp { // clean-up cancels journeys by every means
		p.lastReply = nil
		return
	}
	r.judgeListing(p, x)
	r.judgeRepeat(p, x)
	p.listed, p.lastReply = listedIn(x), x
}

// judgeName judges the name of a user. A new user may have none yet.
func judgeName(p *trackedUser, x *conformance.Exchange, s *conformance.Findings) {
	name := x.Reply().At("name")
	if !name.IsText() || name.HasText() {
		return
	}
	own := func(t *trackedJourney) bool { return !t.forSomebodyElse() }
	if slices.ContainsFunc(p.journeys, own) {
		s.Want("USR-01", false, name, "string, not empty for a user who has booked", x)
	} else {
		s.Warn("USR-01", "/name is empty", "the user's name", name, x)
	}
}

// judgeIdentity judges whether each user has exactly one userId that no other user has.
func (r *tracker) judgeIdentity(p *trackedUser, x *conformance.Exchange) {
	id := x.Reply().At("userId")
	switch {
	case id.Scalar() == "":
		return
	case p.userID == "":
		p.userID = id.Scalar()
	case p.userID == id.Scalar():
		r.Pass("USR-04", x)
	default:
		r.Want("USR-04", false, id, fmt.Sprintf("string %q, as before", jsonvalue.Clip(p.userID, 60)), x)
		return
	}
	other := r.usersByID[id.Scalar()]
	switch {
	case other == nil:
		r.usersByID[id.Scalar()] = p
	case other == p:
	case sharesNumber(other.phone, p.phone):
		return // two forms of one number
	case other.phone == "":
		r.mergeUser(other, p)
	default:
		r.Fail("USR-05", "two numbers have one userId", "a userId for each number", id, x)
		return
	}
	if len(r.usersByID) > 1 {
		r.Pass("USR-05", x)
	}
}

// mergeUser moves the journeys of a user known only by userId to the user whose number is
// now known.
func (r *tracker) mergeUser(nameless, p *trackedUser) {
	for _, t := range nameless.journeys {
		t.owner = p
	}
	p.journeys = append(p.journeys, nameless.journeys...)
	r.usersByID[p.userID] = p
}

// listedIn returns the ids of the journeys in a /user reply.
func listedIn(x *conformance.Exchange) []string {
	var ids []string
	for _, j := range rules.Journeys(x) {
		ids = append(ids, j.At("journeyId").Scalar())
	}
	return ids
}

// recent is how long a journey is assumed to stay active without a change.
const recent = 5 * time.Minute

// judgeListing judges which journeys a user's reply lists.
func (r *tracker) judgeListing(p *trackedUser, x *conformance.Exchange) {
	listed := map[string]jsonvalue.Value{}
	for _, j := range rules.Journeys(x) {
		listed[j.At("journeyId").Scalar()] = j
	}
	list := x.Reply().At("activeBookings")
	active := 0
	for _, t := range p.journeys {
		if r.unreliableIDs[t.id] || r.racedJourneys[t.id] || r.writtenDuring(t.id, x) {
			continue
		}
		j, shown := listed[t.id]
		last := t.writes[len(t.writes)-1]
		switch {
		case t.cancelledBy != nil && x.Started.Before(t.cancelledBy.Ended()): // the order is not known
		case t.cancelledBy != nil:
			judgeGone(t, shown, j, x, &r.Findings)
		case t.hasEnded():
		case t.maybeCancelled && !shown:
			active = -len(p.journeys)
		case shown:
			active++
			r.Pass("USR-10", last, x)
			judgePassengerListing(t, x, &r.Findings)
			r.compareWithBooking(t, j, x)
		case x.Started.Before(last.Ended()) || !r.usedByOneProbe(p): // the read, or another probe, may have come first
			active = -len(p.journeys)
		case r.endsBy(t, x): // by itself, between two reads
			active = -len(p.journeys)
		case x.Started.Sub(last.Ended()) < recent:
			r.judgeUnlisted(t, p, list, last, x)
			active = -len(p.journeys)
		}
	}
	if active >= 10 {
		r.Pass("USR-13", x)
	}
	r.judgeRefusedBooks(p, listed, x)
	r.judgeStrangers(p, listed, x)
}

// endsBy reports whether a journey ended by itself before a call or soon after, as the
// next read of it shows.
func (r *tracker) endsBy(t *trackedJourney, x *conformance.Exchange) bool {
	look := r.lookAfter(x, t.id)
	return look != nil && t.cancelledBy == nil && showsEnd(look)
}

// judgeUnlisted fails a journey that is missing from its user's bookings: under USR-13 if the user has many
// and some are listed, otherwise under USR-10. A journey for somebody else is judged at the end.
func (r *tracker) judgeUnlisted(t *trackedJourney, p *trackedUser, list jsonvalue.Value, last, x *conformance.Exchange) {
	const few = 3 // active journeys; a list that ends after more has a check of its own
	switch {
	case p.active() > few && len(list.Items()) > 0:
		r.Fail("USR-13", "not all of the user's active bookings are listed", "every journey booked", list, last, x)
	case t.forSomebodyElse():
		r.unlisted = append(r.unlisted, unlistedJourney{list, last, x})
	default:
		r.listsNone = !r.listsBookings
		r.Fail("USR-10", "a journey just booked is not among the user's active bookings", "the journey", list, last, x)
		suggestListing(t.id, list, &r.Findings)
	}
}

// suggestListing adds a hint for other causes of a missing journey than a stale list: an id
// in other letter case, or a truncated list.
func suggestListing(id string, list jsonvalue.Value, s *conformance.Findings) {
	const few = 3
	for _, j := range list.Items() {
		if shown := j.At("journeyId"); strings.EqualFold(shown.Scalar(), id) {
			s.Suggest(fmt.Sprintf("Send the same journeyId in every reply: /book answered %q, /user lists %s.", id, shown.Show()))
			return
		}
	}
	if n := len(list.Items()); n > few {
		s.Suggest(fmt.Sprintf("List every active booking, also if there are more than %d, and read them from where /book wrote.", n))
	}
}

// unlistedJourney is a journey for somebody else that is not listed for the user who booked it.
type unlistedJourney struct {
	list       jsonvalue.Value
	made, look *conformance.Exchange
}

// judgeUnlistedForOthers fails the journeys for somebody else that were not listed, unless
// the server lists none at all, which fails USR-10.
func (r *tracker) judgeUnlistedForOthers() {
	for _, u := range r.unlisted {
		if !r.listsNone {
			r.Fail("BOK-36", "a journey booked for somebody else is not listed under the userId given", "the journey", u.list, u.made, u.look)
		}
	}
}

// active counts the end user's journeys that are not known to have ended.
func (p *trackedUser) active() (n int) {
	for _, t := range p.journeys {
		if !t.hasEnded() && !t.maybeCancelled {
			n++
		}
	}
	return n
}

// judgeGone judges whether a cancelled journey is still listed.
func judgeGone(t *trackedJourney, shown bool, j jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	switch {
	case shown && x.Intent == rules.IntentNextDay:
		s.Fail("JRN-18", "the day after, a cancelled journey is listed again", "no such journey in activeBookings", j.At("status"), t.cancelledBy, x)
		return
	case shown:
		s.Fail("CAN-03", "a cancelled journey is still listed", "no such journey in activeBookings", j.At("status"), t.cancelledBy, x)
		return
	}
	s.Pass("CAN-03", t.cancelledBy, x)
	s.Pass("USR-11", t.cancelledBy, x)
}

func judgePassengerListing(t *trackedJourney, x *conformance.Exchange, s *conformance.Findings) {
	if t.forSomebodyElse() && t.booking().At("userId").Given() {
		s.Pass("BOK-36", x)
	}
}

// judgeStrangers judges whether a list has journeys that nobody made or that belong to other users.
func (r *tracker) judgeStrangers(p *trackedUser, listed map[string]jsonvalue.Value, x *conformance.Exchange) {
	edited := slices.ContainsFunc(p.journeys, (*trackedJourney).edited) && !r.tellsOthers(p, x)
	extra := false
	for id, j := range listed {
		reliable := !r.unreliableIDs[id] && !r.racedJourneys[id]
		if reliable && !r.booked[id] && p.startedEmpty && r.usedByOneProbe(p) && edited && !slices.Contains(p.listed, id) {
			r.Fail("BOK-19", "an active booking appeared that nobody made", "the edited journey only", j, x)
			extra = true
		}
	}
	lists := func(t *trackedJourney) bool { return listed[t.id].Present() }
	if !extra && p.startedEmpty && slices.ContainsFunc(p.journeys, func(t *trackedJourney) bool { return t.edited() && lists(t) }) {
		r.Pass("BOK-19", x)
	}
	if !r.judgeForeign(p, listed, x) && len(r.journeys) > len(p.journeys) && slices.ContainsFunc(p.journeys, lists) { // an empty list is no evidence
		r.Pass("USR-12", x)
	}
}

// judgeForeign fails a reply that lists other users' journeys, and reports whether it does.
// In traffic a journey may be booked with another form of the user's number.
// If the only such journey was booked for this user, it is assigned to the wrong person;
// among others it counts as one of them.
func (r *tracker) judgeForeign(p *trackedUser, listed map[string]jsonvalue.Value, x *conformance.Exchange) bool {
	var all []*trackedJourney
	for id := range listed {
		if t := r.journeys[id]; t != nil && isForeign(p, t) && !r.unreliableIDs[id] && !r.racedJourneys[id] && (x.Probe != "" || !sharesNumber(t.owner.phone, p.phone)) {
			all = append(all, t)
		}
	}
	others := func(t *trackedJourney) bool {
		return !t.forSomebodyElse() || jsonvalue.Digits(t.booking().At("phoneNumber").Text()) != p.phone
	}
	check := "BOK-36"
	if slices.ContainsFunc(all, others) {
		check = "USR-12"
	}
	for _, t := range all {
		r.Fail(check, "another end user's journey is listed", "the user's own journeys only", listed[t.id].At("journeyId"), x)
	}
	return len(all) > 0
}

// tellsOthers reports whether a /user reply lists another user's journey. The unknown journeys in
// it may then belong to other users, too.
func (r *tracker) tellsOthers(p *trackedUser, reply *conformance.Exchange) bool {
	return slices.ContainsFunc(listedIn(reply), func(id string) bool {
		t := r.journeys[id]
		return t == nil && r.booked[id] || t != nil && isForeign(p, t)
	})
}

// isForeign reports whether a journey belongs, as far as known, to another user. Runs also book
// with a wrong userId, the right one and an x: a journey of that owner is foreign, too.
func isForeign(p *trackedUser, t *trackedJourney) bool {
	return t.owner != nil && t.owner != p && (t.owner.phone != "" || t.owner.userID == p.userID+"x")
}

// judgeRepeat judges whether two /user replies in a row list the same bookings if nothing was
// booked or cancelled between them.
func (r *tracker) judgeRepeat(p *trackedUser, x *conformance.Exchange) {
	if x.Probe == "" || r.userIDsUnstable || p.lastReply == nil || p.lastReply.Probe != x.Probe || p.lastReply.Epoch != x.Epoch || x.Intent == rules.IntentMoved || !r.usedByOneProbe(p) || p.maybeBooked {
		return // in traffic of other clients journeys may begin and end unseen
	}
	now := listedIn(x)
	if r.tellsOthers(p, x) || r.tellsOthers(p, p.lastReply) {
		return // other users book and cancel meanwhile; USR-12 and BOK-36 report that theirs are listed
	}
	over := func(id string) bool { t := r.journeys[id]; return t != nil && r.endsBy(t, x) }
	lost := slices.ContainsFunc(p.listed, func(id string) bool { return !slices.Contains(now, id) && !over(id) })
	more := slices.ContainsFunc(now, func(id string) bool { return !slices.Contains(p.listed, id) })
	same := !lost && !more
	r.Want("USR-18", same, x.Reply().At("activeBookings"), "the same bookings as before, since nothing was booked or cancelled", p.lastReply, x)
}

// judgeSameEnding judges whether two numbers with the same ending have different users.
// The other data of such a user is not judged: it may belong to two people.
func (r *tracker) judgeSameEnding(x *conformance.Exchange) {
	asked, id := jsonvalue.Digits(x.Sent().At("phoneNumber").Text()), x.Reply().At("userId")
	if !rules.Served(x) {
		return
	}
	for phone, other := range r.sameEnding {
		switch {
		case phone == asked:
		case other.Reply().At("userId").Scalar() == id.Scalar():
			r.Fail("USR-05", "two numbers that end alike have one userId", "a userId for each number", id, other, x)
		default:
			r.Pass("USR-05", other, x)
		}
	}
	r.sameEnding[asked] = x
}

// judgePhoneForm judges a number in another form: it may be refused or understood, but
// must not return another user.
func (r *tracker) judgePhoneForm(x *conformance.Exchange) {
	id := x.Reply().At("userId").Scalar()
	owner := r.usersByID[id]
	asked := jsonvalue.Digits(x.Sent().At("phoneNumber").Text())
	switch {
	case x.Code() == 0 || x.Code() >= 500:
		r.Fail("USR-17", "a number written differently was not answered cleanly", "the same user, or 4xx", conformance.Answer(x), x)
	case !x.Succeeded():
		r.Refused("USR-17", x)
	case !rules.Served(x):
		r.Warn("USR-17", "a number written differently was answered as a success, without a user", "the same user, or 4xx", conformance.Answer(x), x)
	case owner == nil:
		r.Warn("USR-17", "a number written differently creates a new user", "the same user, or 4xx", x.Reply().At("userId"), x)
	case sharesNumber(owner.phone, asked):
		r.Pass("USR-17", x)
	default:
		r.Fail("USR-17", "a number written differently opens another user's account", "the same user, or 4xx", x.Reply().At("userId"), x)
	}
}
