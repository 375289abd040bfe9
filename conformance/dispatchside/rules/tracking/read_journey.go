package tracking

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// trackBooking records a booking or an edit, and compares the answer with earlier calls.
func (r *tracker) trackBooking(x *conformance.Exchange, t *trackedJourney) {
	if rules.IsEdit(x) {
		if t != nil {
			r.trackEdit(x, t)
		}
		return
	}
	if x.Response == nil {
		r.mayHaveBooked(x)
		return
	}
	if !rules.Served(x) {
		if x.Intent == rules.IntentSeasons && x.RefusedCleanly() {
			r.Unverified("TIM-05", conformance.NotServed, tooFarAhead(x), x)
		}
		return
	}
	id := x.Reply().At("journeyId")
	if rules.OddBooking(x) {
		r.trackOdd(id.Scalar(), x)
		return
	}
	if known := r.journeys[id.Scalar()]; known != nil {
		judgeReusedID(known, id, x, &r.Findings)
		return
	}
	r.Pass("BOK-04", x)
	if check := givesNewIDs[x.Intent]; check != "" {
		r.Pass(check, x)
	}
	p := r.ownerOf(x)
	t = &trackedJourney{id: id.Scalar(), owner: p, fieldTypes: map[string]string{}}
	t.write(x)
	p.journeys = append(p.journeys, t)
	r.journeys[t.id] = t
	judgeFixedPrice(x, t, &r.Findings)
	trackPrice(x, t, &r.Findings)
	r.compareWithBooking(t, x.Reply(), x)
}

// tooFarAhead returns the reason why TIM-05 is not verified: a booking for the time when the clocks change
// was refused. It names the date from which a run can test this, since runs book a week ahead.
func tooFarAhead(x *conformance.Exchange) string {
	text := x.Sent().At("pickupTime").Text()
	change, err := taxi.ParseTime(text)
	if err != nil {
		return "a pickup at " + text + " was refused"
	}
	return fmt.Sprintf("a pickup at %s, when the clocks change, was refused as too far ahead: run again in the week before, from %s on", text, change.AddDate(0, 0, -7).Format("2 January 2006"))
}

// mayHaveBooked records that an unanswered booking may have been made, so that the user's bookings are not known.
func (r *tracker) mayHaveBooked(x *conformance.Exchange) {
	p := r.ownerOf(x)
	p.startedEmpty, p.lastReply, p.maybeBooked = false, nil, true
}

// givesNewIDs maps the intent of a booking after a restart, or on the next day, to the check that its journeyId is new.
var givesNewIDs = map[conformance.Intent]string{rules.IntentRestarted: "JRN-17", rules.IntentNextDay: "JRN-18"}

// judgeReusedID fails a booking that was given the journeyId of an earlier journey, unless both
// were the same request.
func judgeReusedID(known *trackedJourney, id jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if len(known.writes) > 0 && sameRequest(known.writes[0], x) {
		return
	}
	first := x
	if len(known.writes) > 0 {
		first = known.writes[0]
	}
	if check := givesNewIDs[x.Intent]; check != "" {
		when := map[conformance.Intent]string{rules.IntentRestarted: "after a restart", rules.IntentNextDay: "the day after"}[x.Intent]
		s.Fail(check, when+" a booking was given the journeyId of an earlier one", "a new journeyId", id, first, x)
		s.SignOf("BOK-04")
	}
	s.Fail("BOK-04", "two bookings have one journeyId", "a journeyId for each booking", id, first, x)
}

// write records a booking or an edit of the journey, with its answer, and forgets what earlier reads showed.
func (t *trackedJourney) write(x *conformance.Exchange) {
	t.versions = append(t.versions, x.Sent())
	t.writes = append(t.writes, x)
	t.reads, t.moves, t.car = 0, 0, carShown{}
	t.setStatus(x.Reply().At("status"), x)
	t.outdateList()
}

// outdateList marks the last /user reply of the journey's user as outdated.
func (t *trackedJourney) outdateList() {
	if t.owner != nil {
		t.owner.lastReply = nil
	}
}

