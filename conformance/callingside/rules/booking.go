package rules

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var bookingRows = []row{
	{check("P-08", must, onBook, bookFields, "/book has name, phoneNumber, pickup, at least one dropoff, and pickupTime.", "The third party refuses the booking.", "Send every required field, also when an edit changes only one."), judgeRequired},
	{check("P-09", must, onBook, objects, "Each address carries its text and a location with longitude and latitude, each in its place.", "The taxi goes to another continent.", "longitude is x, latitude is y; both are numbers."), judgeAddresses},
	{check("P-10", must, onBook, bookFields, "pickupTime is an ISO 8601 date-time, with a zone, and not in the past.", "The taxi comes an hour early, or never.", "Send RFC 3339 with Z or an offset."), judgePickupTime},
	{check("P-11", must, onBook, bookFields, "A new booking has journeyId null or absent; \"\" is neither.", "A third party reads it as an edit without a journey.", "Omit journeyId."), judgeCreate},
	{check("P-12", must, onBook, bookFields, "An edit carries the journeyId that was received, and all required fields.", "A second taxi comes, or the edit is refused.", "Send the journeyId, and all unchanged fields again."), judgeEdit},
	{check("P-14", must, onRef, operations, "/cancel and /status carry userId and journeyId, both strings.", "The third party does not know which journey is meant.", "Send both ids with every call."), judgeRefs},
	{check("P-15", must, onRequest, operations, "Ids are sent back exactly as received: leading zeros, length, slashes, letters of any script, upper and lower case.", "The third party does not find the journey.", "Treat ids as opaque strings; never parse, trim or change them."), judgeVerbatim},
	{check("P-19", should, onBook, ours+": a booking whose answer was lost may have been made", "After a timeout or a 5xx of /book no second /book is sent before /user shows that the booking is absent, unless the answer asks for the same request again.", "Two taxis come.", "Call /user and compare activeBookings first."), judgeBlindRetry},
	{needing("a caller who hangs up during /book", check("P-70", open, onBook, ours, "The fate of a booking whose caller hangs up before the answer is recorded.", "Nobody waits for that taxi.", "Nothing to change.")), observeHangUp},
}

// judgeRequired judges whether each /book has all required fields. It skips requests in which a
// reply of the third party lacked data. An empty list of drop-offs is not judged with skipDropOff,
// or in traffic of other clients, whose settings are not known: the interface requires a drop-off
// and lets the platform skip the question (A8).
func judgeRequired(s *sheet, c conformance.Check) {
	untold, skips := map[conformance.ProbeName]bool{}, map[conformance.ProbeName]bool{"": true}
	for _, r := range s.requests {
		untold[r.probe] = r.with(IntentMissing, IntentBroken) != nil
		sw := r.switches()
		skips[r.probe] = sw.skip || sw.openSkip
	}
	for x := range s.of(OpBook) {
		if !x.Sent().IsObject() || untold[x.Probe] {
			continue
		}
		s.wantRequiredFields(c.ID, x, skips[x.Probe])
	}
}

// wantRequiredFields requires every required field in a /book. skips says that skipDropOff is set,
// or not known.
func (s *sheet) wantRequiredFields(id string, x *conformance.Exchange, skips bool) {
	switch v, expected := lacking(x.Sent()); {
	case expected == "":
		s.Pass(id, x)
	case skips && v.IsArray():
		s.Unverified(id, conformance.NotSeen, "the list of drop-offs is empty: with skipDropOff its contents are open", x)
	default:
		s.wantSent(id, false, v, expected, x)
	}
}

// lacking returns the first required field of a /book that is missing or invalid, and what was
// expected; expected is "" if there is none.
func lacking(sent jsonvalue.Value) (v jsonvalue.Value, expected string) {
	for _, name := range []string{"name", "phoneNumber", "pickupTime"} {
		if v = sent.At(name); !v.HasText() {
			return v, "string, not empty"
		}
	}
	if v = sent.At("pickup"); !v.IsObject() {
		return v, "object"
	}
	if v = sent.At("dropoffs"); len(v.Items()) == 0 {
		return v, "array of at least one address"
	}
	return v, ""
}

