package rules

import (
	"github.com/cabrank/cabrank/conformance"
)

// etaChecks are about whether an eta can be right. The interface does not say which event it
// counts down to, so they only warn.
var etaChecks = []conformance.Check{
	{
		ID: "ENR-27", Level: conformance.Robustness, Tier: TierETA, Needs: "an eta on a journey with a date",
		Requirement: "An eta is at most the time until the pickup plus two hours; at EN_ROUTE, at most the time for the way at 10 km/h plus half an hour (longer is a warning).",
		Why:         "The caller is told that the taxi comes in five hours and books another one.",
		Hint:        "Send the value in the unit that you name: 300 seconds are 5 minutes.",
	},
	{
		ID: "ENR-28", Level: conformance.Robustness, Tier: TierETA, Needs: "an eta at ARRIVED",
		Requirement: "At ARRIVED the eta is 0 or 1 minute, or absent (more is a warning).",
		Why:         "The passenger stays inside while the car waits at the door.",
		Hint:        "Count down to the pickup, and send 0 or no eta once the car has arrived.",
	},
	{
		ID: "ENR-29", Level: conformance.Robustness, Tier: TierETA, Needs: "the eta of one journey at ACCEPTED, EN_ROUTE and ARRIVED, or of a car that has moved a kilometre",
		Requirement: "The eta changes as the car comes nearer (an eta that does not change is a warning).",
		Why:         "A caller who always hears eight minutes learns nothing.",
		Hint:        "Compute the eta from the car's current location.",
	},
}
