package rules

import (
	"github.com/cabrank/cabrank/conformance"
)

// moneyChecks are about whether a price can be right. The interface defines the members of a
// price but no tariff, so most of them only warn: a flat fare or a new estimate is allowed.
var moneyChecks = []conformance.Check{
	{
		ID: "ENR-21", Level: conformance.Robustness, Tier: TierPrice, Needs: "two /status replies with a price within a second, in one status",
		Requirement: "Two reads within a second show the same price (a difference of more than 1 % is a warning).",
		Why:         "The caller is told two prices in one call.",
		Hint:        "Store the price with the booking; do not estimate it at each read.",
	},
	{
		ID: "ENR-22", Level: conformance.Robustness, Tier: TierPrice, Needs: "a price in a reply of /book and in the /status reply after it",
		Requirement: "/status shows the price of the last /book reply (a difference of more than 1 % is a warning).",
		Why:         "The caller agreed to another price.",
		Hint:        "Answer /book and /status from the same stored price, and look it up by the journeyId.",
	},
	{
		ID: "ENR-23", Level: conformance.Robustness, Tier: TierPrice, Needs: "a price before an edit and after an edit that reverts it",
		Requirement: "An edit that another edit reverts gives the first price (a difference of more than 1 % is a warning).",
		Why:         "A caller who changes their mind twice pays too much, or the firm earns too little.",
		Hint:        "Price an edit by the whole trip, as a new booking; do not fall back to the minimum fare.",
	},
	{
		ID: "ENR-24", Level: conformance.Robustness, Tier: TierPrice, Needs: "the prices of a trip of about 1 km and of one of 10 km",
		Requirement: "A trip of 10 km, booked or edited, costs more than one of 1 km (the same price is a warning: fares may be flat).",
		Why:         "The firm drives ten kilometres for the price of one.",
		Hint:        "Price the trip by the distance from the pickup to the last drop-off, also after an edit.",
	},
	{
		ID: "ENR-25", Level: conformance.Robustness, Tier: TierPrice, Needs: "a price in pounds, euros, dollars or francs on a trip whose length is known",
		Requirement: "price.value is in the main unit of the currency, 12.4 for £12.40, and not negative (an unrealistic price for the distance is a warning).",
		Why:         "The caller is told that the ride costs 702 pounds.",
		Hint:        "Divide pence by a hundred before sending them.",
	},
	{
		ID: "ENR-26", Level: conformance.Robustness, Tier: TierPrice, Needs: "thirty journeys of known length, with prices that differ",
		Requirement: "The price belongs to the journey: longer trips generally cost more (no correlation is a warning).",
		Why:         "The caller is told the price of somebody else's trip.",
		Hint:        "Look up the price by the journeyId in the request.",
	},
}