func judgeAddresses(s *sheet, c conformance.Check) {
	asked := map[*conformance.Exchange]*taxi.Address{}
	for _, r := range s.requests {
		for _, x := range r.of(OpBook) {
			if r.wants(WantBook) {
				asked[x] = r.task.Pickup
			}
		}
	}
	for x := range s.of(OpBook) {
		places := append([]jsonvalue.Value{x.Sent().At("pickup")}, x.Sent().At("dropoffs").Items()...)
		if !x.Sent().At("pickup").IsObject() {
			continue // P-08 looks at it
		}
		v, expected := firstInvalidMember(places)
		switch {
		case expected != "":
			s.wantSent(c.ID, false, v, expected, x)
		case swapped(places[0], asked[x]):
			s.Fail(c.ID, "longitude and latitude are swapped", "longitude first is x, latitude y", places[0].At("location"), x)
		default:
			s.Pass(c.ID, x)
		}
	}
}

// firstInvalidMember returns the first invalid member of the addresses, and what was expected; expected is "" if all are valid.
func firstInvalidMember(places []jsonvalue.Value) (v jsonvalue.Value, expected string) {
	for _, p := range places {
		if v = p.At("address"); !v.HasText() {
			return v, "string, not empty"
		}
		for name, most := range map[string]float64{"longitude": 180, "latitude": 90} {
			if v = p.At("location").At(name); !v.IsNumber() || math.Abs(v.Number()) > most {
				return v, "number within range"
			}
		}
	}
	return v, ""
}

// swapped reports whether a place has the longitude and the latitude of the requested address exchanged.
func swapped(v jsonvalue.Value, asked *taxi.Address) bool {
	if asked == nil || asked.Location == nil {
		return false
	}
	const near = 0.01 // degrees, about a kilometre
	lon, lat := v.At("location").At("longitude").Number(), v.At("location").At("latitude").Number()
	return math.Abs(lon-asked.Location.Latitude) < near && math.Abs(lat-asked.Location.Longitude) < near
}

func judgePickupTime(s *sheet, c conformance.Check) {
	const slack, zones = 5 * time.Minute, 14 * time.Hour
	for x := range s.of(OpBook) {
		v := x.Sent().At("pickupTime")
		if !v.Given() {
			continue // P-08 looks at it
		}
		t, err := taxi.ParseTime(v.Text())
		late := min(x.Started.Sub(t.Time), x.Wall().Sub(t.Time)) // by either clock: a client of a world that runs ahead may use real time
		switch {
		case err != nil:
			s.Fail(c.ID, "pickupTime is not an ISO 8601 date-time", "such as 2026-11-21T10:30:00Z", v, x)
		case t.Local && late > zones, !t.Local && late > slack:
			s.Fail(c.ID, "pickupTime is in the past", "now or later", v, x)
		case t.Local:
			s.Fail(c.ID, "pickupTime has no zone", "Z or an offset", v, x)
		default:
			s.Pass(c.ID, x)
		}
	}
}

func judgeCreate(s *sheet, c conformance.Check) {
	wanted := map[*conformance.Exchange]bool{}
	for _, r := range s.requests {
		for _, x := range r.of(OpBook) {
			wanted[x] = r.wants(WantBook)
		}
	}
	for x := range s.of(OpBook) {
		v := x.Sent().At("journeyId")
		switch {
		case v.IsText() && !v.HasText():
			s.Fail(c.ID, "journeyId is empty", "null, or no journeyId", v, x)
		case wanted[x] && v.Given():
			s.Fail(c.ID, "a new booking names a journey", "null, or no journeyId", v, x)
		case !v.Given():
			s.Pass(c.ID, x)
		}
	}
}

