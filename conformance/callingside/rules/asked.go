package rules

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// askedRows are the checks that compare the platform's requests with what the caller asked for, and their judges.
var askedRows = []row{
	{check("P-74", must, onBook, bookFields, "An edit sends the pickup time and every drop-off of the booking again, unless the caller changes them, and a new pickup with its own location.", "Next week's taxi comes now, or skips a stop.", "Read the booking, change what the caller changes, and send the rest unchanged."), judgeKeptByEdit},
	{check("P-75", should, onBook, bookFields, "An edit keeps the passenger and the vehicle category of the booking.", "The driver asks for the wrong person, or another car comes.", "Send the name and number of the booking's passenger, and the category that was booked."), judgePassengerKept},
	{check("P-76", must, onBook, bookFields, "pickupTime is the time that the caller asked for; for a taxi now, it is within ten minutes of now.", "The taxi comes an hour late, for example if local time is sent with a Z.", "Send the instant, with the offset of the zone that the time is in."), judgeTimeAsked},
	{check("P-77", must, onRef, operations, "/cancel and /status name the journey that the caller means, also among several, and as long as a journey is followed.", "Another taxi is cancelled.", "Use the journeyId that the caller chose; never use the first of a list."), judgeMeant},
	{check("P-84", should, onBook, bookFields, "Addresses are sent in the letters in which the caller gave them, in any script.", "The driver looks for odz Street in place of Łódź Street.", "Send UTF-8; do not drop or replace letters."), judgeLetters},
}

// judgeLetters judges whether addresses keep their non-ASCII letters. One such letter is enough:
// the rest may be spelled otherwise, as on a map.
func judgeLetters(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		books := r.booked()
		if len(books) == 0 {
			s.unclear(c.ID, r, conformance.NotSeen, "a /book")
			return
		}
		sent := append([]jsonvalue.Value{books[0].Sent().At("pickup")}, books[0].Sent().At("dropoffs").Items()...)
		for i, asked := range append([]taxi.Address{*r.task.Pickup}, r.task.Dropoffs...) {
			if i < len(sent) && lettersLost(sent[i].At("address").Text(), asked.Address) {
				s.Fail(c.ID, "an address lost its letters", asked.Address, sent[i].At("address"), books[0])
				return
			}
		}
		s.Pass(c.ID, books[0])
	})
}

// lettersLost reports whether a requested address has non-ASCII letters and the one that was sent
// has none of them.
func lettersLost(sent, asked string) bool {
	beyond := func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }
	kept := func(r rune) bool {
		return beyond(r) && strings.ContainsRune(strings.ToLower(asked), unicode.ToLower(r))
	}
	return strings.ContainsFunc(asked, beyond) && !strings.ContainsFunc(sent, kept)
}

// booking is the known state of a booking, from the third party or from its /book call.
type booking struct {
	time, dropoffs, name, number, category jsonvalue.Value
	seen                                   bool
}

// bookedBefore returns what a platform could know of a booking before its edit. The field seen is false if it could know
// nothing.
func (s *sheet) bookedBefore(r *request, edit *conformance.Exchange) booking {
	b := booking{}
	for x := range s.of(OpBook) {
		if x != edit && x.Succeeded() && x.Started.Before(edit.Started) && x.Reply().At("journeyId").Scalar() == r.task.JourneyID {
			sent := x.Sent()
			b = booking{sent.At("pickupTime"), sent.At("dropoffs"), sent.At("name"), sent.At("phoneNumber"), sent.At("vehicleCategory"), true}
		}
	}
	if j, x := r.journey(); x != nil && j.At("journeyId").Scalar() == r.task.JourneyID {
		b.learn(j)
	}
	return b
}

// learn sets the fields of a booking that a journey in a reply shows.
func (b *booking) learn(j jsonvalue.Value) {
	b.seen = true
	for _, m := range []struct {
		to   *jsonvalue.Value
		from jsonvalue.Value
	}{
		{&b.time, j.At("date")}, {&b.dropoffs, j.At("dropoffs")}, {&b.name, j.At("passenger").At("name")}, {&b.number, j.At("passenger").At("phoneNumber")},
	} {
		if m.from.Given() {
			*m.to = m.from
		}
	}
}

