package rules

import (
	"regexp"
	"strings"

	"golang.org/x/text/currency"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// enrichmentChecks are about the optional fields of a journey. None of them is
// required; those that are sent must be correct.
var enrichmentChecks = []conformance.Check{
	{
		ID: "ENR-01", Level: conformance.Must, Tier: TierETA, Clause: clauseObjects, Needs: "an eta on a journey",
		Requirement: "ETA: value (number, required), unit (string, e.g. minutes, required).",
		Why:         "Half an ETA cannot be spoken.",
		Hint:        `Send {"value":5,"unit":"minutes"} or no eta at all.`,
	},
	{
		ID: "ENR-02", Level: conformance.Should, Tier: TierETA, Clause: clauseObjects, Needs: "an eta on a journey",
		Requirement: "eta.value is at least 0, and does not rise while the vehicle is en route (rising is a warning).",
		Why:         "Callers do not believe an eta that rises while they wait.",
		Hint:        "Send whole minutes, 0 or more, computed from the car's current location.",
	},
	{
		ID: "ENR-03", Level: conformance.Robustness, Tier: TierETA, Clause: clauseObjects, Needs: "an eta on a journey",
		Requirement: "eta.unit is one that a listener understands: minutes, mins, min, seconds, hours.",
		Why:         `"Five" of what?`,
		Hint:        `Send "minutes".`,
	},
	{
		ID: "ENR-04", Level: conformance.Must, Tier: TierPrice, Clause: clauseObjects, Needs: "a price on a journey",
		Requirement: "Price: value (number, required), currency (string, required).",
		Why:         "A price that cannot be parsed is not read out.",
		Hint:        `Send {"value":12.5,"currency":"GBP"}: a number, not a string.`,
	},
	{
		ID: "ENR-05", Level: conformance.Should, Tier: TierPrice, Clause: clauseObjects, Needs: "a price on a journey",
		Requirement: "currency is a three-letter ISO 4217 code.",
		Why:         `"Twelve what?"`,
		Hint:        `Send "GBP", not "£".`,
	},
	{
		ID: "ENR-06", Level: conformance.Should, Tier: TierPrice, Clause: clauseObjects, Needs: "a price type on a journey",
		Requirement: "type: ESTIMATED, FIXED, MINIMUM, MAXIMUM (ESTIMATE, as a sample spells it, is accepted).",
		Why:         "An estimate read out as a price leads to a dispute.",
		Hint:        "Use the documented spellings.",
	},
	{
		ID: "ENR-07", Level: conformance.Should, Tier: TierPrice, Clause: clauseObjects, Needs: "a FIXED price seen twice on a journey not edited",
		Requirement: "A FIXED price stays as it is unless the journey is edited.",
		Why:         "The caller was promised a price.",
		Hint:        "Store the price with the booking.",
	},
	{
		ID: "ENR-08", Level: conformance.Must, Tier: TierVehicle, Clause: clauseObjects, Needs: "a vehicle on a journey",
		Requirement: "Vehicle: description (string, required), registration (string, required).",
		Why:         "The passenger gets into the wrong car.",
		Hint:        "Send both, or no vehicle.",
	},
	{
		ID: "ENR-09", Level: conformance.Must, Tier: TierDriver, Clause: clauseObjects, Needs: "a driver on a journey",
		Requirement: "Driver: name, phoneNumber, badgeNumber (strings, required).",
		Why:         "Passengers check the badge before they get in.",
		Hint:        "Send all three, or no driver.",
	},
	{
		ID: "ENR-10", Level: conformance.Should, Tier: TierComingNow, Clause: clauseObjects, Needs: "a driver on a journey",
		Requirement: "driver.phoneNumber is a telephone number.",
		Why:         `"Coming Now" has to reach the driver.`,
		Hint:        "Send the number in E.164 form.",
	},
	{
		ID: "ENR-11", Level: conformance.Should, Tier: TierDriver, Clause: clauseService, Needs: "a journey at ACCEPTED or later that shows a driver or a vehicle",
		Requirement: "Driver and vehicle are both present from ACCEPTED on.",
		Why:         "The caller knows that a car is coming, but not which.",
		Hint:        "Send both as soon as a driver has accepted.",
	},
	{
		ID: "ENR-12", Level: conformance.Must, Tier: TierMap, Clause: clauseObjects, Needs: "a location on a journey",
		Requirement: `Point: longitude (number, "x", required), latitude (number, "y", required).`,
		Why:         "The car cannot be shown.",
		Hint:        "Send two numbers in degrees, or no location.",
	},
	{
		ID: "ENR-13", Level: conformance.Robustness, Tier: TierMap, Clause: clauseObjects, Needs: "a location on a journey with a pickup",
		Requirement: "longitude and latitude are not swapped.",
		Why:         "The car is shown in another ocean.",
		Hint:        "longitude is x, latitude is y.",
	},
	{
		ID: "ENR-14", Level: conformance.Robustness, Tier: TierMap, Clause: clauseObjects, Needs: "a location on a journey",
		Requirement: "An unknown location is omitted, not sent as (0,0).",
		Why:         "The car is shown off the coast of Africa.",
		Hint:        "Omit location until there is a position fix.",
	},
	{
		ID: "ENR-15", Level: conformance.Should, Tier: TierMap, Clause: clauseJourney, Needs: "the location of one journey seen at EN_ROUTE or POB and later",
		Requirement: "location: current vehicle location: it moves while the vehicle is under way.",
		Why:         "A car that stands still on the map looks like one that is not coming.",
		Hint:        "Send the last position fix, and omit location when it is old.",
	},
	{
		ID: "ENR-16", Level: conformance.Should, Tier: TierMap, Clause: clauseStatuses, Needs: "a location at ARRIVED on a journey with a pickup",
		Requirement: "ARRIVED: vehicle has arrived: it is within 500 metres of the pickup.",
		Why:         "The passenger goes out into the rain, but the car is streets away.",
		Hint:        "Set ARRIVED from the car's location, not from the time.",
	},
	{
		ID: "ENR-17", Level: conformance.Robustness, Tier: TierMap, Clause: clauseJourney, Needs: "the location of one journey seen twice, not advanced by an aid",
		Requirement: "Between two replies the vehicle moves no faster than 250 km/h.",
		Why:         "A car that jumps about on the map is no help in finding it.",
		Hint:        "Drop impossible position fixes; do not mix up vehicles.",
	},
	{
		ID: "ENR-18", Level: conformance.Should, Tier: TierComingNow, Clause: clauseService, Needs: "a journey at ARRIVED with a driver",
		Requirement: `When a driver has arrived and a driver phone number is present, "Coming Now" is offered.`,
		Why:         "The driver does not learn that the passenger is on the way.",
		Hint:        "Send driver.phoneNumber at ARRIVED.",
	},
	{
		ID: "ENR-19", Level: conformance.Robustness, Tier: TierDriver, Clause: clauseStatuses, Needs: "a journey at HELD or WAITING",
		Requirement: "HELD and WAITING journeys have no driver and no vehicle.",
		Why:         "The caller is told a name, but another driver comes.",
		Hint:        "Clear driver and vehicle when a journey goes back to waiting.",
	},
	{
		ID: "ENR-20", Level: conformance.Robustness, Tier: TierMap, Clause: clauseStatuses, Needs: "a journey that has ended",
		Requirement: "COMPLETE and CANCELLED journeys have no eta and no location.",
		Why:         "The driver's whereabouts are nobody's business after the journey.",
		Hint:        "Omit eta and location from finished journeys.",
	},
	{
		ID: "ENR-32", Level: conformance.Robustness, Tier: TierMap, Clause: clauseJourney, Aid: conformance.AidAdvance,
		Needs:       "the location of one journey at EN_ROUTE, read twice a minute apart, or with the clock advanced in between",
		Requirement: "At EN_ROUTE the location changes within a minute (a car standing away from the pickup is a warning).",
		Why:         "The passenger watches a car that does not move, and rings to ask.",
		Hint:        "Compute the location for each reply from the last position fix, not when the status changes.",
	},
}

// judgeEnrichment judges the optional parts of one journey wherever it is shown.
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

// IsTimeUnit reports a unit of time that UnitSeconds knows.
func IsTimeUnit(unit string) bool { return timeUnit.MatchString(unit) }

func judgeETA(eta jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if !judgeFlaws(s, "ENR-01", flawsOf(eta, etaShape), x) {
		return
	}
	v := eta.At("value")
	s.Want("ENR-02", v.Number() >= 0, v, "number, 0 or more", x)
	unit := eta.At("unit")
	if timeUnit.MatchString(strings.TrimSpace(unit.Text())) {
		s.Pass("ENR-03", x)
	} else {
		s.Warn("ENR-03", unit.Pointer()+" is not a unit that a listener is sure to understand", "minutes", unit, x)
	}
}

// isCurrency reports an ISO 4217 code, in capitals as in the standard.
func isCurrency(code string) bool {
	_, err := currency.ParseISO(code)
	return err == nil && code == strings.ToUpper(code)
}

func judgePrice(price jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	if judgeFlaws(s, "ENR-04", flawsOf(price, priceShape), x) {
		code := price.At("currency")
		s.Want("ENR-05", isCurrency(code.Text()), code, "string, an ISO 4217 code such as GBP", x)
	}
	if t := price.At("type"); t.Given() {
		s.Want("ENR-06", taxi.PriceType(t.Text()).Known(), t, "string, one of ESTIMATED, FIXED, MINIMUM, MAXIMUM", x)
	}
}

func judgeDriver(driver jsonvalue.Value, x *conformance.Exchange, s *conformance.Findings) {
	judgeFlaws(s, "ENR-09", flawsOf(driver, driverShape), x)
	if phone := driver.At("phoneNumber"); phone.HasText() {
		n := len(jsonvalue.Digits(phone.Text()))
		s.Want("ENR-10", n >= 7 && n <= 15 && !strings.ContainsAny(strings.ToLower(phone.Text()), "abcdefghijklmnopqrstuvwxyz"),
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

// judgePresence judges whether the optional parts fit the status.
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