func (t *trackedJourney) setStatus(status jsonvalue.Value, x *conformance.Exchange) {
	t.status, t.statusFrom = taxi.Status(status.Text()), x
}

// trackEdit judges an answer to an edit.
func (r *tracker) trackEdit(x *conformance.Exchange, t *trackedJourney) {
	if t.hasEnded() {
		if x.Succeeded() {
			t.editsAfterEnd = append(t.editsAfterEnd, x.Sent())
		}
		if r.racedCalls[x.ID] {
			return
		}
		judgeRevival(x, &r.Findings)
		if status := taxi.Status(x.Reply().At("status").Text()); rules.Served(x) && !status.Terminal() { // it has come back to life
			t.cancelledBy, t.final, t.maybeCancelled = nil, nil, true
			t.setStatus(x.Reply().At("status"), x)
			t.outdateList()
		}
		return
	}
	if !rules.Served(x) {
		return
	}
	if rules.OddBooking(x) {
		r.trackOdd(t.id, x)
		t.outdateList()
		return
	}
	id := x.Reply().At("journeyId")
	r.Want("BOK-15", id.Scalar() == t.id, id, fmt.Sprintf("string %q, as sent", jsonvalue.Clip(t.id, 60)), x)
	t.write(x)
	judgeFixedPrice(x, t, &r.Findings)
	trackPrice(x, t, &r.Findings)
}

// judgeRevival judges whether an edit of a journey that has ended was refused.
func judgeRevival(x *conformance.Exchange, s *conformance.Findings) {
	status := x.Reply().At("status")
	switch {
	case x.RefusedCleanly():
		s.Refused("BOK-23", x)
	case x.Succeeded() && taxi.Status(status.Text()).Terminal():
		s.Pass("BOK-23", x)
	case x.Succeeded() && !rules.Served(x):
		s.Warn("BOK-23", "an edit of a journey that had ended was answered as a success, without a journey", "4xx", conformance.Answer(x), x)
	case x.Succeeded():
		s.Fail("BOK-23", "an edit of a journey that had ended was served", "4xx", status, x)
	default:
		s.Fail("BOK-23", "an edit of a journey that had ended was not refused cleanly", "4xx", conformance.Answer(x), x)
	}
}

// trackCancel compares an answer to /cancel with the known state of the journey.
func (r *tracker) trackCancel(x *conformance.Exchange, t *trackedJourney) {
	if t == nil || rules.LacksIDs(x.Sent()) {
		return
	}
	if t.cancelledBy != nil {
		if !r.racedCalls[x.ID] {
			judgeSecondCancel(x, t, &r.Findings)
			t.cancelledAgain = x
		}
		return
	}
	if t.status == taxi.POB || t.status == taxi.Complete {
		t.lateCancel = x
	}
	if answersUnclearly(x) || x.Code() == 0 || x.Code() >= http.StatusInternalServerError {
		t.maybeCancelled = true
		t.outdateList()
		return // other checks judge the answer
	}
	if !rules.SaysCancelled(x) {
		if t.edited() && rules.MustServeUsual(x) {
			r.Fail("CAN-10", "a journey that was edited could not be cancelled", "CANCELLED", conformance.Answer(x), t.writes[len(t.writes)-1], x)
		}
		return
	}
	if t.edited() {
		r.Pass("CAN-10", x)
	}
	r.Observe("JRN-07", fmt.Sprintf("%s became %s", t.status, taxi.Cancelled), x)
	t.cancelledBy = x
	t.setStatus(x.Reply().At("status"), x)
	t.outdateList()
}

// trackFalseCancel records the journeys that a server claims to have cancelled on an invalid
// call or a call of another user. Other checks judge that call. Afterwards it is not known
// whether the journey still exists.
func (r *tracker) trackFalseCancel(x *conformance.Exchange) {
	stray := x.Request.Method != http.MethodPost || hostileChecks[x.Intent] != "" || x.Intent == rules.IntentInjected || rules.LacksIDs(x.Sent())
	if x.Operation != rules.OpCancel || !rules.SaysCancelled(x) || !stray || x.ToOtherPort() {
		return
	}
	asked, told := x.Sent().At("journeyId").Scalar(), x.Reply().At("journeyId").Scalar()
	for id, t := range r.journeys {
		if id == told || sameButForm(id, asked) || asked == "" && t.writes[0].Probe == x.Probe {
			t.maybeCancelled = true
			t.outdateList()
		}
	}
}