// edits calls judge with the first edit of each request whose caller wants one, and with the booking as it was before.
func (s *sheet) edits(id string, judge func(r *request, x *conformance.Exchange, was booking)) {
	for _, r := range s.requests {
		books := r.of(OpBook)
		if !r.wants(WantEdit) || !s.playable(id, r) || len(books) == 0 || books[0].Sent().At("journeyId").Text() != r.task.JourneyID {
			continue // P-12 judges it
		}
		was := s.bookedBefore(r, books[0])
		if !was.seen {
			s.unclear(id, r, conformance.NotSeen, "a reading of the booking before its edit")
			continue
		}
		judge(r, books[0], was)
	}
}

func judgeKeptByEdit(s *sheet, c conformance.Check) {
	s.edits(c.ID, func(r *request, x *conformance.Exchange, was booking) {
		when, stops := x.Sent().At("pickupTime"), x.Sent().At("dropoffs")
		switch {
		case r.task.PickupTime.IsZero() && !sameTime(when, was.time):
			s.Fail(c.ID, "an edit of the pickup place moves the taxi to another time", "the time that was booked, "+was.time.Show(), when, x)
		case r.task.Dropoffs == nil && !samePlaces(stops, was.dropoffs):
			s.Fail(c.ID, "an edit of the pickup place changes the drop-offs", "the drop-offs that were booked, in their order: "+textsOf(was.dropoffs), stops, x)
		case !wholePlace(x.Sent().At("pickup"), r.task.Pickup):
			s.Fail(c.ID, "an edit sends the new pickup with another location", fmt.Sprintf("longitude %g, latitude %g", r.task.Pickup.Location.Longitude, r.task.Pickup.Location.Latitude), x.Sent().At("pickup").At("location"), x)
		default:
			s.Pass(c.ID, x)
		}
	})
}

// wholePlace reports whether an address that was sent has the location of the requested one. It
// returns true where other checks judge: for another text, or without a location.
func wholePlace(sent jsonvalue.Value, asked *taxi.Address) bool {
	at := sent.At("location")
	if asked == nil || asked.Location == nil || !at.At("longitude").IsNumber() || !at.At("latitude").IsNumber() || !strings.EqualFold(sent.At("address").Text(), asked.Address) {
		return true
	}
	return math.Abs(at.At("longitude").Number()-asked.Location.Longitude) < near && math.Abs(at.At("latitude").Number()-asked.Location.Latitude) < near
}

// near is the tolerance in degrees within which two points count as one: about 50 m.
const near = 0.0005

// sameTime reports whether two instants are at most a minute apart. Times that are invalid or without a zone
// count as the same: other checks judge them.
func sameTime(sent, was jsonvalue.Value) bool {
	const slack = time.Minute
	a, wrong := taxi.ParseTime(sent.Text())
	b, unread := taxi.ParseTime(was.Text())
	if wrong != nil || unread != nil || a.Local || b.Local {
		return true
	}
	return a.Sub(b.Time).Abs() <= slack
}

// samePlaces reports whether two lists of addresses are the same. If one of them is empty or unknown, they
// count as the same.
func samePlaces(sent, was jsonvalue.Value) bool {
	if !was.IsArray() || len(sent.Items()) == 0 || len(was.Items()) == 0 {
		return true
	}
	if len(sent.Items()) != len(was.Items()) {
		return false
	}
	for i, v := range sent.Items() {
		if !samePlace(v, was.Items()[i]) {
			return false
		}
	}
	return true
}

// samePlace reports whether two addresses have the same text or the same location.
func samePlace(a, b jsonvalue.Value) bool {
	plain := func(v jsonvalue.Value) string { return strings.Join(strings.Fields(v.At("address").Text()), " ") }
	if strings.EqualFold(plain(a), plain(b)) {
		return true
	}
	from, to := a.At("location"), b.At("location")
	return from.IsObject() && to.IsObject() &&
		math.Abs(from.At("longitude").Number()-to.At("longitude").Number()) < near && math.Abs(from.At("latitude").Number()-to.At("latitude").Number()) < near
}

// textsOf returns the texts of addresses, separated by semicolons.
func textsOf(places jsonvalue.Value) string {
	var all []string
	for _, p := range places.Items() {
		all = append(all, p.At("address").Text())
	}
	return strings.Join(all, "; ")
}

