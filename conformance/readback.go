package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// compareWithBooking compares a journey as shown with the booking as sent.
func (r *tracker) compareWithBooking(t *trackedJourney, shown value, x *Exchange) {
	if len(t.versions) == 0 || r.racedCalls[x.ID] {
		return
	}
	if x.Operation != OpBook && !r.judgeSameJourney(t, shown, x) {
		return // somebody else's journey: what is in it proves nothing more
	}
	if t.writes[0].Intent == intentInjected {
		return // line breaks may well be taken out
	}
	if len(t.editsAfterEnd) > 0 {
		return // which of the bookings is shown is the server's choice
	}
	if t.edited() {
		if x.Operation != OpBook {
			r.compareWithEdit(t, shown, x)
		}
		return
	}
	sent := t.booking()
	r.judgePlace(shown.at("pickup"), sent.at("pickup"), x)
	r.judgeStops(shown.at("dropoffs"), sent.at("dropoffs"), x)
	r.judgeInstant(t, shown.at("date"), sent.at("pickupTime"), x)
	r.judgePassenger(t, shown.at("passenger"), x)
	r.judgeScripts(t, shown, x)
	if x.Operation == OpUser && t.lastRead != nil {
		r.judgeTwoViews(t, shown, x)
	}
}

// judgeSameJourney judges whether what is shown is the journey that was booked at all:
// its pickup has to be one that was sent, or, without a pickup, its drop-off or
// its time.
func (r *tracker) judgeSameJourney(t *trackedJourney, shown value, x *Exchange) bool {
	pickup := shown.at("pickup")
	stops, date := shown.at("dropoffs").items(), shown.at("date")
	var own, comparable bool
	for _, v := range slices.Concat(t.versions, t.editsAfterEnd) {
		switch {
		case likenessOf(pickup, v.at("pickup")).shownAtAll():
			comparable = true
			own = own || likenessOf(pickup, v.at("pickup")).same()
		case len(stops) > 0 && len(v.at("dropoffs").items()) > 0:
			comparable = true
			own = own || likenessOf(stops[0], v.at("dropoffs").items()[0]).same()
		case date.isText():
			comparable = true
			own = own || sameInstant(date, v.at("pickupTime"))
		}
	}
	if !comparable {
		return true
	}
	at := pickup
	if !at.given() {
		at = shown
	}
	expected := "the journey as booked: " + clip(t.booking().at("pickup").at("address").text(), 80)
	if !own {
		r.fail("STA-06", "what is shown is not the journey that was booked", expected, at, t.writes[0], x)
		return false
	}
	if where := likenessOf(pickup, t.booking().at("pickup")); !t.edited() && len(t.editsAfterEnd) == 0 && where.pointShown && where.distance > elsewhere {
		r.fail("STA-06", fmt.Sprintf("the car is sent %.0f km from where it was booked", where.distance/1000), expected, pickup.at("location"), t.writes[0], x)
		return true
	}
	if x.Operation == OpStatus {
		r.pass("STA-06", t.writes[0], x)
	}
	return true
}

// judgePlace judges one address that came back.
func (r *tracker) judgePlace(shown, sent value, x *Exchange) {
	l := likenessOf(shown, sent)
	switch text := shown.at("address"); {
	case !l.textShown:
	case l.text == textKept:
		r.pass("BOK-33", x)
	case l.text == textReworded:
		r.warn("BOK-33", text.pointer()+" is worded differently", "string "+sent.at("address").show(), text, x)
	default:
		r.want("BOK-33", false, text, "string "+sent.at("address").show(), x)
	}
	if l.pointShown {
		r.judgeDistance(l.distance, shown.at("location"), sent.at("location"), x)
	}
}

func (r *tracker) judgeDistance(distance float64, shown, sent value, x *Exchange) {
	if distance <= exact {
		r.pass("BOK-32", x)
		return
	}
	message := fmt.Sprintf("%s is %.0f metres from where it was", shown.pointer(), distance)
	at, was := pointOf(shown), pointOf(sent)
	switch {
	case distance <= near:
		r.warn("BOK-32", message, sent.show(), shown, x)
	case metres(taxi.Point{Longitude: at.Latitude, Latitude: at.Longitude}, was) <= near:
		r.fail("BOK-32", shown.pointer()+" has longitude and latitude swapped", sent.show(), shown, x)
	default:
		r.fail("BOK-32", message, sent.show(), shown, x)
	}
}

// judgeStops judges the drop-offs that came back.
func (r *tracker) judgeStops(shown, sent value, x *Exchange) {
	got, want := shown.items(), sent.items()
	if !shown.isArray() || len(want) == 0 || x.Operation == OpBook && len(got) == 0 { // which may leave out what it likes
		return
	}
	kept := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		l := likenessOf(got[i], want[i])
		kept = kept && (!l.shownAtAll() || l.same())
	}
	if len(want) > 1 || !kept {
		r.want("BOK-07", kept, shown, fmt.Sprintf("array of the %d drop-offs sent, in order", len(want)), x)
	}
	if kept {
		for i := range got {
			r.judgePlace(got[i], want[i], x)
		}
	}
}

