package tracking

import (
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// A server that answers one call at a time passes every check of concurrent calls without
// having any. It is recognised by the time that concurrent calls take.

// Limits for the verdict on whether calls are answered one at a time.
const (
	tellable  = 2 * time.Millisecond // quicker calls cannot be distinguished from the client's own work
	inTurn    = 0.8                  // fraction of the total time of the calls in sequence
	fewRounds = 2
)

// shownAtOnce are the ids of the checks about concurrent calls.
var shownAtOnce = []string{"CON-01", "CON-02", "CON-03", "CON-04", "CON-05", "CON-06"}

// judgeInTurn records whether the server answers one call at a time, by comparing concurrent calls with calls made alone.
func (r *tracker) judgeInTurn(history []*conformance.Exchange) {
	alone := time.Duration(0)
	var together []*conformance.Exchange
	for _, x := range history {
		if x.Probe != rules.ProbeTiming || x.Operation != rules.OpUser || !x.Succeeded() || x.Stalled {
			continue
		}
		switch x.Intent {
		case rules.IntentTimed:
			if alone == 0 || x.Took < alone {
				alone = x.Took
			}
		case rules.IntentTogether:
			together = append(together, x)
		}
	}
	if alone == 0 || len(together) == 0 {
		return
	}
	last := together[len(together)-1]
	if alone < tellable {
		r.Observe("CON-07", fmt.Sprintf("an answer takes %s: too little to measure whether calls are answered one at a time", alone.Round(10*time.Microsecond)), last)
		return
	}
	rounds := overlapping(together)
	if len(rounds) < fewRounds {
		return
	}
	for _, round := range rounds {
		if took := spanOf(round); took < time.Duration(inTurn*float64(alone)*float64(len(round))) {
			r.Observe("CON-07", fmt.Sprintf("calls are answered concurrently: %d at once took %s, one takes %s", len(round), rough(took), rough(alone)), last)
			return
		}
	}
	round := rounds[len(rounds)-1]
	r.Observe("CON-07", fmt.Sprintf("calls are answered one at a time: %d at once took %s, one takes %s; concurrency is not tested", len(round), rough(spanOf(round)), rough(alone)), last)
	r.inTurn = last
}

func rough(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// overlapping returns groups of at least three calls that all ran at one moment.
func overlapping(calls []*conformance.Exchange) (rounds [][]*conformance.Exchange) {
	slices.SortStableFunc(calls, func(a, b *conformance.Exchange) int { return a.Started.Compare(b.Started) })
	for len(calls) > 0 {
		n, ends := 1, calls[0].Ended()
		for n < len(calls) && calls[n].Started.Before(ends) {
			if e := calls[n].Ended(); e.Before(ends) {
				ends = e
			}
			n++
		}
		if n > 2 {
			rounds = append(rounds, calls[:n])
		}
		calls = calls[n:]
	}
	return rounds
}

// spanOf returns the time from the beginning of the first call to the end of the last.
func spanOf(calls []*conformance.Exchange) time.Duration {
	first, last := calls[0].Started, calls[0].Ended()
	for _, x := range calls {
		if x.Ended().After(last) {
			last = x.Ended()
		}
	}
	return last.Sub(first)
}

// withoutInTurn returns the findings; if the server answers one call at a time, the passes of
// checks of concurrent calls become not verified.
func (r *tracker) withoutInTurn(all []conformance.FiledFinding) []conformance.FiledFinding {
	if r.inTurn == nil {
		return all
	}
	for i := range all {
		if f := &all[i]; f.Outcome == conformance.Pass && slices.Contains(shownAtOnce, f.Check) {
			why := conformance.Because(conformance.NotApplicable, "the server answers one call at a time (CON-07): start it with several workers")
			f.Outcome, f.Message, f.Reason = conformance.NotVerified, why.String(), &why
		}
	}
	return all
}
