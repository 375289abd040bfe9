package fault

import (
	"context"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Supply implements faults of cars and drivers that a booking cannot select.
type Supply interface {
	// DriverDrops makes the driver of a journey give the job back once it has a status:
	// ACCEPTED, EN_ROUTE or ARRIVED.
	DriverDrops(ctx context.Context, id taxi.JourneyID, at taxi.Status) error

	// StaysWaiting keeps a journey WAITING, from when it would reach that status, until
	// it is cancelled or an order moves it.
	StaysWaiting(ctx context.Context, id taxi.JourneyID) error

	// Restart stops and starts dispatch, with its bookings or empty.
	Restart(ctx context.Context, keep bool) error
}

// needsSupply reports whether a fault needs [Supply].
func needsSupply(d Do) bool {
	return befallsAll(d) || d.Kind == "stays-waiting" || d.Kind == "driver-cancels" && d.At != taxi.Accepted
}

// befallsAll reports whether a fault affects all bookings, and not only the request that
// it hits.
func befallsAll(d Do) bool { return d.Kind == "restart" || d.Kind == "restart-empty" }

func supplyFaults() []Fault {
	book := []Op{Book}
	return []Fault{
		{
			Name: "no-cars", Group: Fleet, Ops: book, Done: true, act: behaving("nocar"),
			Unnoticed: "a lack of cars is not an error: the journey is WAITING",
			Does:      "no car is found: CANCELLED with NO_DRIVER after 20 minutes",
		},
		{
			Name: "driver-rejects", Group: Fleet, Ops: book, Done: true, act: behaving("reject"),
			Unnoticed: "this is normal, and no response shows it",
			Does:      "the first driver rejects the job",
		},
		{
			Name: "driver-cancels", Group: Fleet, Ops: book, Done: true,
			Unnoticed: "this is normal: the journey is WAITING again",
			Parameters: []Parameter{{
				Name: "at", Type: "string", Default: taxi.Accepted, OneOf: []any{taxi.Accepted, taxi.EnRoute, taxi.Arrived}, Means: "the status at which it happens",
			}},
			Does: "the first driver cancels, and another one comes",
			act: func(e *exchange) {
				if e.set.options.Supply == nil { // the booking can select it, if not for that exact moment
					behaving("drop")(e)
					return
				}
				e.booked(func(ctx context.Context, id taxi.JourneyID) error {
					return e.set.options.Supply.DriverDrops(ctx, id, e.what.do.At)
				})
			},
		},
		{
			Name: "stays-waiting", Group: Fleet, Ops: book, Done: true,
			Unnoticed: "a journey may be WAITING for a long time",
			Does:      "no car is sent, and the journey stays WAITING until it is cancelled",
			act:       func(e *exchange) { e.booked(e.set.options.Supply.StaysWaiting) },
		},
		{
			Name: "no-show", Group: Fleet, Ops: book, Done: true, act: behaving("noshow"),
			Unnoticed: "that happens: the journey is CANCELLED",
			Does:      "the passenger does not come while the driver waits: CANCELLED with NO_SHOW",
		},
		{
			Name: "wait-exceeded", Group: Fleet, Ops: book, Done: true, act: behaving("noshow"), // a second name: a no-show is the end of the driver's wait
			Unnoticed: "that happens: the journey is CANCELLED",
			Does:      "the same as no-show: the driver waits for the full waiting time and leaves: CANCELLED with NO_SHOW",
		},
		{
			Name: "driver-late", Group: Fleet, Ops: book, Done: true, act: behaving("late"),
			Unnoticed: "this is normal",
			Does:      "the driver sets off 10 minutes late",
		},
		{
			Name: "restart", Group: Fleet, Done: true, act: restarting(true), on: Status,
			Unnoticed: "bookings continue, and no response shows that other drivers took over",
			Does:      "the dispatch system restarts before it responds; bookings are kept",
		},
		{
			Name: "restart-empty", Group: Fleet, Done: true, act: restarting(false), on: Book, NoticedBy: "BOK-04",
			Does: "the dispatch system restarts before it responds; all bookings are lost",
		},
	}
}

// booked makes a booking, and calls do with its journey before the response is sent.
func (e *exchange) booked(do func(context.Context, taxi.JourneyID) error) {
	a := e.ask(e.body)
	id := taxi.JourneyID(text(readTree(a.body)["journeyId"]))
	if !a.ok() || do(context.WithoutCancel(e.r.Context()), id) != nil {
		e.unbroken(a)
		return
	}
	e.send(a)
}

// behaving returns a fault that sets data.simulate.behaviour of a booking.
func behaving(behaviour string) func(*exchange) {
	return func(e *exchange) {
		t := readTree(e.body)
		data, isObject := t["data"].(tree)
		if t == nil || t["data"] != nil && !isObject {
			e.unbroken(e.ask(e.body))
			return
		}
		if data == nil {
			data = tree{}
		}
		data["simulate"] = tree{"behaviour": behaviour}
		t["data"] = data
		a := e.ask(writeTree(t))
		if !a.ok() {
			e.unbroken(a)
			return
		}
		e.send(a)
	}
}

func restarting(keep bool) func(*exchange) {
	return func(e *exchange) {
		if err := e.set.options.Supply.Restart(context.WithoutCancel(e.r.Context()), keep); err != nil {
			e.unbroken(e.ask(e.body))
			return
		}
		e.send(e.ask(e.body))
	}
}