// sameButForm reports whether two ids differ only in case, in leading zeros or in surrounding spaces.
func sameButForm(a, b string) bool {
	plain := func(id string) string { return strings.TrimLeft(strings.TrimSpace(id), "0") }
	return strings.EqualFold(plain(a), plain(b))
}

// revivedBySecondCancel reports whether an answer shows a journey as not cancelled although /status showed it as
// cancelled before, and only a second /cancel came in between.
func (t *trackedJourney) revivedBySecondCancel(x *conformance.Exchange) bool {
	was, again := t.lastRead, t.cancelledAgain
	return x.Probe != "" && t.cancelledBy != nil && again != nil && was != nil && was.ID > t.cancelledBy.ID && was.ID < again.ID &&
		was.Epoch == x.Epoch && len(t.editsAfterEnd) == 0 && rules.SaysCancelled(was) && rules.Served(x) && !rules.SaysCancelled(x)
}

func judgeSecondCancel(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	switch {
	case x.Code() == 0 || x.Code() >= 500:
		s.Fail("CAN-04", "a second cancellation was not answered cleanly", "CANCELLED again, or 4xx", conformance.Answer(x), t.cancelledBy, x)
	case x.Succeeded() && !rules.SaysCancelled(x):
		s.Fail("CAN-04", "a second cancellation was answered with another status", "CANCELLED", x.Reply().At("status"), t.cancelledBy, x)
	default:
		s.Pass("CAN-04", t.cancelledBy, x)
	}
}

// hostileChecks maps the intent of each call that must not change a journey to the check that judges the journey.
var hostileChecks = map[conformance.Intent]string{
	rules.IntentForeign: "CAN-06", rules.IntentNotYours: "CAN-06", rules.IntentInexact: "CAN-11",
	rules.IntentNoCreds: "SEC-07", rules.IntentWrongCreds: "SEC-07",
}

// trackHostileCall records a call that must not change the journey it names.
func (r *tracker) trackHostileCall(x *conformance.Exchange, t *trackedJourney) {
	if t == nil {
		if x.Operation == rules.OpBook && rules.Refusable[x.Intent] && x.RefusedCleanly() {
			r.refusedBooks[x.Probe] = append(r.refusedBooks[x.Probe], x)
		}
		return
	}
	if x.Operation == rules.OpBook && x.Succeeded() {
		r.unreliableIDs[t.id] = true // edited by another user: its contents are unknown
	}
	switch {
	case x.Operation == rules.OpCancel && rules.Refusable[x.Intent] && x.Succeeded():
		t.cancelledBy = x // SEC-05 and SEC-06 judge the call
		t.outdateList()
	case x.Operation == rules.OpCancel:
		t.hostileCancel = x
	}
}

// judgeHostileCancel judges whether a journey survived a cancellation by another user.
func judgeHostileCancel(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	if t.hostileCancel != nil && t.cancelledBy == nil {
		s.Want(hostileChecks[t.hostileCancel.Intent], now != taxi.Cancelled, x.Reply().At("status"),
			"the status of a journey that is not cancelled", t.hostileCancel, x)
	}
}