func judgeEdit(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if !r.wants(WantEdit) || !s.playable(c.ID, r) {
			continue
		}
		books := r.of(OpBook)
		if len(books) == 0 {
			s.unclear(c.ID, r, conformance.NotSeen, "an edit: the platform sent no /book")
			continue
		}
		x := books[0]
		v := x.Sent().At("journeyId")
		if !v.IsText() || v.Text() != r.task.JourneyID {
			s.wantSent(c.ID, false, v, "the journeyId of the journey that is edited", x)
			continue
		}
		sw := r.switches()
		s.wantRequiredFields(c.ID, x, sw.skip)
	}
	s.judgeForeignEdits(c.ID)
}

// judgeForeignEdits judges edits in traffic of other clients.
func (s *sheet) judgeForeignEdits(id string) {
	for x := range s.of(OpBook) {
		if x.Probe != "" || !x.Sent().At("journeyId").HasText() {
			continue
		}
		s.wantRequiredFields(id, x, true)
	}
}

func judgeRefs(s *sheet, c conformance.Check) {
	for _, x := range s.all {
		if x.Operation != OpCancel && x.Operation != OpStatus || x.Intent == IntentStray || !x.Sent().IsObject() {
			continue
		}
		for _, name := range []string{"userId", "journeyId"} {
			v := x.Sent().At(name)
			s.wantSent(c.ID, v.HasText(), v, "string, not empty", x)
		}
	}
}

// judgeVerbatim compares the ids in requests with those received before, in the scene or, in
// traffic of other clients, in any call.
func judgeVerbatim(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if r.task != nil {
			s.wantKnownIDs(c.ID, r)
		}
	}
	told := map[string]bool{}
	for _, x := range s.all {
		if x.Probe != "" {
			continue
		}
		for _, v := range idsOf(x.Sent()) {
			if like := receivedIDLike(v, told); like != "" {
				s.Fail(c.ID, "an id was sent back changed", like, v, x)
			}
		}
		learn(told, x)
	}
}

// wantKnownIDs requires each id of a request to be one that it received, if it received
// any.
func (s *sheet) wantKnownIDs(id string, r *request) {
	told := map[string]bool{r.task.JourneyID: true}
	sent := false
	for _, x := range r.ordinary() {
		for _, v := range idsOf(x.Sent()) {
			if v.IsText() && told[v.Text()] {
				sent = true
				continue
			}
			if like := receivedIDLike(v, told); like != "" || r.with(IntentOddIDs) != nil {
				s.Fail(id, "an id was sent back changed", "exactly as it was received", v, x)
				return
			}
		}
		learn(told, x)
	}
	if sent && r.with(IntentOddIDs) != nil {
		s.passed(id, r)
	}
}

// idsOf returns the ids in the body of a request.
func idsOf(sent jsonvalue.Value) []jsonvalue.Value {
	var all []jsonvalue.Value
	for _, name := range []string{"userId", "journeyId"} {
		if v := sent.At(name); v.Given() && v.Scalar() != "" {
			all = append(all, v)
		}
	}
	return all
}

// learn adds the ids in an answer to told.
func learn(told map[string]bool, x *conformance.Exchange) {
	for _, v := range append(x.Reply().At("activeBookings").Items(), x.Reply()) {
		for _, name := range []string{"userId", "journeyId"} {
			if id := v.At(name).Text(); id != "" {
				told[id] = true
			}
		}
	}
}

// receivedIDLike returns a received id from which a value differs only in type, case, spaces, leading
// zeros or a missing end. It returns "" if there is none, or if the value itself was received.
func receivedIDLike(v jsonvalue.Value, told map[string]bool) string {
	sent := v.Scalar()
	if v.IsText() && told[sent] {
		return ""
	}
	for id := range told {
		plain := func(t string) string { return strings.TrimLeft(strings.ToLower(strings.TrimSpace(t)), "0") }
		cut := len(sent) >= 32 && strings.HasPrefix(id, sent)
		if id != "" && (plain(id) == plain(sent) || cut) {
			return id
		}
	}
	return ""
}

