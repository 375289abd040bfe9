package rules

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/currency"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// judgeEnrichment judges eta, price, vehicle, driver and location of a journey in any reply.
func judgeEnrichment(j jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if v := j.At("eta"); v.Given() {
		judgeETA(v, x, s)
	}
	if v := j.At("price"); v.Given() {
		judgePrice(v, x, s)
	}
	if v := j.At("vehicle"); v.Given() {
		judgeFlaws(s, "ENR-08", flawsOf(v, vehicleShape), x)
	}
	if v := j.At("driver"); v.Given() {
		judgeDriver(v, x, s)
	}
	if v := j.At("location"); v.Given() {
		judgeLocation(v, j, x, s)
	}
	judgePresence(j, x, s)
}

var timeUnit = regexp.MustCompile(`^(?i)(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)$`)

// IsTimeUnit reports whether a text is a unit of time that UnitSeconds knows.
func IsTimeUnit(unit string) bool { return timeUnit.MatchString(unit) }

func judgeETA(eta jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if !judgeFlaws(s, "ENR-01", flawsOf(eta, etaShape), x) {
		return
	}
	v := eta.At("value")
	judgeDecimals(v, 2, x, s)
	s.Want("ENR-02", v.Number() >= 0, v, "number, 0 or more", x)
	unit := eta.At("unit")
	if timeUnit.MatchString(strings.TrimSpace(unit.Text())) {
		s.Pass("ENR-03", x)
	} else {
		s.Warn("ENR-03", unit.Pointer()+" is not a unit that a listener is sure to understand", "minutes", unit, x)
	}
}

// isCurrency reports whether a text is an ISO 4217 code, in capitals as in the standard.
func isCurrency(code string) bool {
	_, err := currency.ParseISO(code)
	return err == nil && code == strings.ToUpper(code)
}

// decimalsOf returns how many decimals a price in a currency may have: at least two.
func decimalsOf(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	digits, _ := currency.Standard.Rounding(unit)
	return max(digits, 2) // a server may write 500.00 JPY
}

// judgeDecimals judges whether a number, which callers hear, has at most a certain number of decimals.
func judgeDecimals(v jsonvalue.Value, most int, x *conformance.Exchange, s *conformance.Findings) {
	_, decimals, _ := strings.Cut(v.Scalar(), ".")
	s.Want("ENR-33", len(decimals) <= most, v, fmt.Sprintf("number with at most %d decimals", most), x)
}

func judgePrice(price jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if judgeFlaws(s, "ENR-04", flawsOf(price, priceShape), x) {
		code := price.At("currency")
		judgeDecimals(price.At("value"), decimalsOf(code.Text()), x, s)
		s.Want("ENR-05", isCurrency(code.Text()), code, "string, an ISO 4217 code such as GBP", x)
	}
	if t := price.At("type"); t.Given() {
		s.Want("ENR-06", taxi.PriceType(t.Text()).Known(), t, "string, one of ESTIMATED, FIXED, MINIMUM, MAXIMUM", x)
	}
}

// leastOfNumber is the number of digits from which a text counts as a telephone number.
const leastOfNumber = 7

func judgeDriver(driver jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	judgeFlaws(s, "ENR-09", flawsOf(driver, driverShape), x)
	if name := driver.At("name"); len(jsonvalue.Digits(name.Text())) >= leastOfNumber {
		s.Warn("ENR-09", name.Pointer()+" tells a telephone number: callers hear the name", "string, a name", name, x)
	}
	if phone := driver.At("phoneNumber"); phone.HasText() {
		n := len(jsonvalue.Digits(phone.Text()))
		s.Want("ENR-10", n >= leastOfNumber && n <= 15 && !strings.ContainsAny(strings.ToLower(phone.Text()), "abcdefghijklmnopqrstuvwxyz"),
			phone, "string, a telephone number", x)
	}
}

func judgeLocation(at, j jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if !judgeFlaws(s, "ENR-12", pointFlaws(at), x) {
		return
	}
	here := PointOf(at)
	s.Want("ENR-14", here != taxi.Point{}, at, "object, where the car is", x)
	pickup := j.At("pickup").At("location")
	if len(pointFlaws(pickup)) > 0 {
		return
	}
	const far = 200e3 // metres; no taxi comes from further away
	swapped := taxi.Point{Longitude: here.Latitude, Latitude: here.Longitude}
	there := PointOf(pickup)
	s.Want("ENR-13", Apart(here, there) < far || Apart(swapped, there) > Apart(here, there)/10, at,
		"object with longitude as x and latitude as y", x)
}

// judgePresence judges whether the driver, the vehicle, the eta and the location are there, or absent, as the status requires.
func judgePresence(j jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	driver, vehicle := j.At("driver"), j.At("vehicle")
	switch taxi.Status(j.At("status").Text()) {
	case taxi.Held, taxi.Waiting:
		s.Want("ENR-19", !driver.Given() && !vehicle.Given(), driver, "no driver and no vehicle yet", x)
	case taxi.Arrived:
		if driver.Given() {
			s.Want("ENR-18", driver.At("phoneNumber").HasText(), driver.At("phoneNumber"), "string, not empty", x)
		}
		judgePair(s, driver, vehicle, x)
	case taxi.Accepted, taxi.EnRoute, taxi.POB:
		judgePair(s, driver, vehicle, x)
	case taxi.Complete, taxi.Cancelled:
		s.Want("ENR-20", !j.At("eta").Given() && !j.At("location").Given(), j.At("location"), "no eta and no location any more", x)
	}
}

// judgePair judges whether a server that shows driver or vehicle shows both; showing
// neither is allowed.
func judgePair(s *conformance.Findings, driver, vehicle jsonvalue.Value, x *conformance.Exchange) {
	if driver.Given() != vehicle.Given() {
		missing := driver
		if driver.Given() {
			missing = vehicle
		}
		s.Want("ENR-11", false, missing, "object", x)
	} else if driver.Given() {
		s.Pass("ENR-11", x)
	}
}