// trackStatus compares an answer to /status with the known state of the journey.
func (r *tracker) trackStatus(x *conformance.Exchange, t *trackedJourney) {
	if t == nil || rules.LacksIDs(x.Sent()) {
		return
	}
	if r.racedCalls[x.ID] {
		t.maybeCancelled = t.maybeCancelled || rules.Served(x) && showsEnd(x) // it may have ended
		return
	}
	if t.revivedBySecondCancel(x) {
		r.Fail("CAN-04", "a second cancellation undid the first", "CANCELLED", x.Reply().At("status"), t.cancelledBy, t.cancelledAgain, x)
	}
	if t.cancelledBy != nil {
		judgeAfterCancel(x, t, &r.Findings)
	}
	if !rules.Served(x) {
		return
	}
	now := taxi.Status(x.Reply().At("status").Text())
	judgeLateCancel(x, t, now, &r.Findings)
	judgeFinal(x, t, now, &r.Findings)
	judgeMove(x, t, now, &r.Findings)
	judgeHostileCancel(x, t, now, &r.Findings)
	judgeUnservedCancels(x, t, now, &r.Findings)
	judgeCar(x, t, now, &r.Findings)
	judgeCancelledWithOther(x, t, now, &r.Findings)
	judgeFieldTypes(x, t, now, &r.Findings)
	judgeFixedPrice(x, t, &r.Findings)
	trackPrice(x, t, &r.Findings)
	r.trackETA(x, t)
	judgeDriverNumber(x, t, &r.Findings)
	trackCrew(x, t, &r.Findings)
	judgePassengerNumber(x, t, &r.Findings)
	if t.cancelledBy == nil {
		judgeAgreement(x, t, &r.Findings)
		r.compareWithBooking(t, x.Reply(), x)
	}
	if p := x.Reply().At("passenger"); p.IsObject() {
		t.passenger = p
	}
	t.lastRead = x
	t.setStatus(x.Reply().At("status"), x)
	if now.Terminal() && t.final == nil {
		t.final = x
	}
}

func judgeAfterCancel(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	status := x.Reply().At("status")
	switch {
	case x.RefusedCleanly(): // the interface does not show the code
		s.Warn("CAN-02", "the server no longer knows a cancelled journey", "CANCELLED", conformance.Answer(x), t.cancelledBy, x)
	case !x.Succeeded():
		s.Fail("CAN-02", "a cancelled journey could not be read", "CANCELLED", conformance.Answer(x), t.cancelledBy, x)
	default:
		s.Want("CAN-02", status.Text() == string(taxi.Cancelled), status, "string CANCELLED, as /cancel answered", t.cancelledBy, x)
	}
}

// judgeLateCancel judges whether a cancellation at POB or COMPLETE did what its reply says.
func judgeLateCancel(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	if t.lateCancel == nil {
		return
	}
	told := "refused"
	if rules.SaysCancelled(t.lateCancel) {
		told = string(taxi.Cancelled)
	}
	s.Want("CAN-08", rules.SaysCancelled(t.lateCancel) == (now == taxi.Cancelled), x.Reply().At("status"),
		"what /cancel answered at that stage: "+told, t.lateCancel, x)
}

// judgeFinal judges whether a journey that has ended stays in its final status.
func judgeFinal(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	if t.final == nil {
		return
	}
	was := t.final.Reply().At("status").Text()
	if t.lateCancel != nil && rules.SaysCancelled(t.lateCancel) {
		if was == string(taxi.Complete) && now == taxi.Cancelled && t.lateCancel.ID > t.final.ID {
			s.Warn("JRN-08", "a COMPLETE journey was cancelled, and its fare with it", "string COMPLETE, and 4xx for the /cancel", x.Reply().At("status"), t.final, t.lateCancel, x)
		}
		return
	}
	s.Want("JRN-08", string(now) == was, x.Reply().At("status"), "string "+was+", which is final", t.final, x)
	if was == string(taxi.Cancelled) {
		s.Want("CAN-12", string(now) == was, x.Reply().At("status"), "string CANCELLED, which is final", t.final, x)
	}
}

