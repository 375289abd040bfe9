package tracking

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Limits for an eta.
const (
	slackBefore = 2 * time.Hour
	slackOnWay  = 30 * time.Minute
	crawl       = 10 / 3.6         // the lowest speed of a car, in metres a second
	atTheDoor   = 90 * time.Second // a minute, rounded
	nearerBy    = 1000             // Metres after which an eta should have changed
)

// etaShown is an eta that a reply has shown.
type etaShown struct {
	from    *conformance.Exchange
	status  taxi.Status
	value   time.Duration
	located bool
	at      taxi.Point
}

// etaOf returns the eta in a reply; false if the reply has no valid eta.
func etaOf(x *conformance.Exchange) (etaShown, bool) {
	eta := x.Reply().At("eta")
	if !eta.Given() || !rules.IsETA(eta) || !rules.IsTimeUnit(eta.At("unit").Text()) {
		return etaShown{}, false
	}
	seconds := eta.At("value").Number() * rules.UnitSeconds(eta.At("unit").Text())
	const longest = 1e9 // seconds: more does not fit
	e := etaShown{from: x, status: taxi.Status(x.Reply().At("status").Text()), value: time.Duration(min(seconds, longest) * float64(time.Second))}
	e.at, e.located = rules.Coordinates(x.Reply().At("location"))
	return e, true
}

// trackETA judges the eta of a /status reply.
func (r *tracker) trackETA(x *conformance.Exchange, t *trackedJourney) {
	now, shown := etaOf(x)
	if !shown || now.status.Terminal() || now.status == taxi.POB { // after pickup the eta is about the drop-off
		return
	}
	if t.edited() && t.writes[len(t.writes)-1].ID > lastETA(t) {
		t.etas = nil
	}
	r.judgeLongest(now, t)
	if now.status == taxi.Arrived {
		r.judgeETA("ENR-28", now.value <= atTheDoor, "the car has arrived, and the eta is "+etaText(x), `{"value":0,"unit":"minutes"}, or no eta`, x)
	}
	t.etas = append(t.etas, now)
	r.judgeMoving(t)
}

// lastETA returns the id of the call that showed the journey's last eta, or 0 if none did.
func lastETA(t *trackedJourney) int {
	if len(t.etas) == 0 {
		return 0
	}
	return t.etas[len(t.etas)-1].from.ID
}

// etaText returns an eta as a caller hears it, such as "5 minutes".
func etaText(x *conformance.Exchange) string {
	eta := x.Reply().At("eta")
	return eta.At("value").Show() + " " + eta.At("unit").Text()
}

// judgeETA records a pass or, if ok is false, a warning about the eta in the last of the calls.
func (r *tracker) judgeETA(check string, ok bool, message, expected string, xs ...*conformance.Exchange) {
	if ok {
		r.Pass(check, xs...)
		return
	}
	r.Warn(check, message, expected, xs[len(xs)-1].Reply().At("eta"), xs...)
}

// judgeLongest judges whether an eta is too long for the car's distance or, without its location, for the time until the
// pickup.
func (r *tracker) judgeLongest(now etaShown, t *trackedJourney) {
	x := now.from
	pickup := x.Reply().At("pickup").At("location")
	if now.status == taxi.EnRoute && now.located && rules.IsPoint(pickup) {
		away := rules.Apart(now.at, rules.PointOf(pickup))
		most := slackOnWay + time.Duration(away/crawl*float64(time.Second))
		r.judgeETA("ENR-27", now.value <= most, fmt.Sprintf("the car is %.1f km away, and the eta is %s", away/1000, etaText(x)), "at most "+roundedText(most), x)
		return
	}
	date, ok := pickupOf(x, t)
	if !ok {
		return
	}
	if now.value > 24*time.Hour {
		r.judgeETA("ENR-27", false, "the eta is "+etaText(x), "an eta of less than a day, or none yet", x)
		return
	}
	ahead := max(0, date.Sub(x.Started))
	message := fmt.Sprintf("the pickup is %s ahead, and the eta is %s", roundedText(ahead), etaText(x))
	r.judgeETA("ENR-27", now.value <= ahead+slackBefore, message, "at most "+roundedText(ahead+slackBefore), x)
}

// pickupOf returns the pickup time of a journey, as shown or else as booked.
func pickupOf(x *conformance.Exchange, t *trackedJourney) (time.Time, bool) {
	for _, v := range []jsonvalue.Value{x.Reply().At("date"), t.booking().At("pickupTime")} {
		if date, err := taxi.ParseTime(v.Text()); err == nil && !date.Local {
			return date.Time, true
		}
	}
	return time.Time{}, false
}

func roundedText(d time.Duration) string { return d.Round(time.Minute).String() }

// judgeMoving judges whether the eta of a journey changes on the way to the pickup.
func (r *tracker) judgeMoving(t *trackedJourney) {
	last := t.etas[len(t.etas)-1]
	before := map[taxi.Status]bool{}
	for _, e := range t.etas {
		if !withDriver(e.status) {
			continue
		}
		if e.value != last.value {
			r.Pass("ENR-29", e.from, last.from)
			return
		}
		before[e.status] = true
	}
	first := t.etas[0]
	moved := first.located && last.located && withDriver(first.status) && rules.Apart(first.at, last.at) >= nearerBy
	if last.value > 0 && (len(before) >= 3 || moved) {
		r.judgeETA("ENR-29", false, "the eta does not change while the car approaches: "+etaText(last.from), "an eta that changes", first.from, last.from)
	}
}
