package rules

import (
	"github.com/cabrank/cabrank/conformance"
)

// peopleChecks are about the driver.
var peopleChecks = []conformance.Check{
	{
		ID: "ENR-30", Level: conformance.Robustness, Tier: TierComingNow, Needs: "the numbers of a driver and of the passenger booked",
		Requirement: "driver.phoneNumber is not the passenger's own number.",
		Why:         `"Coming Now" rings the passenger.`,
		Hint:        "Send the driver's number, or the one on which your office reaches the driver.",
	},
	{
		ID: "ENR-31", Level: conformance.Robustness, Tier: TierDriver, Needs: "two /status replies with a driver or a vehicle within a second, in one status",
		Requirement: "Two reads within a second, in one status, show the same driver and vehicle (a change is a warning; a change at each of three or more reads is a failure).",
		Why:         "The passenger looks for a car that does not come.",
		Hint:        "Store the driver with the journey when they accept it.",
	},
}
