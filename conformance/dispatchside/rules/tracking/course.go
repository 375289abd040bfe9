package tracking

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// carShown is the driver and the car that a journey's last /status reply shows.
type carShown struct {
	read            *conformance.Exchange // the last /status reply
	status          taxi.Status
	driver, vehicle bool // whether that reply shows them
	eta             jsonvalue.Value
	located         bool
	at              taxi.Point            // the location in that reply
	stale           bool                  // that location is unchanged since before the run moved the server's clock
	stoodFrom       *conformance.Exchange // the first EN_ROUTE reply with the car at that place; nil: no location
}

// Limits for the movement of a car.
const (
	fastest = 250 / 3.6 // Metres a second
	hop     = 300       // Metres by which a position fix may be wrong
	arrived = 500       // Metres from the pickup within which a car has arrived
	waiting = 100       // Metres from the pickup within which a car may wait before ARRIVED
	jitter  = 60        // seconds by which an eta may rise without a warning

	standing = time.Minute // how long a car may stand still
)

// judgeCar compares the driver and the car that a reply shows with those of the reply before it.
func judgeCar(x *conformance.Exchange, t *trackedJourney, now taxi.Status, s *conformance.Findings) {
	was := t.car
	next := carShown{
		read: x, status: now, driver: x.Reply().At("driver").Given(), vehicle: x.Reply().At("vehicle").Given(), eta: x.Reply().At("eta"),
	}
	if at := x.Reply().At("location"); rules.IsPoint(at) {
		next.located, next.at, next.stoodFrom = true, rules.PointOf(at), x
	}
	next.stale = next.located && was.located && next.at == was.at && (was.stale || was.read.Epoch != x.Epoch)
	if next.located && was.located && was.status == taxi.EnRoute && now == taxi.EnRoute {
		next.stoodFrom = judgeStanding(was, next, x, s)
	}
	t.car = next
	if now == taxi.Arrived && !t.edited() { // the pickup may have been changed by an edit
		judgeArrival(x, s)
	}
	if was.read == nil {
		return
	}
	judgeGrowth(was, x, now, s)
	if was.status == taxi.EnRoute && now == taxi.EnRoute && was.read.Epoch == x.Epoch {
		judgeRising(was, next, x, s)
	}
	if was.located && next.located {
		judgeMovement(was, next, x, s)
	}
}

// judgeGrowth judges whether driver and vehicle, once shown, are shown until the journey ends.
func judgeGrowth(was carShown, x *conformance.Exchange, now taxi.Status, s *conformance.Findings) {
	if !withDriver(was.status) || !withDriver(now) {
		return
	}
	for key, shown := range map[string]bool{"driver": was.driver, "vehicle": was.vehicle} {
		if shown {
			v := x.Reply().At(key)
			s.Want("JRN-16", v.Given(), v, "object, as in the reply before", was.read, x)
		}
	}
}

// withDriver reports whether a journey in a status has a driver.
func withDriver(s taxi.Status) bool {
	return s == taxi.Accepted || s == taxi.EnRoute || s == taxi.Arrived || s == taxi.POB
}

func judgeRising(was, now carShown, x *conformance.Exchange, s *conformance.Findings) {
	if !rules.IsETA(was.eta) || !rules.IsETA(now.eta) {
		return
	}
	before := was.eta.At("value").Number() * rules.UnitSeconds(was.eta.At("unit").Text())
	after := now.eta.At("value").Number() * rules.UnitSeconds(now.eta.At("unit").Text())
	if after > before+jitter {
		s.Warn("ENR-02", "the eta rose while the vehicle was en route", "at most "+was.eta.Show(), now.eta, was.read, x)
	}
}

// judgeMovement judges how far and how fast the car moved from one read to the next. Speed is not
// judged if an aid advanced the journey. In traffic of other clients it is only a warning, since
// their server may use a faster clock.
func judgeMovement(was, now carShown, x *conformance.Exchange, s *conformance.Findings) {
	moved := rules.Apart(was.at, now.at)
	shown := x.Reply().At("location")
	if x.Intent != rules.IntentMoved && x.Intent != rules.IntentLater && was.read.Epoch == x.Epoch && !was.stale {
		took := x.Ended().Sub(was.read.Started) + time.Second
		switch speed := moved / took.Seconds(); {
		case moved <= hop || speed <= fastest:
			s.Pass("ENR-17", was.read, x)
		case x.Probe == "":
			s.Warn("ENR-17", fmt.Sprintf("the car moved %.0f metres in %s", moved, took.Round(time.Second)), "at most 250 km/h", shown, was.read, x)
		default:
			s.Fail("ENR-17", fmt.Sprintf("the car moved %.0f metres in %s", moved, took.Round(time.Second)), "at most 250 km/h", shown, was.read, x)
		}
	}
	if was.status != now.status && (was.status == taxi.EnRoute || was.status == taxi.POB) {
		s.Want("ENR-15", moved >= rules.Exact || isNear(was.at, x, arrived), shown, "object, not the location at "+string(was.status), was.read, x)
	}
}

// isNear reports whether a car is within a distance, in metres, of the pickup in a reply.
func isNear(car taxi.Point, x *conformance.Exchange, within float64) bool {
	pickup := x.Reply().At("pickup").At("location")
	return rules.IsPoint(pickup) && rules.Apart(car, rules.PointOf(pickup)) <= within
}

// judgeStanding warns if a car that is EN_ROUTE does not move within a minute; it may stand at a
// traffic light. It returns the first reply with the car at its present place.
func judgeStanding(was, now carShown, x *conformance.Exchange, s *conformance.Findings) *conformance.Exchange {
	if rules.Apart(was.at, now.at) >= rules.Exact {
		s.Pass("ENR-32", was.read, x)
		return x
	}
	if isNear(now.at, x, waiting) {
		return was.stoodFrom
	}
	if x.Intent == rules.IntentLater || was.stoodFrom.Epoch == x.Epoch && x.Started.Sub(was.stoodFrom.Ended()) >= standing {
		s.Warn("ENR-32", "the car is EN_ROUTE and has not moved for a minute or more", "object, not the location of a minute before", x.Reply().At("location"), was.stoodFrom, x)
	}
	return was.stoodFrom
}

// judgeArrival judges whether a car that has arrived is at the pickup.
func judgeArrival(x *conformance.Exchange, s *conformance.Findings) {
	at, pickup := x.Reply().At("location"), x.Reply().At("pickup").At("location")
	if !rules.IsPoint(at) || !rules.IsPoint(pickup) {
		return
	}
	away := rules.Apart(rules.PointOf(at), rules.PointOf(pickup))
	if away <= arrived {
		s.Pass("ENR-16", x)
		return
	}
	s.Fail("ENR-16", fmt.Sprintf("the car has arrived %.0f metres from the pickup", away), "at most 500 metres", at, x)
}
