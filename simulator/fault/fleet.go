package fault

import (
	"context"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
)

// World gives faults of cars and drivers access to the world behind the handler.
type World interface {
	// Visit calls do with the running system, which stays open until do returns.
	Visit(ctx context.Context, do func(*host.Host) error) error

	// Restart stops and starts dispatch, with its bookings or empty.
	Restart(ctx context.Context, keep bool) error
}

func fleetFaults() []Fault {
	book := []Op{Book}
	policy := dispatch.DefaultPolicy()
	return []Fault{
		{
			Name: "no-cars", Group: Fleet, Ops: book,
			Proof: Proof{
				Done:      true,
				Unnoticed: "a lack of cars is not an error: the journey is WAITING",
				Does:      "no car is found: CANCELLED with NO_DRIVER after 20 minutes",
			},
			act: scripted(func(_ Do, ahead time.Duration) []simulator.ScriptStep {
				return []simulator.ScriptStep{{After: simulator.Span(ahead + policy.NoCarTimeout), To: taxi.Cancelled, Event: dispatch.EventNoDriver}}
			}),
		},
		{
			Name: "driver-cancels", Group: Fleet, Ops: book,
			Proof: Proof{Done: true, Unnoticed: "this is normal: the journey is WAITING again", Does: "the first driver cancels, and another one comes"},
			Parameters: []Parameter{{
				Name: "at", Type: "string", Default: taxi.Accepted, OneOf: []any{taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.Waiting},
				Means: "the status at which it happens; WAITING: the driver rejects the job",
			}},
			Examples: []Example{{Do{At: taxi.Waiting}, Proof{
				was: "driver-rejects", Done: true, Unnoticed: "this is normal, and no response shows it",
				Does: "the first driver rejects the job, and the second one accepts it after a minute",
			}}},
			act: scripted(func(d Do, _ time.Duration) []simulator.ScriptStep {
				if d.At == taxi.Waiting {
					return []simulator.ScriptStep{{After: simulator.Span(time.Minute), To: taxi.Accepted}}
				}
				return append(drives(d.At), simulator.ScriptStep{After: simulator.Span(dropsAfter), Drop: true})
			}),
		},
		{
			Name: "stays-waiting", Group: Fleet, Ops: book,
			Proof: Proof{
				Done:      true,
				Unnoticed: "a journey may be WAITING for a long time",
				Does:      "no car is sent, and the journey stays WAITING until it is cancelled",
			},
			act: scripted(func(Do, time.Duration) []simulator.ScriptStep { return []simulator.ScriptStep{{Hold: true}} }),
		},
		{
			Name: "no-show", Group: Fleet, Ops: book, act: scripted(noShow),
			Proof: Proof{
				Done: true, was: "wait-exceeded",
				Unnoticed: "that happens: the journey is CANCELLED",
				Does:      "the passenger does not come while the driver waits: CANCELLED with NO_SHOW",
			},
		},
		{
			Name: "driver-late", Group: Fleet, Ops: book,
			Proof:      Proof{Done: true, Unnoticed: "this is normal", Does: "the driver sets off late"},
			Parameters: []Parameter{number("minutes", 10, 1, 240, "how late")},
			act: scripted(func(d Do, ahead time.Duration) []simulator.ScriptStep {
				steps := drives(taxi.EnRoute)
				steps[1].After += simulator.Span(max(0, ahead-acceptsAfter-arrivesAfter) + time.Duration(d.Minutes)*time.Minute)
				return steps
			}),
		},
		{
			Name: "restart", Group: Fleet, act: restarting,
			Proof: Proof{
				Done: true, on: Status,
				Unnoticed: "bookings continue, and no response shows that other drivers took over",
				Does:      "the dispatch system restarts before it responds; bookings are kept",
			},
			Parameters: []Parameter{formOf("what becomes of the bookings", "kept", "lost")},
			Examples: []Example{{Do{Form: "lost"}, Proof{
				was: "restart-empty", Done: true, on: Book, NoticedBy: "BOK-04", Does: "the dispatch system restarts before it responds; all bookings are lost",
			}}},
		},
	}
}

// Times between the steps of a driver, by the world's clock.
const (
	acceptsAfter = 20 * time.Second
	setsOffAfter = 5 * time.Second
	arrivesAfter = 2 * time.Minute
	dropsAfter   = 10 * time.Second
)

// drives returns the steps of a driver from WAITING up to a status.
func drives(until taxi.Status) (steps []simulator.ScriptStep) {
	for _, step := range []simulator.ScriptStep{
		{After: simulator.Span(acceptsAfter), To: taxi.Accepted},
		{After: simulator.Span(setsOffAfter), To: taxi.EnRoute},
		{After: simulator.Span(arrivesAfter), To: taxi.Arrived},
	} {
		if steps = append(steps, step); step.To == until {
			break
		}
	}
	return steps
}

// noShow returns the steps of a driver who waits for the passenger as long as drivers do, and then leaves.
func noShow(_ Do, ahead time.Duration) []simulator.ScriptStep {
	policy := dispatch.DefaultPolicy()
	wait := policy.WaitASAP
	if ahead > 0 {
		wait = policy.WaitPrebooked + max(0, ahead-acceptsAfter-setsOffAfter-arrivesAfter)
	}
	return append(drives(taxi.Arrived), simulator.ScriptStep{After: simulator.Span(wait), To: taxi.Cancelled, Event: dispatch.EventNoShow, Force: true})
}

// scripted returns a fault that makes a booking, and gives its journey a script before the
// response is sent. The steps begin when the journey is WAITING; the pickup is ahead of
// that.
func scripted(steps func(d Do, ahead time.Duration) []simulator.ScriptStep) func(*exchange) {
	return func(e *exchange) {
		a := e.ask(e.body)
		id := taxi.JourneyID(text(readTree(a.body)["journeyId"]))
		ctx := context.WithoutCancel(e.r.Context())
		script := func(h *host.Host) error {
			j, err := h.Records().Journey(ctx, id)
			if err != nil {
				return err
			}
			ahead := max(0, j.Date.Sub(h.World().Clock().Now()))
			var release []simulator.ScriptStep
			if j.Status == taxi.Held {
				lead := min(ahead, dispatch.DefaultPolicy().LeadTime)
				release, ahead = []simulator.ScriptStep{{After: simulator.Span(ahead - lead), To: taxi.Waiting}}, lead
			}
			_, err = h.World().Script(ctx, simulator.ScriptOrder{Journey: id, Steps: append(release, steps(e.what.do, ahead)...)})
			return err
		}
		if !a.ok() || e.set.options.World.Visit(ctx, script) != nil {
			e.sendUnchanged(a)
			return
		}
		e.send(a)
	}
}

func restarting(e *exchange) {
	if err := e.set.options.World.Restart(context.WithoutCancel(e.r.Context()), e.what.do.Form == "kept"); err != nil {
		e.sendUnchanged(e.ask(e.body))
		return
	}
	e.send(e.ask(e.body))
}
