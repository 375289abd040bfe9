package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

var menuRows = []row{
	{needing(needsCaller, check("P-40", should, onRequest, service, "A caller with an active booking is offered to hear its status, to cancel it and to change it.", "A caller who asks about their taxi is asked to book another.", "Read activeBookings, and offer the actions for them.")), judgeActive},
	{check("P-41", robust, onRequest, userObject, "activeBookings may be absent, null, empty, or have twenty entries.", "Callers without a booking, or with many, can do nothing.", "Treat absent, null and [] alike; offer the soonest few."), judgeWentOn},
	{needing(needsCaller, check("P-45", must, onRequest, service+": no phone number is ever exposed to the end user or to the driver", "The driver is called with a neutral caller id, never the caller's number.", "The driver has the passenger's number permanently.", "Present a number of the platform on every leg.")), judgeLegs},
	{needing(needsCaller, check("P-46", must, onRequest, service+": each can be switched on or off per customer", "Driver name, badge number, vehicle description and registration are passed on only if they are switched on.", "A customer's setting is ignored.", "Check options before passing anything on.")), judgeDetails},
	{needing(needsCaller, check("P-47", must, onRequest, service, "Coming Now is offered when the driver has arrived, a driver phone number is present and the option is on.", "Driver and passenger wait for each other.", "Offer it at ARRIVED.")), judgeComingNow},
	{needing(needsCaller, check("P-48", must, onRequest, service, "Coming Now is not offered in the seven other statuses.", "A driver who is miles away is told that the passenger comes.", "Offer it at ARRIVED only.")), judgeComingNow},
	{needing(needsCaller, check("P-49", must, onRequest, service, "Coming Now is not offered without a driver or without the driver's phone number.", "The platform cannot reach the driver.", "Check for driver.phoneNumber.")), judgeComingNow},
	{needing(needsCaller, check("P-50", must, onRequest, service, "Coming Now is not offered when it is switched off.", "A customer's setting is ignored.", "Check for comingNow in options.")), judgeComingNow},
	{needing("the legs that the platform places, reported in legs", check("P-51", should, onRequest, ours, "One press of Coming Now calls the driver once, and presses are rate-limited.", "The driver's phone rings all the time.", "Allow one press a minute for each journey.")), judgePresses},
	{needing(needsCaller, check("P-52", should, onRequest, ours, "Coming Now is withdrawn once the passenger is on board, or the journey has ended.", "The driver is called while driving.", "Read the status again before acting.")), judgeWithdrawn},
	{needing("the legs that the platform places, reported in legs", check("P-79", should, onRequest, service, "Coming Now is pressed for one journey: the caller's next journey has its own.", "The second driver waits and is never called.", "Store presses by journeyId.")), judgeNextPress},
	{needing(needsCaller, check("P-53", robust, onRequest, service, "Without a driver's phone number there is no call to the driver.", "The caller is put through to nobody.", "Look for driver.phoneNumber.")), judgeNoPhone},
	{needing("the messaging channel, with what it displayed in shown", check("P-57", must, onRequest, service, "A location message is sent on a messaging channel when a location is present.", "The passenger does not see where the car is.", "Send the point as received: longitude is x, latitude y.")), judgeLocation},
}

func judgeActive(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		if r.answer == nil || r.answer.Offered == nil || r.user() == nil {
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
			return
		}
		j, _ := r.journey()
		early := statusOf(j) == taxi.Waiting || statusOf(j) == taxi.Held
		got := strings.Join(r.answer.Offered, ", ")
		switch lacking := s.lackingOffers(r, j, early); {
		case len(lacking) > 0:
			s.failed(c.ID, r, "with an active booking, not offered: "+strings.Join(lacking, ", "), "the actions for it", got)
		case early && !slices.Contains(r.answer.Offered, "edit") && s.canEdit() && !s.controls[offers("edit")]:
			s.failed(c.ID, r, "an edit works but is never offered", "status, cancel and edit", got)
		case early && !slices.Contains(r.answer.Offered, "edit"):
			s.warned(c.ID, r, "with an active booking, an edit is not offered", "status, cancel and edit", got)
		default:
			s.passed(c.ID, r)
		}
	})
}

// lackingOffers returns the actions, of status and cancel, that the first menu lacks. The status
// may be spoken in place of being offered: the driver, the vehicle or the time of arrival or, for
// an early journey, any sentence.
func (s *sheet) lackingOffers(r *request, j jsonvalue.Value, early bool) []string {
	var lacking []string
	said, _ := r.said()
	told := early && len(r.of(OpStatus)) > 0 && len(said) > 0
	for _, f := range facts {
		told = told || f.told != nil && f.option != optionJobID && f.given(j) && f.told(speechOf(said), j)
	}
	if !slices.Contains(r.answer.Offered, "status") && !told {
		lacking = append(lacking, "status")
	}
	if early && !slices.Contains(r.answer.Offered, "cancel") {
		lacking = append(lacking, "cancel")
	}
	return lacking
}

