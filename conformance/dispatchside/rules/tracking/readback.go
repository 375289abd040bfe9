package tracking

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// compareWithBooking compares a journey in a reply with the booking that was sent.
func (r *tracker) compareWithBooking(t *trackedJourney, shown jsonvalue.Value, x *conformance.Exchange) {
	if len(t.versions) == 0 || r.racedCalls[x.ID] {
		return
	}
	if x.Operation != rules.OpBook && !judgeSameJourney(t, shown, x, &r.Findings) {
		return // another journey: its contents are no further evidence
	}
	if t.writes[0].Intent == rules.IntentInjected {
		return // servers may remove line breaks
	}
	if len(t.editsAfterEnd) > 0 {
		return // which of the bookings is shown is the server's choice
	}
	if t.edited() {
		if x.Operation != rules.OpBook {
			r.compareWithEdit(t, shown, x)
		}
		return
	}
	sent := t.booking()
	judgePlace(shown.At("pickup"), sent.At("pickup"), x, &r.Findings)
	judgeStops(shown.At("dropoffs"), sent.At("dropoffs"), x, &r.Findings)
	r.judgeInstant(t, shown.At("date"), sent.At("pickupTime"), x)
	judgePassenger(t, shown.At("passenger"), x, &r.Findings)
	judgeScripts(t, shown, x, &r.Findings)
	if x.Operation == rules.OpUser && t.lastRead != nil {
		judgeTwoViews(t, shown, x, &r.Findings)
	}
}

// judgeSameJourney judges whether a reply shows the journey that was booked: its pickup must be one that was
// sent or, without a pickup, its drop-off or its time. It returns false if another journey is shown.
func judgeSameJourney(t *trackedJourney, shown jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) bool {
	pickup := shown.At("pickup")
	stops, date := shown.At("dropoffs").Items(), shown.At("date")
	var own, comparable bool
	for _, v := range slices.Concat(t.versions, t.editsAfterEnd) {
		switch {
		case rules.LikenessOf(pickup, v.At("pickup")).ShownAtAll():
			comparable = true
			own = own || rules.LikenessOf(pickup, v.At("pickup")).Same()
		case len(stops) > 0 && len(v.At("dropoffs").Items()) > 0:
			comparable = true
			own = own || rules.LikenessOf(stops[0], v.At("dropoffs").Items()[0]).Same()
		case date.IsText():
			comparable = true
			own = own || rules.SameInstant(date, v.At("pickupTime"))
		}
	}
	if !comparable {
		return true
	}
	at := pickup
	if !at.Given() {
		at = shown
	}
	expected := "the journey as booked: " + jsonvalue.Clip(t.booking().At("pickup").At("address").Text(), 80)
	if !own {
		s.Fail("STA-06", "the journey shown is not the one that was booked", expected, at, t.writes[0], x)
		return false
	}
	if where := rules.LikenessOf(pickup, t.booking().At("pickup")); !t.edited() && len(t.editsAfterEnd) == 0 && where.PointShown && where.Distance > rules.Elsewhere {
		s.Fail("STA-06", fmt.Sprintf("the car is sent %.0f km from where it was booked", where.Distance/1000), expected, pickup.At("location"), t.writes[0], x)
		return true
	}
	if x.Operation == rules.OpStatus {
		s.Pass("STA-06", t.writes[0], x)
	}
	return true
}

// judgePlace compares the text and the coordinates of a returned address with those that were sent.
func judgePlace(shown, sent jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	l := rules.LikenessOf(shown, sent)
	switch text := shown.At("address"); {
	case !l.TextShown:
	case l.Text == rules.TextKept:
		s.Pass("BOK-33", x)
	case l.Text == rules.TextReworded:
		s.Warn("BOK-33", text.Pointer()+" is worded differently", "string "+sent.At("address").Show(), text, x)
	default:
		s.Want("BOK-33", false, text, "string "+sent.At("address").Show(), x)
	}
	if l.PointShown {
		judgeDistance(l.Distance, shown.At("location"), sent.At("location"), x, s)
	}
}