func judgePassengerKept(s *sheet, c conformance.Check) {
	s.edits(c.ID, func(r *request, x *conformance.Exchange, was booking) {
		name, number, category := x.Sent().At("name"), x.Sent().At("phoneNumber"), x.Sent().At("vehicleCategory")
		booked, known := jsonvalue.Digits(was.number.Text()), was.name.HasText() && r.task.Name == ""
		switch {
		case known && name.HasText() && !strings.EqualFold(name.Text(), was.name.Text()):
			s.Fail(c.ID, "an edit books for another passenger", "the name of the booking's passenger", name, x)
		case len(booked) >= leastNumber && !sameNumber(jsonvalue.Digits(number.Text()), booked) && number.HasText():
			s.Fail(c.ID, "an edit gives another number for the passenger", "the number of the booking's passenger", number, x)
		case was.category.HasText() && category.HasText() && category.Text() != was.category.Text() && category.Text() != r.task.VehicleCategory:
			s.Fail(c.ID, "an edit requests another vehicle category", was.category.Text(), category, x)
		case was.category.HasText() && !category.Given() && r.task.VehicleCategory == "":
			s.Warn(c.ID, "an edit leaves out the vehicle category of the booking", was.category.Text()+", since the interface does not show whether an absent member stays", category, x)
		case !known && len(booked) < leastNumber && !was.category.HasText():
			s.unclear(c.ID, r, conformance.NotSeen, "a booking whose passenger or category the platform was told")
		default:
			s.Pass(c.ID, x)
		}
	})
}

// judgeTimeAsked judges whether a pickupTime is the requested one. "Now" may be the time of the run
// or real time, since a client in a simulation whose clock runs ahead may use either.
func judgeTimeAsked(s *sheet, c conformance.Check) {
	const slack = 10 * time.Minute // less than any offset between two zones
	for _, r := range s.requests {
		if !r.wants(WantBook) || r.unsupported {
			continue
		}
		for _, x := range r.booked() {
			v := x.Sent().At("pickupTime")
			sent, err := taxi.ParseTime(v.Text())
			if err != nil || sent.Local {
				continue // P-10 judges it
			}
			asked, off := r.task.PickupTime.Time, time.Duration(0)
			if !asked.IsZero() && asked.Before(x.Started) && asked.Before(x.Wall()) && sent.After(asked.Add(slack)) {
				s.Fail(c.ID, "the caller named a time in the past, and the taxi was requested for another one", "no booking: the caller is told, or put through to a person", v, x)
				s.Suggest("Do not move a time that is past: ask again, or put the caller through to a person.")
				continue
			}
			if want := "the time asked for, " + asked.UTC().Format(time.RFC3339); asked.IsZero() {
				off, want = min(sent.Sub(x.Started).Abs(), sent.Sub(x.Wall()).Abs()), "now, "+x.Started.UTC().Format(time.RFC3339)
				s.wantNear(c.ID, off <= slack, off, want, v, x)
			} else {
				off = sent.Sub(asked).Abs()
				s.wantNear(c.ID, off <= slack, off, want, v, x)
			}
		}
	}
}

func (s *sheet) wantNear(id string, ok bool, off time.Duration, want string, v jsonvalue.Value, x *conformance.Exchange) {
	if ok {
		s.Pass(id, x)
		return
	}
	s.Fail(id, fmt.Sprintf("the taxi is requested for another time, %s away", off.Round(time.Minute)), want, v, x)
}

// judgeMeant judges whether a request acts on the journey that the caller chose. It may read other
// journeys for a menu, but must not change them.
func judgeMeant(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if r.task == nil || r.task.JourneyID == "" || r.with(IntentForeign) != nil {
			continue
		}
		told := map[string]bool{}
		for _, x := range r.ordinary() {
			learn(told, x)
		}
		delete(told, r.task.JourneyID)
		s.judgeMeantBy(c.ID, r, OpCancel, told)
		s.judgeMeantBy(c.ID, r, OpStatus, told)
	}
}

func (s *sheet) judgeMeantBy(id string, r *request, op conformance.Operation, others map[string]bool) {
	calls := r.of(op)
	if len(calls) == 0 {
		return
	}
	const atOnce = 1900 * time.Millisecond // readings for a menu; what comes later follows a journey
	meant, other := false, (*conformance.Exchange)(nil)
	followsOwn, follows := false, false
	for _, x := range calls {
		sent, later := x.Sent().At("journeyId").Text(), r.task.FollowSeconds > 0 && x.Started.Sub(calls[0].Started) > atOnce
		if sent == r.task.JourneyID {
			meant, followsOwn = true, followsOwn || later
		}
		if others[sent] {
			other, follows = x, follows || later
		}
	}
	const expected = "the journey that the caller asks for, "
	switch {
	case other != nil && (op == OpCancel || !meant || follows && !followsOwn):
		s.Fail(id, "the request names a journey other than the caller's choice", expected+r.task.JourneyID, other.Sent().At("journeyId"), other)
	case meant:
		s.Pass(id, calls[0])
	}
}
