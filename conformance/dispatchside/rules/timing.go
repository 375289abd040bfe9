package rules

import (
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// timingChecks are about response times and clocks.
var timingChecks = []conformance.Check{
	{
		ID: "TIM-01", Level: conformance.Should, Clause: clauseService, Needs: "ten calls of an operation made alone",
		Requirement: "95 of 100 calls of each operation are answered within 2 seconds (more is a warning, more than 5 a failure).",
		Why:         "A caller waits in silence for that time.",
		Hint:        "Answer from your own database; call other systems before or after, not during a call.",
	},
	{
		ID: "TIM-02", Level: conformance.Robustness,
		Requirement: "A body that arrives slowly does not hold up other calls.",
		Why:         "One client on a slow connection would block all others.",
		Hint:        "Read bodies without holding a lock; serve connections concurrently.",
	},
	{
		ID: "TIM-03", Level: conformance.Robustness, Needs: "a hundred bookings between two rounds of timed calls",
		Requirement: "After a hundred bookings a call takes less than three times as long as before.",
		Why:         "A server that gets slower with every booking stops answering in the busiest season.",
		Hint:        "Index journeys by id and by user; do not scan all of them.",
	},
	{
		ID: "TIM-04", Level: conformance.Robustness, Needs: "a Date header in a reply",
		Requirement: "The server's Date is within a minute of ours.",
		Why:         `"In five minutes" is wrong by the error of the clock.`,
		Hint:        "Synchronise the clock with NTP.",
	},
	{
		ID: "TIM-05", Level: conformance.Robustness, Clause: clauseBook, Needs: "a served booking around the next change of the clocks, and a reply with its date",
		Requirement: "Pickups around the change to and from summer time keep their instant.",
		Why:         "Once a year callers miss the first train.",
		Hint:        "Store instants in UTC with their offset, not local times.",
	},
}

// skewed is how far the server's clock may be off.
const skewed = time.Minute

// judgeClock judges the server's clock by the Date of its replies.
func judgeClock(x *conformance.Exchange, s *conformance.Findings) {
	if x.Response == nil {
		return
	}
	date, err := http.ParseTime(x.Response.Header.Get("Date"))
	if err != nil {
		return
	}
	off := max(x.Started.Sub(date), date.Sub(x.Ended()))
	got := jsonvalue.Verbatim("Date: " + x.Response.Header.Get("Date"))
	s.Want("TIM-04", off <= skewed, got, "the time: "+x.Started.UTC().Format(http.TimeFormat), x)
}