func judgeDistance(distance float64, shown, sent jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if distance <= rules.Exact {
		s.Pass("BOK-32", x)
		return
	}
	message := fmt.Sprintf("%s is %.0f metres from the place that was sent", shown.Pointer(), distance)
	at, was := rules.PointOf(shown), rules.PointOf(sent)
	switch {
	case distance <= rules.Near:
		s.Warn("BOK-32", message, sent.Show(), shown, x)
	case rules.Apart(taxi.Point{Longitude: at.Latitude, Latitude: at.Longitude}, was) <= rules.Near:
		s.Fail("BOK-32", shown.Pointer()+" has longitude and latitude swapped", sent.Show(), shown, x)
	default:
		s.Fail("BOK-32", message, sent.Show(), shown, x)
	}
}

// judgeStops judges whether the drop-offs came back as sent, in their order.
func judgeStops(shown, sent jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	got, want := shown.Items(), sent.Items()
	if !shown.IsArray() || len(want) == 0 || x.Operation == rules.OpBook && len(got) == 0 { // /book may omit them
		return
	}
	kept := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		l := rules.LikenessOf(got[i], want[i])
		kept = kept && (!l.ShownAtAll() || l.Same())
	}
	if len(want) > 1 || !kept {
		if !s.Want("BOK-07", kept, shown, fmt.Sprintf("array of the %d drop-offs sent, in order", len(want)), x) {
			suggestStops(got, want, s)
		}
	}
	if kept {
		for i := range got {
			judgePlace(got[i], want[i], x, s)
		}
	}
}

// suggestStops suggests why the returned drop-offs differ from those that were sent.
func suggestStops(got, want []jsonvalue.Value, s *conformance.Findings) {
	among := func(all []jsonvalue.Value, one jsonvalue.Value) bool {
		return slices.ContainsFunc(all, func(v jsonvalue.Value) bool { return samePlace(v, one) || samePlace(one, v) })
	}
	lost := slices.ContainsFunc(want, func(v jsonvalue.Value) bool { return !among(got, v) })
	switch {
	case len(got) < len(want):
		s.Suggest(fmt.Sprintf("Store every drop-off: %d of %d came back.", len(got), len(want)))
	case lost:
	case len(got) > len(want):
		s.Suggest(fmt.Sprintf("Replace the drop-offs by those of the edit: %d came back in place of %d.", len(got), len(want)))
	default:
		s.Suggest("Keep the drop-offs in the order in which they were sent.")
	}
}

// judgeInstant judges whether the returned date is the instant that was sent as pickupTime.
func (r *tracker) judgeInstant(t *trackedJourney, shown, sent jsonvalue.Value, x *conformance.Exchange) {
	date, err := taxi.ParseTime(shown.Text())
	if err != nil || !sent.IsText() {
		return
	}
	id := "BOK-11"
	if t.writes[0].Intent == rules.IntentSeasons {
		id = "TIM-05"
	}
	if date.Local && rules.SameInstant(shown, sent) {
		r.noteZoneless(id, shown, sent, t.writes[0], x)
		return
	}
	kept := r.Want(id, rules.SameInstant(shown, sent), shown, "string, the instant "+sent.Text(), x)
	switch {
	case !kept:
		suggestInstant(date.Time, sent, t.writes[0], &r.Findings)
	case !sameSecond(shown, sent):
		r.Warn(id, shown.Pointer()+" has lost its seconds", "string, the instant "+sent.Text(), shown, x)
	}
}

// suggestInstant suggests why a returned time differs from the one that was sent, such as a lost half of the day. It does not
// consider a wrong offset.
func suggestInstant(got time.Time, sent jsonvalue.Value, made *conformance.Exchange, s *conformance.Findings) {
	want, err := rules.ReadTime(sent.Text())
	if err != nil {
		return
	}
	const day = 24 * time.Hour
	switch off := got.Sub(want.Time).Round(time.Minute); {
	case got.Sub(made.Wall()).Abs() < time.Minute:
		s.Suggest("Return the time of the pickup: this is when the booking was made.")
	case off.Abs() == day/2:
		s.Suggest("Keep the half of the day: the time is twelve hours off. A clock of 12 hours was read or written where one of 24 was meant.")
	case off.Abs() > 300*day:
		s.Suggest("Keep the year. The year of a week (ISO 8601) is another one around the new year.")
	case off != 0 && off%day == 0:
		s.Suggest(fmt.Sprintf("Keep the day: it is %s off, at the same time.", conformance.Count(int(off.Abs()/day), "day")))
	}
}

