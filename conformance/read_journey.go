package conformance

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// readBook remembers a booking or an edit and judges what it says of the past.
func (r *reader) readBook(x *Exchange, t *trip) {
	if isEdit(x) {
		if t != nil {
			r.readEdit(x, t)
		}
		return
	}
	if x.Response == nil {
		r.mayHaveBooked(x)
		return
	}
	if !served(x) {
		if x.Intent == intentSeasons && x.refusedCleanly() {
			r.unverified("TIM-05", NotServed, "a pickup at "+x.Sent().at("pickupTime").text()+", when the clocks change, was refused: run again nearer to that day", x)
		}
		return
	}
	id := x.Reply().at("journeyId")
	if known := r.trips[id.scalar()]; known != nil {
		r.judgeTwin(known, id, x)
		return
	}
	r.pass("BOK-04", x)
	p := r.ownerOf(x)
	t = &trip{id: id.scalar(), owner: p, kinds: map[string]string{}}
	t.write(x)
	p.trips = append(p.trips, t)
	r.trips[t.id] = t
	r.judgeFixed(x, t)
	r.readBack(t, x.Reply(), x)
}

// mayHaveBooked remembers a booking of which it is not known whether it was made.
func (r *reader) mayHaveBooked(x *Exchange) {
	p := r.ownerOf(x)
	p.blank, p.seen, p.unsure = false, nil, true
}

// judgeTwin judges an id that was given out before. The same request sent twice
// may well be answered with the same journey.
func (r *reader) judgeTwin(known *trip, id value, x *Exchange) {
	if len(known.writes) > 0 && sameRequest(known.writes[0], x) {
		return
	}
	first := x
	if len(known.writes) > 0 {
		first = known.writes[0]
	}
	r.fail("BOK-04", "two bookings have one journeyId", "a journeyId for each booking", id, first, x)
}

// write remembers what a call asked for and was told.
func (t *trip) write(x *Exchange) {
	t.versions = append(t.versions, x.Sent())
	t.writes = append(t.writes, x)
	t.reads, t.moves, t.course = 0, 0, course{}
	t.tell(x.Reply().at("status"), x)
	t.touched()
}

// touched makes the last look at the journey's user out of date.
func (t *trip) touched() {
	if t.owner != nil {
		t.owner.seen = nil
	}
}

func (t *trip) tell(status value, x *Exchange) {
	t.status, t.told = taxi.Status(status.text()), x
}

// readEdit judges an answer to an edit.
func (r *reader) readEdit(x *Exchange, t *trip) {
	if t.over() {
		if !r.racing[x.ID] {
			r.judgeRevival(x)
		}
		if x.succeeded() {
			t.also = append(t.also, x.Sent())
		}
		return
	}
	if !served(x) {
		return
	}
	id := x.Reply().at("journeyId")
	r.want("BOK-15", id.scalar() == t.id, id, fmt.Sprintf("string %q, as sent", clip(t.id, 60)), x)
	t.write(x)
	r.judgeFixed(x, t)
}

// judgeRevival judges an edit of a journey that has ended.
func (r *reader) judgeRevival(x *Exchange) {
	status := x.Reply().at("status")
	switch {
	case x.refusedCleanly():
		r.refused("BOK-23", x)
	case x.succeeded() && taxi.Status(status.text()).Terminal():
		r.pass("BOK-23", x)
	case x.succeeded():
		r.fail("BOK-23", "an edit of a journey that had ended was served", "4xx", status, x)
	default:
		r.fail("BOK-23", "an edit of a journey that had ended was not refused cleanly", "4xx", answer(x), x)
	}
}

// readCancel judges an answer to /cancel against what is known of the journey.
func (r *reader) readCancel(x *Exchange, t *trip) {
	if t == nil || lacksIDs(x.Sent()) {
		return
	}
	if t.ended != nil {
		if !r.racing[x.ID] {
			r.judgeSecondCancel(x, t)
		}
		return
	}
	if t.status == taxi.POB || t.status == taxi.Complete {
		t.late = x
	}
	if mumbles(x) || x.code() == 0 || x.code() >= http.StatusInternalServerError {
		t.vague = true
		t.touched()
		return // other checks say what is wrong with the answer
	}
	if !saysCancelled(x) {
		if t.edited() && due(x) {
			r.fail("CAN-10", "a journey that was edited could not be cancelled", "CANCELLED", answer(x), t.writes[len(t.writes)-1], x)
		}
		return
	}
	if t.edited() {
		r.pass("CAN-10", x)
	}
	r.observe("JRN-07", fmt.Sprintf("%s became %s", t.status, taxi.Cancelled), x)
	t.ended = x
	t.tell(x.Reply().at("status"), x)
	t.touched()
}