// canEdit reports whether the platform has sent an edit in any request.
func (s *sheet) canEdit() bool {
	return slices.ContainsFunc(s.requests, func(r *request) bool {
		return r.wants(WantEdit) && slices.ContainsFunc(r.of(OpBook), func(x *conformance.Exchange) bool { return x.Sent().At("journeyId").HasText() })
	})
}

func judgeLegs(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		if r.answer == nil || r.task == nil {
			continue
		}
		for _, leg := range r.answer.Legs {
			shown := jsonvalue.Digits(leg.CallerID)
			switch {
			case leg.To != "driver" && leg.To != "user":
			case leg.To == "driver" && sameNumber(shown, r.task.Caller):
				s.failed(c.ID, r, "the driver is called with the caller's own number", "a number of the platform", "the caller's number")
			case slices.ContainsFunc(r.phonesTold(), func(n string) bool { return leg.To == "user" && sameNumber(shown, n) }):
				s.failed(c.ID, r, "the caller is called with the driver's number", "a number of the platform", "the driver's number")
			case leg.CallerID == "":
				s.unclear(c.ID, r, conformance.NotSeen, "the caller id of the leg")
			case len(r.phonesTold()) > 0:
				s.passed(c.ID, r)
			}
		}
	}
}

// sameNumber reports whether two numbers, given as digits, agree in their last nine digits, so that national and international
// forms match. Shorter numbers must be equal, and numbers of fewer than leastNumber digits never match.
func sameNumber(a, b string) bool {
	const tail = 9
	if len(a) < leastNumber || len(b) < leastNumber {
		return false
	}
	return a[max(0, len(a)-tail):] == b[max(0, len(b)-tail):]
}

// judgeDetails fails requests in which the caller was told details whose options are off. The badge
// number belongs to the option for the driver's name.
func judgeDetails(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		said, known := r.said()
		j, _ := r.journey()
		if r.task == nil || !known || !j.At("driver").IsObject() {
			continue
		}
		sw, speech := r.switches(), speechOf(said)
		if sw.openOptions {
			continue
		}
		var told []string
		shown := false
		for _, f := range facts {
			if f.option != optionVehicle && f.option != optionReg && f.option != optionDriverName {
				continue
			}
			on, _ := sw.option(f.option)
			if is := f.told(speech, j); is && !on {
				told = append(told, f.option)
			}
			shown = shown || !on && s.controls[tells(f.option)]
		}
		if name, _ := sw.option(optionDriverName); !name && speech.spells(j.At("driver").At("badgeNumber").Text()) {
			told = append(told, "badge number")
		}
		switch {
		case len(told) > 0:
			s.failed(c.ID, r, "passed on although switched off: "+strings.Join(told, ", "), "none of it", strings.Join(said, " "))
		case shown:
			s.passed(c.ID, r)
		}
	}
}

// statusChanged reports whether two reads of a request show different statuses of its journey: then
// it is not known in which status the menu was offered.
func (r *request) statusChanged() bool {
	var first *conformance.Exchange
	for _, x := range r.of(OpStatus) {
		switch {
		case !x.Succeeded() || x.Intent == IntentForeign || x.Sent().At("journeyId").Text() != r.task.JourneyID:
		case first == nil:
			first = x
		case statusOf(x.Reply()) != statusOf(first.Reply()):
			return true
		}
	}
	return false
}

// judgeComingNow judges Coming Now in the first menu by the status, the driver's number and the option: P-47 requires the
// offer, P-48 to P-50 forbid it.
func judgeComingNow(s *sheet, c conformance.Check) {
	for _, r := range s.requests {
		is, known := r.offered(optionComingNow)
		j, x := r.journey()
		sw := r.switches()
		on, clear := sw.option(optionComingNow)
		voice, _ := sw.voice()
		if !known || x == nil || !clear || r.task != nil && r.statusChanged() || r.task == nil || !voice && r.task.Channel == ChannelVoice || r.failed != "" {
			continue
		}
		status := statusOf(j)
		phone := len(jsonvalue.Digits(j.At("driver").At("phoneNumber").Text())) >= leastNumber
		applies := map[string]bool{
			"P-47": status == taxi.Arrived && phone && on, "P-48": status.Known() && status != taxi.Arrived,
			"P-49": status == taxi.Arrived && !phone, "P-50": status == taxi.Arrived && phone && !on,
		}[c.ID]
		if !applies || len(r.task.JourneyID) == 0 {
			continue
		}
		s.wantOffer(c, r, is, c.ID == "P-47", fmt.Sprintf("at %s, %s, option %s", status, withPhone(phone), onOff(on)))
	}
}

// wantOffer requires Coming Now to be offered, or not to be offered. A pass for the latter
// needs the control that it is offered elsewhere.
func (s *sheet) wantOffer(c conformance.Check, r *request, is, should bool, where string) {
	switch {
	case is && !should:
		s.failed(c.ID, r, "Coming Now was offered "+where, "no offer", strings.Join(r.answer.Offered, ", "))
	case !is && should:
		s.failed(c.ID, r, "Coming Now was not offered "+where, "comingNow in offered", strings.Join(r.answer.Offered, ", "))
	case is || s.controls[tells(optionComingNow)]:
		s.passed(c.ID, r)
	}
}

