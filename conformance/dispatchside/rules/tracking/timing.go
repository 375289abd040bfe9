package tracking

import (
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Limits for the time that a caller waits in silence.
const (
	brisk   = 2 * time.Second
	endless = 5 * time.Second
	prompt  = time.Second            // for /config, which is called before everything else
	noise   = 100 * time.Millisecond // smaller differences are not significant
	fewest  = 10                     // calls of an operation for a verdict on its time
)

// judgeTimes judges the response times of calls that were made alone or by other clients; without enough of them, those of
// other calls.
func judgeTimes(history []*conformance.Exchange, s *conformance.Findings) {
	for _, op := range rules.Operations() {
		calls := slices.DeleteFunc(of(op, history), func(x *conformance.Exchange) bool {
			return !x.Succeeded() || op == rules.OpConfig && !rules.Served(x) || x.Stalled || x.Probe != rules.ProbeTiming && x.Probe != rules.ProbeConfigRepeated && x.Probe != ""
		})
		if len(calls) < fewest {
			judgeAmongOthers(op, history, s)
			continue
		}
		judgeSlowest(op, calls, s)
	}
	judgeWear(history, s)
	judgeBeside(history, s)
}

// judgeAmongOthers judges the ordinary calls of an operation if too few were made alone. Calls that ran beside
// others may be late for that reason, so only half of them being slow is a fault.
func judgeAmongOthers(op conformance.Operation, history []*conformance.Exchange, s *conformance.Findings) {
	calls := slices.DeleteFunc(of(op, history), func(x *conformance.Exchange) bool {
		return !x.Succeeded() || x.Stalled || x.Probe == "" || x.Intent != conformance.IntentPlain
	})
	if len(calls) < fewest {
		return
	}
	half, most := atPercentile(calls, 50), atPercentile(calls, 95)
	judge := func(check string, limit time.Duration, file func(id, message, expected string, v jsonvalue.Value, xs ...*conformance.Exchange), expected string) bool {
		switch {
		case half.Took > limit:
			file(check, fmt.Sprintf("half of the %d calls of %s took %s or more", len(calls), op.Path(), half.Took.Round(time.Millisecond)), expected, answerTime(half), half)
		case most.Took > limit:
			s.Unverified(check, conformance.OutOfTime, "calls beside others took up to "+most.Took.Round(time.Millisecond).String()+", and there was no time to measure them alone", most)
		default:
			return true
		}
		return false
	}
	if half.Took > endless {
		judge("TIM-01", endless, s.Fail, "2 seconds, and no more than 5")
	} else if judge("TIM-01", brisk, s.Warn, "2 seconds") {
		s.Pass("TIM-01", most)
	}
	if op == rules.OpConfig && judge("CFG-10", prompt, s.Fail, "answered within a second") {
		s.Pass("CFG-10", most)
	}
}

// judgeSlowest judges the response time at the 95th percentile of the calls.
func judgeSlowest(op conformance.Operation, calls []*conformance.Exchange, s *conformance.Findings) {
	x := atPercentile(calls, 95)
	message := fmt.Sprintf("95 of 100 calls of %s took up to %s", op.Path(), x.Took.Round(time.Millisecond))
	switch took := answerTime(x); {
	case x.Took > endless:
		s.Fail("TIM-01", message, "2 seconds, and no more than 5", took, x)
	case x.Took > brisk:
		s.Warn("TIM-01", message, "2 seconds", took, x)
	default:
		s.Pass("TIM-01", x)
	}
	if op == rules.OpConfig {
		s.Want("CFG-10", x.Took <= prompt, answerTime(x), "answered within a second", x)
	}
}

func answerTime(x *conformance.Exchange) jsonvalue.Value {
	return jsonvalue.Verbatim(x.Took.Round(time.Millisecond).String())
}

// atPercentile returns the call whose response time is at the given percentile (nearest rank). calls must not be empty.
func atPercentile(calls []*conformance.Exchange, percent int) *conformance.Exchange {
	sorted := slices.SortedFunc(slices.Values(calls), func(a, b *conformance.Exchange) int { return int(a.Took - b.Took) })
	return sorted[(len(sorted)*percent+99)/100-1]
}

// judgeWear judges whether calls take longer after many bookings than at first.
func judgeWear(history []*conformance.Exchange, s *conformance.Findings) {
	var before, after []*conformance.Exchange
	bookings := 0
	for _, x := range history {
		switch {
		case x.Probe == rules.ProbeFirstImpressions && x.Intent == rules.IntentTimed && x.Succeeded() && !x.Stalled:
			before = append(before, x)
		case x.Probe == rules.ProbeTiming && x.Intent == rules.IntentTimed && x.Succeeded() && !x.Stalled:
			after = append(after, x)
		case x.Operation == rules.OpBook && rules.Served(x) && !rules.IsEdit(x) && len(after) == 0:
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
	was, now := atPercentile(before, 50), atPercentile(after, 50)
	if now.Took <= 3*was.Took || now.Took-was.Took <= noise {
		s.Pass("TIM-03", was, now)
		return
	}
	message := fmt.Sprintf("after %d bookings a call takes %s, before %s", bookings, now.Took.Round(time.Millisecond), was.Took.Round(time.Millisecond))
	s.Fail("TIM-03", message, "less than three times as long", answerTime(now), was, now)
}

// judgeBeside judges whether calls were answered during a slow upload.
func judgeBeside(history []*conformance.Exchange, s *conformance.Findings) {
	for _, x := range history {
		if x.Intent != rules.IntentBeside || x.Stalled {
			continue
		}
		if x.Response != nil {
			s.Pass("TIM-02", x)
			continue
		}
		s.Fail("TIM-02", "a call was not answered while the body of another was arriving", "an answer, about as fast as at other times", conformance.Answer(x), x)
	}
}
