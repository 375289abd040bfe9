package dispatchside

import (
	_ "embed" // costs.txt
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Cost is the approximate load of a run, or a part of it, on a server.
type Cost struct {
	Bookings int // journeys made
	Sent     int // calls of /book, including edits and refused calls
	Calls    int // all calls, without the cancellations at the end
}

// measured holds the cost of each probe, one per line, as measured by a test.
//
//go:embed costs.txt
var measured string

// costs returns the cost of each probe, from costs.txt.
var costs = sync.OnceValue(func() map[conformance.ProbeName]Cost {
	all := map[conformance.ProbeName]Cost{}
	for line := range strings.Lines(measured) {
		var c Cost
		if _, err := fmt.Sscanf(line, "%d %d %d", &c.Bookings, &c.Sent, &c.Calls); err != nil {
			panic("conformance: costs.txt: " + err.Error())
		}
		all[conformance.ProbeName(strings.Join(strings.Fields(line)[3:], " "))] = c
	}
	return all
})

// costOf returns the sum of the costs of probes, without those that lack their aid.
func (t *Target) costOf(probes []*probeRun) (all Cost) {
	for _, p := range probes {
		if p.aid == conformance.AidAdvance && t.Advance == nil || p.aid == conformance.AidRestart && t.Restart == nil || p.aid == conformance.AidClock && t.SetClock == nil {
			continue // blocked before its first call
		}
		all.Bookings += costs()[p.name].Bookings
		all.Sent += costs()[p.name].Sent
		all.Calls += costs()[p.name].Calls
	}
	return all
}

// plan returns the step that announces, before the first booking, how many bookings and calls the run will make.
func (r *run) plan() conformance.Step {
	cost := r.target.costOf(r.probes)
	if r.target.ReadOnly {
		return conformance.Step{Name: conformance.StepPlan, OK: true, Detail: "makes no bookings: it calls only /config, /user and /status"}
	}
	text := fmt.Sprintf("about %s in %d calls", conformance.Count(cost.Bookings, "booking"), cost.Calls)
	if most := r.target.MaxBookings; most > 0 && most < cost.Bookings {
		text = fmt.Sprintf("at most %s, of about %d that all checks need", conformance.Count(most, "booking"), cost.Bookings)
	}
	text += "; every journey is cancelled at the end"
	const soon = 10 * time.Second // shorter times are not shown
	if takes := r.estimate(r.probes); takes >= soon {
		text += fmt.Sprintf("; at %s an answer: about %s", rounded(r.latency), rounded(takes))
		if most := r.target.MaxTime; most > 0 && takes > most {
			text += fmt.Sprintf("; the limit is %s: the least important checks are left out", most)
		}
	}
	return conformance.Step{Name: conformance.StepPlan, OK: true, Detail: text}
}