func withPhone(has bool) string {
	if has {
		return "with the driver's number"
	}
	return "without a driver's number"
}

// legsToDriver counts the legs to the driver; known is false if legs were not reported.
func (r *request) legsToDriver() (n int, known bool) {
	if r.answer == nil || r.answer.Legs == nil {
		return 0, false
	}
	for _, leg := range r.answer.Legs {
		if leg.To == "driver" {
			n++
		}
	}
	return n, true
}

func judgePresses(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		n, known := r.legsToDriver()
		presses := max(r.task.Times, 1)
		took := r.ended.Sub(r.begun())
		_, x := r.journey()
		switch {
		case !known || x == nil:
			s.unclear(c.ID, r, conformance.NotSeen, "the legs that the platform placed")
		case n == 0:
			s.unclear(c.ID, r, conformance.NotSeen, "a leg to the driver: how else the driver is told is open (A14)")
		case n > 1 && took < time.Minute:
			s.failed(c.ID, r, fmt.Sprintf("%d presses within a minute called the driver %d times", presses, n), "once", fmt.Sprintf("%d legs to the driver", n))
		default:
			s.passed(c.ID, r)
		}
	})
}

// judgeNextPress judges whether Coming Now calls the driver of the caller's next journey, too, after it was pressed for one
// journey.
func judgeNextPress(s *sheet, c conformance.Check) {
	first := map[string]int{} // legs to the driver, by caller
	s.each(c.ID, func(r *request) {
		n, known := r.legsToDriver()
		before, later := first[r.task.Caller]
		switch {
		case !known || r.goal() == nil:
			s.unclear(c.ID, r, conformance.NotSeen, "a fresh /status, and the legs that the platform placed")
		case !later:
			first[r.task.Caller] = n
		case before == 0:
			s.unclear(c.ID, r, conformance.NotSeen, "a leg to the driver: how else the driver is told is open (A14)")
		case n == 0:
			s.failed(c.ID, r, "Coming Now for the caller's next journey called no driver", "one leg to the driver", "none, but one for the journey before")
		default:
			s.passed(c.ID, r)
		}
	})
}

// begun returns when the first call of a request started or, if there was none, when the request ended.
func (r *request) begun() time.Time {
	if len(r.calls) == 0 {
		return r.ended
	}
	return r.calls[0].Started
}

func judgeWithdrawn(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		n, known := r.legsToDriver()
		is, offered := r.offered(optionComingNow)
		_, x := r.journey()
		switch {
		case x == nil || !known && !offered:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case n > 0:
			s.failed(c.ID, r, "the driver was called after the passenger was on board or the journey had ended", "no leg to the driver", fmt.Sprintf("%d legs", n))
		case is:
			s.failed(c.ID, r, "Coming Now is still offered: "+r.scene(), "no offer", strings.Join(r.answer.Offered, ", "))
		case s.controls[tells(optionComingNow)]:
			s.passed(c.ID, r)
		}
	})
}

func judgeNoPhone(s *sheet, c conformance.Check) {
	s.each(c.ID, func(r *request) {
		n, known := r.legsToDriver()
		is, offered := r.offered(optionCallDriver)
		_, x := r.journey()
		switch {
		case x == nil || !known && !offered:
			s.unclear(c.ID, r, conformance.NotSeen, needsCaller)
		case n > 0 || is:
			s.failed(c.ID, r, "a call to the driver was offered or placed without a number", "neither", fmt.Sprintf("offered: %s; legs to the driver: %d", strings.Join(r.answer.Offered, ", "), n))
		case s.controls[tells(optionCallDriver)]:
			s.passed(c.ID, r)
		default:
			s.unclear(c.ID, r, conformance.NotSeen, "the call to the driver where there is a number")
		}
	})
}

func judgeLocation(s *sheet, c conformance.Check) {
	const near = 0.0005 // degrees, about 50 m
	s.each(c.ID, func(r *request) {
		j, x := r.journey()
		if x == nil || r.answer == nil || r.answer.Shown == nil {
			s.unclear(c.ID, r, conformance.NotSeen, "what the messaging channel displayed")
			return
		}
		lon, lat := j.At("location").At("longitude"), j.At("location").At("latitude")
		got := "no location message"
		for _, m := range r.answer.Shown {
			if m.Kind != "location" || m.Longitude == nil || m.Latitude == nil {
				continue
			}
			if got = fmt.Sprintf("%g, %g", *m.Longitude, *m.Latitude); within(*m.Longitude, lon, near) && within(*m.Latitude, lat, near) {
				s.passed(c.ID, r)
				return
			}
		}
		s.failed(c.ID, r, "the received location was not displayed", fmt.Sprintf("longitude %s, latitude %s", lon.Scalar(), lat.Scalar()), got)
	})
}

func within(got float64, told jsonvalue.Value, near float64) bool {
	d := got - told.Number()
	return d < near && d > -near
}
