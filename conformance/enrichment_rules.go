package conformance

import (
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeEnrichment judges the optional parts of one journey wherever it is shown.
func judgeEnrichment(j value, x *Exchange, s *findings) {
	if v := j.at("eta"); v.given() {
		judgeETA(v, x, s)
	}
	if v := j.at("price"); v.given() {
		judgePrice(v, x, s)
	}
	if v := j.at("vehicle"); v.given() {
		judgeFlaws(s, "ENR-08", flawsOf(v, vehicleShape), x)
	}
	if v := j.at("driver"); v.given() {
		judgeDriver(v, x, s)
	}
	if v := j.at("location"); v.given() {
		judgeLocation(v, j, x, s)
	}
	judgePresence(j, x, s)
}

var timeUnit = regexp.MustCompile(`^(?i)(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)$`)

func judgeETA(eta value, x *Exchange, s *findings) {
	if !judgeFlaws(s, "ENR-01", flawsOf(eta, etaShape), x) {
		return
	}
	v := eta.at("value")
	s.want("ENR-02", v.number() >= 0, v, "number, 0 or more", x)
	unit := eta.at("unit")
	if timeUnit.MatchString(strings.TrimSpace(unit.text())) {
		s.pass("ENR-03", x)
	} else {
		s.warn("ENR-03", unit.pointer()+" is not a unit that a listener is sure to understand", "minutes", unit, x)
	}
}

var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

func judgePrice(price value, x *Exchange, s *findings) {
	if judgeFlaws(s, "ENR-04", flawsOf(price, priceShape), x) {
		currency := price.at("currency")
		s.want("ENR-05", currencyCode.MatchString(currency.text()), currency, "string, an ISO 4217 code such as GBP", x)
	}
	if t := price.at("type"); t.given() {
		s.want("ENR-06", taxi.PriceType(t.text()).Known(), t, "string, one of ESTIMATED, FIXED, MINIMUM, MAXIMUM", x)
	}
}

func judgeDriver(driver value, x *Exchange, s *findings) {
	judgeFlaws(s, "ENR-09", flawsOf(driver, driverShape), x)
	if phone := driver.at("phoneNumber"); phone.hasText() {
		n := len(digits(phone.text()))
		s.want("ENR-10", n >= 7 && n <= 15 && !strings.ContainsAny(strings.ToLower(phone.text()), "abcdefghijklmnopqrstuvwxyz"),
			phone, "string, a telephone number", x)
	}
}

func judgeLocation(at, j value, x *Exchange, s *findings) {
	if !judgeFlaws(s, "ENR-12", pointFlaws(at), x) {
		return
	}
	here := pointOf(at)
	s.want("ENR-14", here != taxi.Point{}, at, "object, where the car is", x)
	pickup := j.at("pickup").at("location")
	if len(pointFlaws(pickup)) > 0 {
		return
	}
	const far = 200e3 // metres; no taxi comes from further away
	swapped := taxi.Point{Longitude: here.Latitude, Latitude: here.Longitude}
	there := pointOf(pickup)
	s.want("ENR-13", metres(here, there) < far || metres(swapped, there) > metres(here, there)/10, at,
		"object with longitude as x and latitude as y", x)
}

// judgePresence judges which optional parts belong to which status.
func judgePresence(j value, x *Exchange, s *findings) {
	driver, vehicle := j.at("driver"), j.at("vehicle")
	switch taxi.Status(j.at("status").text()) {
	case taxi.Held, taxi.Waiting:
		s.want("ENR-19", !driver.given() && !vehicle.given(), driver, "no driver and no vehicle yet", x)
	case taxi.Arrived:
		if driver.given() {
			s.want("ENR-18", driver.at("phoneNumber").hasText(), driver.at("phoneNumber"), "string, not empty", x)
		}
		judgePair(s, driver, vehicle, x)
	case taxi.Accepted, taxi.EnRoute, taxi.POB:
		judgePair(s, driver, vehicle, x)
	case taxi.Complete, taxi.Cancelled:
		s.want("ENR-20", !j.at("eta").given() && !j.at("location").given(), j.at("location"), "no eta and no location any more", x)
	}
}

// judgePair holds a server that shows one of driver and vehicle to showing both;
// one that shows neither offers less, which it may.
func judgePair(s *findings, driver, vehicle value, x *Exchange) {
	if driver.given() != vehicle.given() {
		missing := driver
		if driver.given() {
			missing = vehicle
		}
		s.want("ENR-11", false, missing, "object", x)
	} else if driver.given() {
		s.pass("ENR-11", x)
	}
}
