package dispatchside

import (
	_ "embed" // costs.txt
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Cost is about how much a run, or a part of it, asks of a server.
type Cost struct {
	Bookings int // journeys made
	Sent     int // calls of /book: those that edit, and those that are refused, too
	Calls    int // calls of every kind, without those that cancel at the end
}

// measured holds the cost of each probe, a line each, as a test finds it out.
//
//go:embed costs.txt
var measured string

// costs are those of each probe.
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

// costOf adds up what some probes cost.
func (t *Target) costOf(probes []*probeRun) (all Cost) {
	for _, p := range probes {
		if p.aid == conformance.AidAdvance && t.Advance == nil || p.aid == conformance.AidRestart && t.Restart == nil || p.aid == conformance.AidClock && t.SetClock == nil {
			continue // it ends before it begins
		}
		all.Bookings += costs()[p.name].Bookings
		all.Sent += costs()[p.name].Sent
		all.Calls += costs()[p.name].Calls
	}
	return all
}

// plan says before the first booking what is going to be asked of the server.
func (r *run) plan() conformance.Step {
	cost := r.target.costOf(r.probes)
	if r.target.ReadOnly {
		return conformance.Step{Name: conformance.StepPlan, OK: true, Detail: "books nothing: it calls /config, /user and /status only"}
	}
	text := fmt.Sprintf("about %s in %d calls", conformance.Count(cost.Bookings, "booking"), cost.Calls)
	if most := r.target.MaxBookings; most > 0 && most < cost.Bookings {
		text = fmt.Sprintf("at most %s, of about %d that all checks need", conformance.Count(most, "booking"), cost.Bookings)
	}
	text += "; every journey is cancelled at the end"
	const soon = 10 * time.Second // less is not worth saying
	if takes := r.estimate(); takes >= soon {
		text += fmt.Sprintf("; at %s an answer: about %s", rounded(r.latency), rounded(takes))
		if most := r.target.MaxTime; most > 0 && takes > most {
			text += fmt.Sprintf(", of which it may take %s: what weighs least is left out", most)
		}
	}
	return conformance.Step{Name: conformance.StepPlan, OK: true, Detail: text}
}
