package rules

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// etaChecks are about whether an eta can be right. What it counts down to is not shown, so
// they only warn.
var etaChecks = []conformance.Check{
	{
		ID: "ENR-27", Level: conformance.Robustness, Tier: TierETA, Needs: "an eta on a journey with a date",
		Requirement: "An eta is no longer than the time until the pickup and two hours; of a car that is on its way, than the way takes at 10 km/h and half an hour (longer is a warning).",
		Why:         "The caller is told that the taxi comes in five hours, and books another.",
		Hint:        "Send the value in the unit that you name: 300 seconds are 5 minutes.",
	},
	{
		ID: "ENR-28", Level: conformance.Robustness, Tier: TierETA, Needs: "an eta at ARRIVED",
		Requirement: "At ARRIVED the eta is 0 or 1 minute, or left out (more is a warning).",
		Why:         "The passenger stays inside while the car waits at the door.",
		Hint:        "Count down to the pickup, and send 0 or no eta when the car is there.",
	},
	{
		ID: "ENR-29", Level: conformance.Robustness, Tier: TierETA, Needs: "the eta of one journey at ACCEPTED, EN_ROUTE and ARRIVED, or of a car that has moved a kilometre",
		Requirement: "The eta changes as the car comes nearer (one that stays is a warning).",
		Why:         "Eight minutes for ever is no news.",
		Hint:        "Reckon the eta afresh from where the car is.",
	},
}

// Bounds of an eta.
const (
	slackBefore = 2 * time.Hour
	slackOnWay  = 30 * time.Minute
	crawl       = 10 / 3.6         // metres a second that any car makes
	atTheDoor   = 90 * time.Second // a minute, rounded
	nearerBy    = 1000             // metres after which an eta should be another
)

// etaShown is an eta that a reply has shown.
type etaShown struct {
	from    *conformance.Exchange
	status  taxi.Status
	value   time.Duration
	located bool
	at      taxi.Point
}

// etaOf reads the eta of a reply; false: it has none that can be read.
func etaOf(x *conformance.Exchange) (etaShown, bool) {
	eta := x.Reply().At("eta")
	if !eta.Given() || len(flawsOf(eta, etaShape)) > 0 || !timeUnit.MatchString(eta.At("unit").Text()) {
		return etaShown{}, false
	}
	seconds := eta.At("value").Number() * unitSeconds(eta.At("unit").Text())
	const longest = 1e9 // seconds: more does not fit
	e := etaShown{from: x, status: taxi.Status(x.Reply().At("status").Text()), value: time.Duration(min(seconds, longest) * float64(time.Second))}
	e.at, e.located = coordinates(x.Reply().At("location"))
	return e, true
}

// trackETA judges the eta of a /status reply.
func (r *tracker) trackETA(x *conformance.Exchange, t *trackedJourney) {
	now, shown := etaOf(x)
	if !shown || now.status.Terminal() || now.status == taxi.POB { // then it is about the drop-off
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

// lastETA is the number of the call that showed the journey's last eta; 0: none did.
func lastETA(t *trackedJourney) int {
	if len(t.etas) == 0 {
		return 0
	}
	return t.etas[len(t.etas)-1].from.ID
}

// etaText writes an eta as a caller hears it.
func etaText(x *conformance.Exchange) string {
	eta := x.Reply().At("eta")
	return eta.At("value").Show() + " " + eta.At("unit").Text()
}

// judgeETA warns of an eta that is not as it should be.
func (r *tracker) judgeETA(check string, ok bool, message, expected string, xs ...*conformance.Exchange) {
	if ok {
		r.Pass(check, xs...)
		return
	}
	r.Warn(check, message, expected, xs[len(xs)-1].Reply().At("eta"), xs...)
}

// judgeLongest judges an eta by the time until the pickup, or by where the car is.
func (r *tracker) judgeLongest(now etaShown, t *trackedJourney) {
	x := now.from
	pickup := x.Reply().At("pickup").At("location")
	if now.status == taxi.EnRoute && now.located && len(pointFlaws(pickup)) == 0 {
		away := metres(now.at, pointOf(pickup))
		most := slackOnWay + time.Duration(away/crawl*float64(time.Second))
		r.judgeETA("ENR-27", now.value <= most, fmt.Sprintf("the car is %.1f km away, and the eta is %s", away/1000, etaText(x)), "at most "+roundedText(most), x)
		return
	}
	date, ok := pickupOf(x, t)
	if !ok {
		return
	}
	ahead := max(0, date.Sub(x.Started))
	message := fmt.Sprintf("the pickup is %s ahead, and the eta is %s", roundedText(ahead), etaText(x))
	r.judgeETA("ENR-27", now.value <= ahead+slackBefore, message, "at most "+roundedText(ahead+slackBefore), x)
}

// pickupOf returns when a journey is to begin, as it is shown or else as it was booked.
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
	moved := first.located && last.located && withDriver(first.status) && metres(first.at, last.at) >= nearerBy
	if last.value > 0 && (len(before) >= 3 || moved) {
		r.judgeETA("ENR-29", false, "the eta stays as it is while the car comes: "+etaText(last.from), "an eta that changes", first.from, last.from)
	}
}