// judgeBlindRetry judges whether a /book whose outcome is unknown was sent again before /user was read.
func judgeBlindRetry(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if r.task != nil {
			s.wantNoBlindRetry(c.ID, r.ordinary(), r)
		}
	}
	byCaller := map[string][]*conformance.Exchange{}
	for _, x := range s.all {
		if x.Probe == "" && (x.Operation == OpBook || x.Operation == OpUser) {
			n := jsonvalue.Digits(x.Sent().At("phoneNumber").Text())
			byCaller[n] = append(byCaller[n], x)
		}
	}
	for _, calls := range byCaller {
		s.wantNoBlindRetry(c.ID, calls, nil)
	}
}

// outcomeUnknown reports whether the platform cannot know if a /book made a journey: no answer, a lost one, or 5xx.
func outcomeUnknown(x *conformance.Exchange) bool {
	lost := x.Response == nil || x.Code() >= 500 && !invitesRetry(x) || x.Intent == IntentLost
	return x.Operation == OpBook && !x.Sent().At("journeyId").HasText() && lost
}

// invitesRetry reports whether a refusal asks for the same request again: with 503 and Retry-After, or with a
// problem that says that it is retryable.
func invitesRetry(x *conformance.Exchange) bool {
	if x.Response == nil || x.Intent == IntentLost {
		return false
	}
	later := x.Response.Header.Get("Retry-After") != "" && x.Code() == http.StatusServiceUnavailable
	return later || x.Reply().At("retryable").Raw() == true
}

// sameKey reports whether two calls have the same Idempotency-Key: a third party that honours it makes only one journey.
func sameKey(a, b *conformance.Exchange) bool {
	key := a.Request.Header.Get("Idempotency-Key")
	return key != "" && key == b.Request.Header.Get("Idempotency-Key")
}

// isNew returns a function that reports whether the id of a journey is not among the older ones.
func isNew(older map[string]bool) func(jsonvalue.Value) bool {
	return func(j jsonvalue.Value) bool { return !older[j.At("journeyId").Text()] }
}

// wantNoBlindRetry fails calls, in the order of time, that repeat a /book of unknown outcome before
// /user was read, or although it lists the booking. r is nil for traffic of other clients.
func (s *sheet) wantNoBlindRetry(id string, calls []*conformance.Exchange, r *request) {
	var lost *conformance.Exchange
	read, shown := false, false
	older := map[string]bool{} // journeys that were there before
	for _, x := range calls {
		if lost == nil && x.Operation == OpUser {
			learn(older, x)
		}
		switch {
		case lost != nil && x.Operation == OpUser && x.Succeeded():
			read, shown = true, slices.ContainsFunc(x.Reply().At("activeBookings").Items(), isNew(older))
		case lost != nil && x.Operation == OpBook && !x.Sent().At("journeyId").HasText() && sameBooking(x, lost):
			switch {
			case sameKey(x, lost):
				s.Observe(id, "/book was sent again with the same Idempotency-Key, which the interface does not define", lost, x)
				return
			case !read:
				s.Fail(id, "/book was sent again before /user was read", "/user, to see whether the first booking was made", jsonvalue.Verbatim(sequence(calls)), lost, x)
				return
			case shown && r != nil: // in traffic of other clients there may be an earlier booking
				s.Fail(id, "/book was sent again although /user shows the booking", "no second booking", jsonvalue.Verbatim(sequence(calls)), lost, x)
				return
			}
		}
		if outcomeUnknown(x) {
			lost, read, shown = x, false, false
		}
	}
	if lost != nil && r != nil && r.is(id) && r.failed == "" {
		s.passed(id, r)
	}
}

// sameBooking reports whether two bookings have the same pickup address.
func sameBooking(a, b *conformance.Exchange) bool {
	return a.Sent().At("pickup").At("address").Text() == b.Sent().At("pickup").At("address").Text()
}

func observeHangUp(s *sheet, c conformance.Check) {
	for x := range s.of(OpBook) {
		if x.ErrKind == conformance.ErrHungUp {
			s.Observe(c.ID, "the platform did not wait for the answer of /book", x)
		}
	}
}