// readClaim remembers the journeys that a call says it cancelled which was not
// their user's own, or no call at all. Checks of their own say what is wrong with
// it; whether the journey lives on is anybody's guess.
func (r *reader) readClaim(x *Exchange) {
	stray := x.Request.Method != http.MethodPost || threats[x.Intent] != "" || lacksIDs(x.Sent())
	if x.Operation != OpCancel || !saysCancelled(x) || !stray || x.elsewhere() {
		return
	}
	asked, told := x.Sent().at("journeyId").scalar(), x.Reply().at("journeyId").scalar()
	for id, t := range r.trips {
		if id == told || sameButForm(id, asked) || asked == "" && t.writes[0].Probe == x.Probe {
			t.vague = true
			t.touched()
		}
	}
}

// sameButForm reports ids that differ in capitals or in spaces around them only.
func sameButForm(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

func (r *reader) judgeSecondCancel(x *Exchange, t *trip) {
	switch {
	case x.code() == 0 || x.code() >= 500:
		r.fail("CAN-04", "a second cancellation was not answered cleanly", "CANCELLED again, or 4xx", answer(x), t.ended, x)
	case x.succeeded() && !saysCancelled(x):
		r.fail("CAN-04", "a second cancellation was answered with another status", "CANCELLED", x.Reply().at("status"), t.ended, x)
	default:
		r.pass("CAN-04", t.ended, x)
	}
}

// threats names the check that a call belongs to which should have left a journey
// alone.
var threats = map[Intent]string{
	intentForeign: "CAN-06", intentNotYours: "CAN-06", intentInexact: "CAN-11",
	intentNoCreds: "SEC-07", intentWrongCreds: "SEC-07",
}

// readThreat remembers a call that should leave the journey it is about alone.
func (r *reader) readThreat(x *Exchange, t *trip) {
	if t == nil {
		if x.Operation == OpBook && refusable[x.Intent] && x.refusedCleanly() {
			r.refusedBooks[x.Probe] = append(r.refusedBooks[x.Probe], x)
		}
		return
	}
	if x.Operation == OpBook && x.succeeded() {
		r.doubted[t.id] = true // edited by a stranger: what it is now is not known
	}
	switch {
	case x.Operation == OpCancel && refusable[x.Intent] && x.succeeded():
		t.ended = x // SEC-05 and SEC-06 say what is wrong with it
		t.touched()
	case x.Operation == OpCancel:
		t.threat = x
	}
}

// judgeThreat judges whether a journey outlived a cancellation that was not its
// owner's.
func (r *reader) judgeThreat(x *Exchange, t *trip, now taxi.Status) {
	if t.threat != nil && t.ended == nil {
		r.want(threats[t.threat.Intent], now != taxi.Cancelled, x.Reply().at("status"),
			"the status of a journey that lives on", t.threat, x)
	}
}

// readStatus judges an answer to /status against what is known of the journey.
func (r *reader) readStatus(x *Exchange, t *trip) {
	if t == nil || lacksIDs(x.Sent()) {
		return
	}
	if r.racing[x.ID] {
		t.vague = t.vague || served(x) && showsEnd(x) // it may be over
		return
	}
	if t.ended != nil {
		r.judgeAfterCancel(x, t)
	}
	if !served(x) {
		return
	}
	now := taxi.Status(x.Reply().at("status").text())
	r.judgeLate(x, t, now)
	r.judgeFinal(x, t, now)
	r.judgeMove(x, t, now)
	r.judgeThreat(x, t, now)
	r.judgeSpared(x, t, now)
	r.judgeCourse(x, t, now)
	r.judgeOthers(x, t, now)
	r.judgeKinds(x, t, now)
	r.judgeFixed(x, t)
	if t.ended == nil {
		r.judgeAgreement(x, t)
		r.readBack(t, x.Reply(), x)
	}
	t.read = x
	t.tell(x.Reply().at("status"), x)
	if now.Terminal() && t.final == nil {
		t.final = x
	}
}

func (r *reader) judgeAfterCancel(x *Exchange, t *trip) {
	status := x.Reply().at("status")
	switch {
	case x.refusedCleanly(): // with which code is not shown
		r.warn("CAN-02", "a cancelled journey is no longer known", "CANCELLED", answer(x), t.ended, x)
	case !x.succeeded():
		r.fail("CAN-02", "a cancelled journey could not be read", "CANCELLED", answer(x), t.ended, x)
	default:
		r.want("CAN-02", status.text() == string(taxi.Cancelled), status, "string CANCELLED after /cancel said so", t.ended, x)
	}
}

// judgeLate judges whether a cancellation at POB or COMPLETE did what it said.
func (r *reader) judgeLate(x *Exchange, t *trip, now taxi.Status) {
	if t.late == nil {
		return
	}
	told := "refused"
	if saysCancelled(t.late) {
		told = string(taxi.Cancelled)
	}
	r.want("CAN-08", saysCancelled(t.late) == (now == taxi.Cancelled), x.Reply().at("status"),
		"what /cancel told at that stage: "+told, t.late, x)
}

// judgeFinal judges that a journey seen to have ended stays so.
func (r *reader) judgeFinal(x *Exchange, t *trip, now taxi.Status) {
	if t.final == nil || t.late != nil && saysCancelled(t.late) {
		return
	}
	was := t.final.Reply().at("status").text()
	r.want("JRN-08", string(now) == was, x.Reply().at("status"), "string "+was+" for ever", t.final, x)
	if was == string(taxi.Cancelled) {
		r.want("CAN-12", string(now) == was, x.Reply().at("status"), "string CANCELLED for ever", t.final, x)
	}
}

// judgeMove judges whether reading moves a journey: one that moves at every
// second read or oftener is pushed by them.
func (r *reader) judgeMove(x *Exchange, t *trip, now taxi.Status) {
	if t.reads++; t.read == nil {
		return
	}
	if x.Started.Before(t.read.ended()) {
		return // the two met on the way: which came first is not known
	}
	before := taxi.Status(t.read.Reply().at("status").text())
	if before == now || t.writes != nil && t.writes[len(t.writes)-1].ID > t.read.ID || t.ended != nil {
		r.pass("STA-10", t.read, x)
		return
	}
	r.observe("JRN-07", fmt.Sprintf("%s became %s", before, now), t.read, x)
	if x.Intent == intentMoved || x.Probe == "" {
		return // something else than reading moves it
	}
	if t.moves++; t.moves >= 3 && t.moves*2 >= t.reads-1 {
		r.fail("STA-10", "the journey moves with every read", "string "+string(before)+", as a moment ago", x.Reply().at("status"), t.read, x)
	}
}

// judgeOthers judges that a journey which nobody cancelled was not cancelled
// together with another one.
func (r *reader) judgeOthers(x *Exchange, t *trip, now taxi.Status) {
	if t.ended != nil || t.vague || t.owner == nil || t.final != nil {
		return
	}
	for _, other := range t.owner.trips {
		if other != t && other.ended != nil && other.ended.Probe == x.Probe {
			r.want("CAN-09", now != taxi.Cancelled, x.Reply().at("status"), "a status other than CANCELLED: another journey was cancelled", other.ended, x)
			return
		}
	}
}

// judgeAgreement judges /status against what /book answered.
func (r *reader) judgeAgreement(x *Exchange, t *trip) {
	if t.told == nil || t.told.Operation != OpBook {
		return
	}
	now := x.Reply().at("status")
	r.want("STA-12", t.status.CanBecome(taxi.Status(now.text())) || !t.status.Known() || !spelled(now), now,
		"a status that can follow "+string(t.status), t.told, x)
}

// leaves are what a journey has only while a car is on its way: it goes when the
// journey ends, or goes back to waiting for another.
var leaves = map[string]bool{"eta": true, "location": true, "driver": true, "vehicle": true}

// judgeKinds judges that fields keep their types.
func (r *reader) judgeKinds(x *Exchange, t *trip, now taxi.Status) {
	object, ok := x.Reply().raw().(map[string]any)
	if !ok {
		return
	}
	seenBefore := len(t.kinds) > 0
	kept, nulled := true, false
	for key := range object {
		v := x.Reply().at(key)
		was, known := t.kinds[key]
		switch {
		case v.isNull() && leaves[key] && !withDriver(now):
		case v.isNull() && was == "object":
			r.fail("STA-16", v.pointer()+" was an object and is now null", "an object, or no field", v, x)
			nulled = true
		case v.isNull():
		case known && was != v.kind():
			r.fail("STA-15", fmt.Sprintf("%s was %s and is now %s", v.pointer(), article(was), article(v.kind())), was, v, x)
			kept = false
		default:
			t.kinds[key] = v.kind()
		}
	}
	if seenBefore && kept {
		r.pass("STA-15", x)
	}
	if seenBefore && !nulled {
		r.pass("STA-16", x)
	}
}

// judgeFixed judges that a price once FIXED stays: from /book on until the end,
// and then what it was in the end. What the end adds, such as waiting, is between
// the two.
func (r *reader) judgeFixed(x *Exchange, t *trip) {
	price := x.Reply().at("price")
	if price.at("type").text() != string(taxi.Fixed) {
		return
	}
	last := t.writes[len(t.writes)-1]
	if t.fixedAt != nil && t.fixedAt.ID >= last.ID && showsEnd(x) == showsEnd(t.fixedAt) {
		r.want("ENR-07", price.at("value").show() == t.fixed.show(), price.at("value"), "number "+t.fixed.show()+", as fixed before", t.fixedAt, x)
	}
	t.fixed, t.fixedAt = price.at("value"), x
}

// showsEnd reports a reply that shows a journey which is over.
func showsEnd(x *Exchange) bool { return taxi.Status(x.Reply().at("status").text()).Terminal() }