// sameSecond reports whether two date-times are in the same second. Those that cannot be read count as the same.
func sameSecond(a, b jsonvalue.Value) bool {
	ta, errA := rules.ReadTime(a.Text())
	tb, errB := rules.ReadTime(b.Text())
	return errA != nil || errB != nil || ta.Unix() == tb.Unix()
}

// judgePassenger judges the passenger of a journey booked for somebody else.
func judgePassenger(t *trackedJourney, shown jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if !shown.IsObject() || !t.forSomebodyElse() {
		return
	}
	sent, as := t.booking(), "as sent"
	if t.edited() {
		as = "as the edit has it"
	}
	if phone := shown.At("phoneNumber"); phone.HasText() {
		s.Want("BOK-08", sharesNumber(jsonvalue.Digits(phone.Text()), jsonvalue.Digits(sent.At("phoneNumber").Text())), phone, "string, the passenger's number, "+as, x)
	}
	if name := shown.At("name"); name.HasText() {
		want := sent.At("name")
		if !s.Want("BOK-08", rules.Fold(name.Text()) == rules.Fold(want.Text()), name, "string "+want.Show()+", "+as, x) {
			suggestWhole(name.Text(), want.Text(), s)
		}
	}
}

// judgeScripts judges whether letters of other scripts come back byte for byte. BOK-33
// judges spaces, case and ASCII punctuation.
func judgeScripts(t *trackedJourney, shown jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if t.writes[0].Intent != rules.IntentScripts {
		return
	}
	sent := t.booking()
	for _, pair := range [][2]jsonvalue.Value{
		{shown.At("pickup").At("address"), sent.At("pickup").At("address")},
		{shown.At("passenger").At("name"), sent.At("name")},
	} {
		if got, want := pair[0], pair[1]; got.IsText() {
			if !s.Want("W-12", lettersOf(got.Text()) == lettersOf(want.Text()), got, "string "+want.Show(), x) {
				suggestWhole(got.Text(), want.Text(), s)
				if decoded, err := url.QueryUnescape(want.Text()); err == nil && decoded == got.Text() {
					s.Suggest("Keep + and % as they are: a text in JSON is not encoded as an address of the web is.")
				}
			}
		}
	}
}

// suggestWhole suggests storing the whole text if the returned text was cut.
func suggestWhole(got, want string, s *conformance.Findings) {
	if got != "" && strings.HasPrefix(want, got) {
		s.Suggest(fmt.Sprintf("Store the whole text: it is cut after %s.", conformance.Count(utf8.RuneCountInString(got), "character")))
	}
}

// lettersOf reduces a text to its letters: it removes spaces and ASCII punctuation except
// the apostrophe, and folds case.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r > unicode.MaxASCII || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
			return r
		case r >= 'A' && r <= 'Z':
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// judgeTwoViews judges whether activeBookings agrees with the last /status reply about a journey.
func judgeTwoViews(t *trackedJourney, listed jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if len(t.writes) > 0 && t.writes[len(t.writes)-1].ID > t.lastRead.ID {
		return
	}
	status := listed.At("status")
	was := taxi.Status(t.lastRead.Reply().At("status").Text())
	agrees := !was.Known() || !rules.Spelled(status) || was.CanBecome(taxi.Status(status.Text()))
	if date := t.lastRead.Reply().At("date"); date.IsText() && listed.At("date").IsText() {
		agrees = agrees && rules.SameInstant(date, listed.At("date"))
	}
	s.Want("STA-11", agrees, listed, "the same as /status: "+string(was)+" "+t.lastRead.Reply().At("date").Text(), t.lastRead, x)
}

