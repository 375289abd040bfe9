package rules

import "github.com/cabrank/cabrank/conformance"

// timingChecks are about how long answers take, and about clocks.
var timingChecks = []conformance.Check{
	{
		ID: "TIM-01", Level: conformance.Should, Clause: clauseService, Needs: "ten calls of an operation made alone",
		Requirement: "95 of 100 calls of each operation are answered within 2 seconds (more is a warning, more than 5 a failure).",
		Why:         "A caller waits in silence for every second of it.",
		Hint:        "Answer from your own database; talk to other systems before or after, not meanwhile.",
	},
	{
		ID: "TIM-02", Level: conformance.Robustness,
		Requirement: "A body that arrives slowly does not hold up other calls.",
		Why:         "One caller on a bad line would silence all the others.",
		Hint:        "Read bodies without holding a lock; serve connections side by side.",
	},
	{
		ID: "TIM-03", Level: conformance.Robustness, Needs: "a hundred bookings between two rounds of timed calls",
		Requirement: "After a hundred bookings a call takes less than three times as long as at first.",
		Why:         "A line that gets slower with every booking is silent by Christmas.",
		Hint:        "Index journeys by id and by user; do not search through all of them.",
	},
	{
		ID: "TIM-04", Level: conformance.Robustness, Needs: "a Date header in a reply",
		Requirement: "The server's Date is within a minute of ours.",
		Why:         `"In five minutes" is wrong by as much as the clock is.`,
		Hint:        "Keep the clock with NTP.",
	},
	{
		ID: "TIM-05", Level: conformance.Robustness, Clause: clauseBook, Needs: "a served booking around the next change of the clocks whose date is shown",
		Requirement: "Pickups around the change to and from summer time keep their instant.",
		Why:         "Once a year the first train leaves without them.",
		Hint:        "Store instants in UTC with their offset, not a local time.",
	},
}