// judgeMove fails a server if reading a journey changes its status: at least three reads, and at
// least every second, show another status than the read before.
func judgeMove(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	if t.reads++; t.lastRead == nil {
		return
	}
	if x.Started.Before(t.lastRead.Ended()) {
		return // the calls overlapped: their order is not known
	}
	before := taxi.Status(t.lastRead.Reply().At("status").Text())
	if before == now || t.writes != nil && t.writes[len(t.writes)-1].ID > t.lastRead.ID || t.cancelledBy != nil {
		s.Pass("STA-10", t.lastRead, x)
		return
	}
	s.Observe("JRN-07", fmt.Sprintf("%s became %s", before, now), t.lastRead, x)
	if x.Intent == rules.IntentMoved || x.Probe == "" || t.lastRead.Epoch != x.Epoch {
		return // something other than reading changes it
	}
	if t.moves++; t.moves >= 3 && t.moves*2 >= t.reads-1 {
		s.Fail("STA-10", "every read changes the status of the journey", "string "+string(before)+", as in the read before", x.Reply().At("status"), t.lastRead, x)
	}
}

// judgeCancelledWithOther judges whether a journey is shown as cancelled although only another journey of its user was cancelled.
func judgeCancelledWithOther(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	if t.cancelledBy != nil || t.maybeCancelled || t.owner == nil || t.final != nil {
		return
	}
	for _, other := range t.owner.journeys {
		if other != t && other.cancelledBy != nil && other.cancelledBy.Probe == x.Probe {
			s.Want("CAN-09", now != taxi.Cancelled, x.Reply().At("status"), "a status other than CANCELLED: another journey was cancelled", other.cancelledBy, x)
			return
		}
	}
}

// judgeAgreement judges whether the status that /status shows can follow the status that /book answered.
func judgeAgreement(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	now := x.Reply().At("status")
	if t.statusFrom == nil || t.statusFrom.Operation != rules.OpBook || !t.status.Known() || !rules.Spelled(now) {
		return
	}
	s.Want("STA-12", t.status.CanBecome(taxi.Status(now.Text())), now,
		"a status that can follow "+string(t.status), t.statusFrom, x)
}

// leaves are the fields that a journey has only while a car is on its way. They disappear
// when the journey ends or waits for another car.
var leaves = map[string]bool{"eta": true, "location": true, "driver": true, "vehicle": true}

// judgeFieldTypes judges whether the fields of a journey keep their JSON types, and whether no object becomes null.
func judgeFieldTypes(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	if !x.Reply().IsObject() {
		return
	}
	seenBefore := len(t.fieldTypes) > 0
	kept, nulled := true, false
	for key, v := range x.Reply().Members() {
		was, known := t.fieldTypes[key]
		switch {
		case v.IsNull() && leaves[key] && !withDriver(now):
		case v.IsNull() && was == "object":
			s.Fail("STA-16", v.Pointer()+" was an object and is now null", "an object, or no field", v, x)
			nulled = true
		case v.IsNull():
		case known && was != v.Kind():
			s.Fail("STA-15", fmt.Sprintf("%s was %s and is now %s", v.Pointer(), conformance.Article(was), conformance.Article(v.Kind())), was, v, x)
			kept = false
		default:
			t.fieldTypes[key] = v.Kind()
		}
	}
	if seenBefore && kept {
		s.Pass("STA-15", x)
	}
	if seenBefore && !nulled {
		s.Pass("STA-16", x)
	}
}

// judgeFixedPrice judges whether a FIXED price stays the same from /book until the journey ends, and
// again from then on. At the end it may change once, for extras such as waiting.
func judgeFixedPrice(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	price := x.Reply().At("price")
	if price.At("type").Text() != string(taxi.Fixed) {
		if x.Intent == rules.IntentAgreed && price.At("type").Text() == string(taxi.Estimated) {
			s.Fail("ENR-07", "the price of a trip that the operator calls agreed is no fixed one", "string FIXED", price.At("type"), x)
		}
		return
	}
	last := t.writes[len(t.writes)-1]
	if t.fixedPriceFrom != nil && t.fixedPriceFrom.ID >= last.ID && showsEnd(x) == showsEnd(t.fixedPriceFrom) {
		s.Want("ENR-07", price.At("value").Number() == t.fixedPrice.Number(), price.At("value"), "number "+t.fixedPrice.Show()+", as fixed before", t.fixedPriceFrom, x)
	}
	t.fixedPrice, t.fixedPriceFrom = price.At("value"), x
}