// compareWithEdit judges whether a reply shows the last edit.
func (r *tracker) compareWithEdit(t *trackedJourney, shown jsonvalue.Value, x *conformance.Exchange) {
	now, before := t.booking(), t.versions[len(t.versions)-2]
	edit := t.writes[len(t.writes)-1]
	for _, f := range []struct {
		check, key, shownAs string
		same                func(shown, sent jsonvalue.Value) bool
	}{
		{"BOK-16", "pickup", "pickup", samePlace},
		{"BOK-17", "dropoffs", "dropoffs", samePlaces},
		{"BOK-18", "pickupTime", "date", rules.SameInstant},
	} {
		v := shown.At(f.shownAs)
		if !v.Given() || f.shownAs == "date" && !rules.Legible(v) {
			continue
		}
		fits := f.same(v, now.At(f.key))
		if f.shownAs == "date" && fits {
			r.noteZoneless(f.check, v, now.At(f.key), edit, x)
		}
		switch changed := !reflect.DeepEqual(now.At(f.key).Raw(), before.At(f.key).Raw()); {
		case !changed:
			r.Want("BOK-20", fits, v, "as before the edit: "+now.At(f.key).Show(), edit, x)
		case !fits && f.same(v, before.At(f.key)):
			r.Fail(f.check, v.Pointer()+" is still what it was before the edit", now.At(f.key).Show(), v, edit, x)
			if answered := edit.Reply().At(f.shownAs); x != edit && answered.Given() && f.same(answered, now.At(f.key)) {
				r.Suggest("/book answered with the edit, and " + x.Operation.Path() + " without it: read from where /book wrote, not from a cache.")
			}
		default:
			if !r.Want(f.check, fits, v, "as edited: "+now.At(f.key).Show(), edit, x) && f.check == "BOK-17" {
				suggestStops(v.Items(), now.At(f.key).Items(), &r.Findings)
			}
		}
	}
	if x.Operation == rules.OpStatus && !showsEnd(x) {
		judgePassengerKept(t, shown.At("passenger"), edit, x, &r.Findings)
		judgePassenger(t, shown.At("passenger"), x, &r.Findings)
	}
	if l := rules.LikenessOf(shown.At("pickup"), now.At("pickup")); l.TextShown && l.Text == rules.TextKept && l.PointShown {
		judgeDistance(l.Distance, shown.At("pickup").At("location"), now.At("pickup").At("location"), x, &r.Findings)
	}
}

// judgePassengerKept judges whether an edit that repeats the passenger leaves the passenger
// unchanged.
func judgePassengerKept(t *trackedJourney, shown jsonvalue.Value, edit, x *conformance.Exchange, s *conformance.Findings) {
	if !t.passenger.IsObject() {
		return
	}
	first, now := t.versions[0], t.booking()
	name, phone := t.passenger.At("name"), t.passenger.At("phoneNumber")
	switch {
	case first.At("name").Text() != now.At("name").Text() || first.At("phoneNumber").Text() != now.At("phoneNumber").Text():
	case !shown.Given():
		s.Fail("BOK-20", "the edit removed the passenger, although it repeats the passenger", "as before the edit: "+t.passenger.Show(), shown, edit, x)
	case name.HasText() && rules.Fold(shown.At("name").Text()) != rules.Fold(name.Text()):
		s.Fail("BOK-20", "the edit changed the passenger's name, although it repeats the name", "as before the edit: "+name.Show(), shown.At("name"), edit, x)
	case phone.HasText() && jsonvalue.Digits(shown.At("phoneNumber").Text()) != jsonvalue.Digits(phone.Text()):
		s.Fail("BOK-20", "the edit changed the passenger's number, although it repeats the number", "as before the edit: "+phone.Show(), shown.At("phoneNumber"), edit, x)
	default:
		s.Pass("BOK-20", edit, x)
	}
}

func samePlace(a, b jsonvalue.Value) bool { return rules.LikenessOf(a, b).Same() }

func samePlaces(a, b jsonvalue.Value) bool {
	got, want := a.Items(), b.Items()
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !samePlace(got[i], want[i]) {
			return false
		}
	}
	return true
}
