package tracking

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// priceShown is a price that a reply has shown.
type priceShown struct {
	from     *conformance.Exchange
	at       jsonvalue.Value
	value    float64
	currency string
	kind     taxi.PriceType
	status   taxi.Status
	version  int // of the booking: 1 for the booking, one more for each edit
}

// priceIn returns the price in a reply about a journey; false if the reply has no valid price.
func priceIn(x *conformance.Exchange, version int) (priceShown, bool) {
	price := x.Reply().At("price")
	if !price.Given() || !rules.IsPrice(price) {
		return priceShown{}, false
	}
	at := price.At("value")
	return priceShown{
		from: x, at: at, value: at.Number(), currency: price.At("currency").Text(), kind: taxi.PriceType(price.At("type").Text()),
		status: taxi.Status(x.Reply().At("status").Text()), version: version,
	}, true
}

// sameAs reports whether two prices have the same currency and differ by no more than 1 % or 0.01.
func (p priceShown) sameAs(other priceShown) bool {
	const share, least = 0.01, 0.01
	return p.currency == other.currency && math.Abs(p.value-other.value) <= max(least, share*max(math.Abs(p.value), math.Abs(other.value)))+1e-9
}

// mayChange reports whether a price may differ from others because the passenger is on board or the journey has ended.
func (p priceShown) mayChange() bool { return p.status == taxi.POB || p.status.Terminal() }

// trackPrice compares the price in a reply with the earlier prices of the journey.
func trackPrice(x *conformance.Exchange, t *trackedJourney, s *conformance.Findings) {
	now, shown := priceIn(x, len(t.versions))
	if !shown {
		return
	}
	judgeUnit(now, t, s)
	was := t.price
	t.price = now
	if len(t.quotes) == 0 || t.quotes[len(t.quotes)-1].version != now.version {
		t.quotes = append(t.quotes, now)
		judgeTakenBack(now, t, s)
	}
	fixed := now.kind == taxi.Fixed && was.kind == taxi.Fixed // ENR-07 judges it
	if was.from == nil || was.version != now.version || fixed || now.mayChange() || was.mayChange() {
		return
	}
	judgePriceKept(was, now, s)
}

// judgePriceKept judges whether two prices of a journey, without an edit in between, are the same.
func judgePriceKept(was, now priceShown, s *conformance.Findings) {
	apart := now.from.Started.Sub(was.from.Ended())
	switch {
	case now.from.Operation != rules.OpStatus || apart < 0 || now.from.Epoch != was.from.Epoch:
	case was.from.Operation == rules.OpBook && apart <= time.Minute:
		judgeOnePrice("ENR-22", "the price in the /book reply has changed", was, now, s)
	case was.from.Operation == rules.OpStatus && was.status == now.status && apart <= time.Second:
		judgeOnePrice("ENR-21", "the price has changed from one read to the next", was, now, s)
	}
}

// judgeOnePrice warns of a price that differs from one shown before.
func judgeOnePrice(check, message string, was, now priceShown, s *conformance.Findings) {
	if was.sameAs(now) {
		s.Pass(check, was.from, now.from)
		return
	}
	s.Warn(check, message, "number "+was.at.Show()+" "+was.currency+", as before", now.at, was.from, now.from)
}

// judgeTakenBack judges whether the price is as before if an edit restores the trip of an earlier
// version.
func judgeTakenBack(now priceShown, t *trackedJourney, s *conformance.Findings) {
	for _, before := range t.quotes {
		if before.version < now.version-1 && sameTrip(t.versions[before.version-1], t.versions[now.version-1]) {
			judgeOnePrice("ENR-23", "two edits left the trip as it was, but the price has changed", before, now, s)
			return
		}
	}
}

// sameTrip reports whether two bookings have the same route, time and vehicle category.
func sameTrip(a, b jsonvalue.Value) bool {
	for _, key := range []string{"pickup", "dropoffs", "pickupTime", "vehicleCategory"} {
		if !reflect.DeepEqual(a.At(key).Raw(), b.At(key).Raw()) {
			return false
		}
	}
	return true
}

// costsLikeADollar has the currencies whose main unit is worth about a dollar.
var costsLikeADollar = map[string]bool{"GBP": true, "EUR": true, "USD": true, "CHF": true, "CAD": true, "AUD": true, "NZD": true}

// Limits for the price of a taxi, in a currency such as the pound.
const (
	dear      = 100 // the most for a trip of no length
	dearPerKm = 20  // the most for each kilometre
	cheap     = 0.5 // the least for a trip of half a kilometre or more
)

// judgeUnit judges whether a price can be in the main unit of its currency, by the length of the trip.
func judgeUnit(p priceShown, t *trackedJourney, s *conformance.Findings) {
	if p.value < 0 {
		s.Want("ENR-25", false, p.at, "number, 0 or more", p.from)
		return
	}
	km, known := lengthOf(t.booking())
	if !known || !costsLikeADollar[p.currency] {
		return
	}
	switch {
	case p.value > dear+dearPerKm*km:
		s.Fail("ENR-25", fmt.Sprintf("a trip of %.1f km costs %s %s", km, p.at.Show(), p.currency), "the main unit of the currency: 12.4 for £12.40", p.at, p.from)
	case p.value > 0 && p.value < cheap && km >= 0.5:
		s.Warn("ENR-25", fmt.Sprintf("a trip of %.1f km costs %s %s", km, p.at.Show(), p.currency), "the main unit of the currency: 12.4 for £12.40", p.at, p.from)
	default:
		s.Pass("ENR-25", p.from)
	}
}

// lengthOf returns the length of a booking's route in kilometres, in straight lines; known is false if a location is missing.
func lengthOf(booking jsonvalue.Value) (km float64, known bool) {
	from, known := rules.Coordinates(booking.At("pickup").At("location"))
	stops := booking.At("dropoffs").Items()
	if !known || len(stops) == 0 {
		return 0, false
	}
	for _, stop := range stops {
		to, is := rules.Coordinates(stop.At("location"))
		if !is {
			return 0, false
		}
		km += rules.Apart(from, to) / 1000
		from = to
	}
	return km, true
}

// shortForLong is the problem of a long trip that costs no more than a short one. Flat fares allow that, so it only warns.
const shortForLong = "a trip of ten kilometres costs no more than one of one kilometre"

// longCostsMore judges a probe that books a short trip and a long one, and edits the short
// one into a long one. It compares only prices for the same pickup time, since night tariffs
// may be higher.
func longCostsMore(calls []*conformance.Exchange) (string, *conformance.Exchange) {
	const longer = 4 // times as long, in kilometres
	type trip struct {
		km    float64
		price priceShown
	}
	lengths, shortest := map[string]float64{}, map[string]trip{} // by journeyId; by pickup time
	compared := false
	for _, x := range calls {
		id, date := x.Reply().At("journeyId").Scalar(), x.Reply().At("date").Scalar()
		if km, known := lengthOf(x.Sent()); known && x.Operation == rules.OpBook && rules.Served(x) {
			lengths[id] = km
		}
		p, shown := priceIn(x, 0)
		if !shown || lengths[id] == 0 || p.mayChange() {
			continue
		}
		short, seen := shortest[date]
		switch {
		case !seen:
			shortest[date] = trip{lengths[id], p}
		case lengths[id] < longer*short.km:
		case p.currency == short.price.currency && p.value <= short.price.value:
			return shortForLong, p.from
		default:
			compared = true
		}
	}
	if !compared {
		return "no price of a short trip and of a long one was shown", nil
	}
	return "", nil
}
