package rules

import (
	"fmt"
	"net/http"
	"slices"
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

// Limits for the time that a caller waits in silence.
const (
	brisk   = 2 * time.Second
	endless = 5 * time.Second
	prompt  = time.Second            // for /config, which is called before everything else
	noise   = 100 * time.Millisecond // smaller differences are not significant
	fewest  = 10                     // calls of an operation for a verdict on its time
)

// skewed is how far the server's clock may be off.
const skewed = time.Minute

// judgeTimes judges the duration of calls made alone or by other clients.
func judgeTimes(history []*conformance.Exchange, s *conformance.Findings) {
	for _, op := range Operations() {
		calls := slices.DeleteFunc(of(op, history), func(x *conformance.Exchange) bool {
			return !x.Succeeded() || x.Stalled || x.Probe != ProbeTiming && x.Probe != ""
		})
		if len(calls) < fewest {
			continue
		}
		judgeSlowest(op, calls, s)
	}
	judgeWear(history, s)
	judgeBeside(history, s)
}

// judgeSlowest judges the call at the 95th percentile.
func judgeSlowest(op conformance.Operation, calls []*conformance.Exchange, s *conformance.Findings) {
	x := slowest(calls, 95)
	message := fmt.Sprintf("95 of 100 calls of %s took up to %s", op.Path(), x.Took.Round(time.Millisecond))
	switch took := answerTime(x); {
	case x.Took > endless:
		s.Fail("TIM-01", message, "2 seconds, and no more than 5", took, x)
	case x.Took > brisk:
		s.Warn("TIM-01", message, "2 seconds", took, x)
	default:
		s.Pass("TIM-01", x)
	}
	if op == OpConfig {
		s.Want("CFG-10", x.Took <= prompt, answerTime(x), "answered within a second", x)
	}
}

func answerTime(x *conformance.Exchange) jsonvalue.Value {
	return jsonvalue.Verbatim(x.Took.Round(time.Millisecond).String())
}

// slowest returns the call at a percentile of the time taken.
func slowest(calls []*conformance.Exchange, percent int) *conformance.Exchange {
	sorted := slices.SortedFunc(slices.Values(calls), func(a, b *conformance.Exchange) int { return int(a.Took - b.Took) })
	return sorted[(len(sorted)*percent+99)/100-1]
}

// judgeWear judges whether calls take longer after many bookings than at first.
func judgeWear(history []*conformance.Exchange, s *conformance.Findings) {
	var before, after []*conformance.Exchange
	bookings := 0
	for _, x := range history {
		switch {
		case x.Probe == ProbeFirstImpressions && x.Intent == IntentTimed && x.Succeeded() && !x.Stalled:
			before = append(before, x)
		case x.Probe == ProbeTiming && x.Intent == IntentTimed && x.Succeeded() && !x.Stalled:
			after = append(after, x)
		case x.Operation == OpBook && Served(x) && !IsEdit(x) && len(after) == 0:
			bookings++
		}
	}
	if len(before) < fewest || len(after) < fewest {
		return
	}
	if bookings < 100 {
		s.Unverified("TIM-03", conformance.NotSeen, fmt.Sprintf("only %d bookings were made in between", bookings), after[0])
		return
	}
	was, now := slowest(before, 50), slowest(after, 50)
	if now.Took <= 3*was.Took || now.Took-was.Took <= noise {
		s.Pass("TIM-03", was, now)
		return
	}
	message := fmt.Sprintf("after %d bookings a call takes %s, before %s", bookings, now.Took.Round(time.Millisecond), was.Took.Round(time.Millisecond))
	s.Fail("TIM-03", message, "less than three times as long", answerTime(now), was, now)
}

// judgeBeside judges calls made during a slow upload.
func judgeBeside(history []*conformance.Exchange, s *conformance.Findings) {
	for _, x := range history {
		if x.Intent != IntentBeside || x.Stalled {
			continue
		}
		if x.Response != nil {
			s.Pass("TIM-02", x)
			continue
		}
		s.Fail("TIM-02", "a call was not answered while the body of another was arriving", "an answer, about as fast as at other times", conformance.Answer(x), x)
	}
}

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
