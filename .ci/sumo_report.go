//go:build ignore

package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

const explanation = `
On one core each: of cabrank the median of %d runs, of SUMO the best of %d, and in brackets the slowest and the
fastest. Router: how much of the day went into finding ways. Start: growing or reading the town and preparing
the router, not part of the day. Processor and memory: of the whole process, the start too. Wait: of those who
want a car at once, until it is there; ride: from kerb to kerb. A run of SUMO that takes too long is stopped.

SUMO's settings: greedy dispatch every 10 s (cabrank's drivers answer within 2 to 8 s and set off 5 s later),
idle cars stand where they are, %.0f s to get in, steps of 1 s, a contraction hierarchy, ways that do not
follow the traffic, no lanes inside junctions, no output but the rides. Its dispatcher asks for a way from
every idle car to every passenger, %.0f for a ride, where cabrank asks for those from the eight cars that are
nearest as the crow flies: one that knew better could be put beside it (TraCI), and the day less the router
is what would be left.

What SUMO models and cabrank does not: cars that accelerate, brake and follow one another; giving way at
junctions to who is there (cabrank's cars lose 2 to 6 s whoever comes, so that its rides take longer); queues
and congestion; and, not used here, lights, lanes to change, ways around the traffic, other vehicles, people
on foot, shared rides, emissions. Its mesoscopic mode moves queues of cars where the other moves each car.

What cabrank models and SUMO %s by itself does not: offers to drivers, who may refuse, stay silent or give
the job back; the kind of vehicle asked for; bookings made ahead (SUMO's come up at the pickup time); edits
and cancellations; passengers who are late or do not come; ranks to return to; breaks and breakdowns;
addresses; fares; users; and the service that takes the bookings and stores every change, in this day too.
`

// report prints the figures in Markdown, and fails when the day was not the same for
// all.
func report(own *contender, sumo []*contender, journeys []journey) error {
	fmt.Println("| | day, wall s | of it router s | virtual s per wall s | cabrank is | start s | processor s | memory MB | completed | wait min | ride min | ride km |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	slices.SortFunc(own.runs, faster)
	reference := own.runs[len(own.runs)/2]
	own.print(reference, reference, journeys)
	var wrong []error
	var last run
	for _, c := range sumo {
		if c.err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", c.name, c.err))
			continue
		}
		slices.SortFunc(c.runs, faster)
		last = c.runs[0]
		c.print(last, reference, journeys)
		wrong = append(wrong, c.differs(last, reference, journeys))
	}
	fmt.Printf(explanation, len(own.runs), rounds, boarding.Seconds(), last.figure(asked)/float64(len(last.rides)), last.word(version))
	return errors.Join(wrong...)
}

func faster(a, b run) int { return cmp.Compare(b.rate(), a.rate()) }

func (c *contender) print(r, reference run, journeys []journey) {
	name, router := c.name, "–"
	if r.reached < day.Seconds() {
		name = fmt.Sprintf("%s, stopped after %.1f h", name, r.reached/3600)
	}
	if r.figure(routing) > 0 {
		router = fmt.Sprintf("%.3g", r.figure(routing))
	}
	seen := r.rides.mean(journeys)
	fmt.Printf("| %s | %.3g | %s | %.0f (%.0f to %.0f) | %.0f × | %.1f | %.3g | %.0f | %d | %.2f | %.2f | %.2f |\n",
		name, r.day, router, r.rate(), c.runs[len(c.runs)-1].rate(), c.runs[0].rate(), reference.rate()/r.rate(),
		r.start, r.processor, r.memory, len(r.rides), seen.wait/60, seen.seconds/60, seen.metres/1000)
}

// mean is over all rides, and the wait over those that were asked for at once.
func (all rides) mean(journeys []journey) ride {
	var sum ride
	now := 0
	for _, j := range journeys {
		r, over := all[j.id]
		if over && j.now {
			sum.wait += r.wait
			now++
		}
		sum.seconds += r.seconds
		sum.metres += r.metres
	}
	n := float64(len(all))
	return ride{sum.wait / float64(now), sum.seconds / n, sum.metres / n}
}

// differs is an error when a whole day brought other rides about than cabrank's.
func (c *contender) differs(r, reference run, journeys []journey) error {
	apart := func(a, b float64) bool { return math.Abs(a/b-1) > 0.02 }
	if r.reached < day.Seconds() {
		return nil
	}
	if apart(float64(len(r.rides)), float64(len(reference.rides))) || apart(r.rides.mean(journeys).metres, reference.rides.mean(journeys).metres) {
		return fmt.Errorf("%s: its rides are not cabrank's, in number or in length", c.name)
	}
	return nil
}