// judgeInstant judges the date that came back.
func (r *tracker) judgeInstant(t *trackedJourney, shown, sent value, x *Exchange) {
	if _, err := taxi.ParseTime(shown.text()); err != nil || !sent.isText() {
		return
	}
	id := "BOK-11"
	if t.writes[0].Intent == intentSeasons {
		id = "TIM-05"
	}
	r.want(id, sameInstant(shown, sent), shown, "string, the instant "+sent.text(), x)
}

// sameInstant compares two date-times to the minute. One without a zone is taken
// for any clock in the world: that it has none is a matter for its own check.
func sameInstant(a, b value) bool {
	ta, errA := taxi.ParseTime(a.text())
	tb, errB := taxi.ParseTime(b.text())
	if errA != nil || errB != nil {
		return false
	}
	apart := ta.Sub(tb.Time).Abs()
	if ta.Local || tb.Local {
		return apart <= 14*time.Hour && apart%(15*time.Minute) < time.Minute
	}
	return apart < time.Minute
}

// judgePassenger judges the passenger of a journey booked for somebody else.
func (r *tracker) judgePassenger(t *trackedJourney, shown value, x *Exchange) {
	if !shown.isObject() || !t.forSomebodyElse() {
		return
	}
	sent := t.booking()
	if phone := shown.at("phoneNumber"); phone.hasText() {
		r.want("BOK-08", sharesNumber(digits(phone.text()), digits(sent.at("phoneNumber").text())), phone, "string, the passenger's number as sent", x)
	}
	if name := shown.at("name"); name.hasText() {
		r.want("BOK-08", fold(name.text()) == fold(sent.at("name").text()), name, "string "+sent.at("name").show(), x)
	}
}

// judgeScripts judges that text in other scripts came back byte for byte.
func (r *tracker) judgeScripts(t *trackedJourney, shown value, x *Exchange) {
	if t.writes[0].Intent != intentScripts {
		return
	}
	sent := t.booking()
	for _, pair := range [][2]value{
		{shown.at("pickup").at("address"), sent.at("pickup").at("address")},
		{shown.at("passenger").at("name"), sent.at("name")},
	} {
		if got, want := pair[0], pair[1]; got.isText() {
			r.want("W-12", got.text() == want.text(), got, "string "+want.show(), x)
		}
	}
}

// judgeTwoViews judges activeBookings against the last /status reply.
func (r *tracker) judgeTwoViews(t *trackedJourney, listed value, x *Exchange) {
	if len(t.writes) > 0 && t.writes[len(t.writes)-1].ID > t.lastRead.ID {
		return
	}
	status := listed.at("status")
	was := taxi.Status(t.lastRead.Reply().at("status").text())
	agrees := !was.Known() || !spelled(status) || was.CanBecome(taxi.Status(status.text()))
	if date := t.lastRead.Reply().at("date"); date.isText() && listed.at("date").isText() {
		agrees = agrees && sameInstant(date, listed.at("date"))
	}
	r.want("STA-11", agrees, listed, "the same as /status: "+string(was)+" "+t.lastRead.Reply().at("date").text(), t.lastRead, x)
}

// compareWithEdit judges whether an edit is what is shown now.
func (r *tracker) compareWithEdit(t *trackedJourney, shown value, x *Exchange) {
	now, before := t.booking(), t.versions[len(t.versions)-2]
	edit := t.writes[len(t.writes)-1]
	for _, f := range []struct {
		check, key, shownAs string
		same                func(shown, sent value) bool
	}{
		{"BOK-16", "pickup", "pickup", func(a, b value) bool { return likenessOf(a, b).same() }},
		{"BOK-17", "dropoffs", "dropoffs", samePlaces},
		{"BOK-18", "pickupTime", "date", sameInstant},
	} {
		v := shown.at(f.shownAs)
		if !v.given() {
			continue
		}
		fits := f.same(v, now.at(f.key))
		switch changed := !reflect.DeepEqual(now.at(f.key).raw(), before.at(f.key).raw()); {
		case !changed:
			r.want("BOK-20", fits, v, "as before the edit: "+now.at(f.key).show(), edit, x)
		case !fits && f.same(v, before.at(f.key)):
			r.fail(f.check, v.pointer()+" is still what it was before the edit", now.at(f.key).show(), v, edit, x)
		default:
			r.want(f.check, fits, v, "as edited: "+now.at(f.key).show(), edit, x)
		}
	}
	if l := likenessOf(shown.at("pickup"), now.at("pickup")); l.textShown && l.text == textKept && l.pointShown {
		r.judgeDistance(l.distance, shown.at("pickup").at("location"), now.at("pickup").at("location"), x)
	}
}

func samePlaces(a, b value) bool {
	got, want := a.items(), b.items()
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !likenessOf(got[i], want[i]).same() {
			return false
		}
	}
	return true
}
