package simulator

import (
	"cmp"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/store"
)

// standingOrders is the JSON of the orders for later. What time alone changes in the world
// does not change it: a duration that grows during a hold is relative to the hold.
type standingOrders struct {
	Journeys []keptJob         `json:"journeys,omitempty"`
	Scripts  []NextScriptOrder `json:"scripts,omitempty"`
	Cars     []keptCar         `json:"cars,omitempty"`
}

// keptJob is what orders have changed about a journey.
type keptJob struct {
	Journey  taxi.JourneyID `json:"journey"`
	Revision int32          `json:"revision"` // of the journey when this was stored
	Stopped  string         `json:"scriptStopped,omitempty"`
	Aside    *keptAside     `json:"aside,omitempty"`
	Drive    *keptDrive     `json:"drive,omitempty"` // nil: the journey's own
}

// keptAside is the stored form of an [aside]. Durations count from [aside].since.
type keptAside struct {
	Held    bool         `json:"held,omitempty"`
	Lapses  bool         `json:"lapses,omitempty"`
	Script  []ScriptStep `json:"script,omitempty"`
	Next    time.Time    `json:"next,omitzero"`   // when the next step is due; held: see NextIn
	NextIn  Span         `json:"nextIn,omitzero"` // the same, as a duration
	Due     Span         `json:"due,omitzero"`
	SetOff  Span         `json:"setOff,omitzero"`
	Tries   uint32       `json:"tries,omitempty"`
	Decided bool         `json:"decided,omitempty"`
	NoShow  bool         `json:"noShow,omitempty"`
	Parked  []keptEvent  `json:"parked,omitempty"` // in the order in which they will happen, without the script's
}

// keptEvent is an event that waits.
type keptEvent struct {
	Kind string `json:"kind"`
	In   Span   `json:"in"`
	Born bool   `json:"born,omitempty"` // valid until the journey ends
}

// keptDrive is a drive of a journey's car that differs from the stored one.
type keptDrive struct {
	From    taxi.Point   `json:"from"`
	To      taxi.Point   `json:"to"`
	Departs time.Time    `json:"departs,omitzero"` // held: see Driven
	Driven  Span         `json:"driven,omitzero"`  // how far the car had come
	Meter   *store.Meter `json:"meter,omitempty"`  // with a passenger on board
}

// keptCar is a car that orders have put on or off duty, or that has broken down.
type keptCar struct {
	Vehicle  string    `json:"vehicle"`
	OffDuty  bool      `json:"offDuty,omitempty"`
	Repaired time.Time `json:"repaired,omitzero"` // end of the repair
	OnUntil  time.Time `json:"onUntil,omitzero"`  // on duty although the driver's shift is over; the next shift begins then
}

// ordersForLater returns the orders for later.
func (w *restart) ordersForLater() *standingOrders {
	s := &standingOrders{Scripts: w.nextScripts}
	for _, n := range w.touchedJobs() {
		if kept, ok := w.keptJob(n); ok {
			s.Journeys = append(s.Journeys, kept)
		} else {
			delete(w.keeping.jobs, n)
		}
	}
	for n := range int32(len(w.fleet.byID)) {
		if kept := w.keptCar(n); kept != (keptCar{Vehicle: kept.Vehicle}) {
			s.Cars = append(s.Cars, kept)
		}
	}
	return s
}

// touchedJobs lists the jobs that orders may have changed, by the serial numbers of their
// journeys.
func (w *restart) touchedJobs() []int32 {
	all := make([]int32, 0, len(w.keeping.jobs))
	for n := range w.keeping.jobs {
		all = append(all, n)
	}
	serial := func(n int32) uint64 { return w.jobs.all[n].journey.Serial }
	slices.SortFunc(all, func(a, b int32) int { return cmp.Or(cmp.Compare(serial(a), serial(b)), cmp.Compare(a, b)) })
	return all
}

// keptJob returns what orders have changed about a job; false: nothing.
func (w *restart) keptJob(n int32) (keptJob, bool) {
	j := &w.jobs.all[n]
	if j.born == 0 {
		return keptJob{}, false
	}
	k := keptJob{Journey: j.journey.JourneyID, Revision: j.journey.Revision, Stopped: j.scriptStopped, Drive: w.keptDrive(j)}
	if j.aside != nil {
		k.Aside = j.keptAside()
	}
	return k, k.Aside != nil || k.Drive != nil || k.Stopped != ""
}

func (j *job) keptAside() *keptAside {
	a := j.aside
	k := &keptAside{
		Held: a.held, Lapses: a.lapses, Script: a.script,
		Due: spanOf(j.due, a.since), SetOff: spanOf(j.setOff, a.since),
		Tries: j.tries, Decided: j.passengerDecided, NoShow: j.noShow, Parked: j.keptEvents(),
	}
	switch {
	case len(a.script) == 0:
	case a.held:
		k.NextIn = spanOf(a.next, a.since)
	default:
		k.Next = a.next.time()
	}
	return k
}

// spanOf returns the duration from since to at; zero if at was never set.
func spanOf(at, since moment) Span {
	if at == 0 {
		return 0
	}
	return Span(at.sub(since))
}

// keptEvents returns the valid events of a job that wait. An open offer is made again, so
// it is an event that looks for a driver.
func (j *job) keptEvents() []keptEvent {
	parked := slices.Clone(j.aside.parked)
	slices.SortFunc(parked, byTime)
	var all []keptEvent
	for _, e := range parked {
		if e.stamp != j.stamp && e.stamp != j.born || e.kind == evScript {
			continue
		}
		switch {
		case e.kind == evAccept || e.kind == evRefuse:
			e.kind = evOffer
		case e.car != none && e.car != j.car: // a mishap of a driver who has lost the job
			continue
		}
		all = append(all, keptEvent{eventNames[e.kind], Span(e.at.sub(j.aside.since)), e.stamp == j.born})
	}
	if j.asked != none && !slices.ContainsFunc(all, func(e keptEvent) bool { return e.Kind == eventNames[evOffer] }) {
		all = append(all, keptEvent{Kind: eventNames[evOffer]}) // the driver asked has accepted, and has a passenger on board
	}
	return all
}

// byTime orders events as they happen.
func byTime(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq)) }

// eventNames are the names of the events of jobs that may wait.
var eventNames = map[eventKind]string{
	evRelease: "release", evOffer: "offer", evSetOff: "set-off", evArrive: "arrive", evContact: "contact", evBoard: "board",
	evStop: "stop", evFinish: "finish", evNoShow: "no-show", evDrop: "drop", evBreakdown: "breakdown", evCancel: "cancel",
}

// eventNamed returns the kind of an event by its name.
func eventNamed(name string) (kind eventKind, ok bool) {
	for kind, is := range eventNames {
		if is == name {
			return kind, true
		}
	}
	return 0, false
}

// keptDrive returns the drive of a job's car if the journey's stored one would bring the
// car elsewhere, or at another time; nil otherwise.
func (w *restart) keptDrive(j *job) *keptDrive {
	if j.car == none {
		return nil
	}
	c := &w.fleet.cars[j.car]
	if c.frozen == 0 && c.drivesAsStored(j) {
		return nil
	}
	k := &keptDrive{From: c.route.From.Point(), To: c.route.To.Point()}
	switch {
	case c.frozen != 0:
		k.Driven = Span(c.driven(w.now))
	case c.route.From != c.route.To:
		k.Departs = c.departs.time()
	}
	if j.journey.Status == taxi.POB {
		meter := j.meter.Reading()
		k.Meter = &meter
	}
	return k
}

// drivesAsStored reports whether a job's car drives as its journey's stored drive says.
func (c *car) drivesAsStored(j *job) bool {
	drive := j.journey.Drive
	switch {
	case drive == nil:
		return c.route.From == c.route.To && c.route.To == j.pickup
	case road.SpotOf(drive.To) != c.route.To:
		return false
	case c.route.From == c.route.To: // it stands there already
		return !drive.Arrives.After(j.journey.UpdatedAt) || drive.From == drive.To
	}
	return road.SpotOf(drive.From) == c.route.From && momentOf(drive.Departs) == c.departs && j.meter.Reading() == drive.Meter
}

// keptCar returns what orders have changed about a car.
func (w *restart) keptCar(n int32) keptCar {
	c := &w.fleet.cars[n]
	k := keptCar{Vehicle: c.crew.VehicleID, OffDuty: c.grounded}
	if c.broken && c.away > w.now {
		k.Repaired = c.away.time()
	}
	if c.summoned {
		k.OnUntil = w.nextShift(n).time()
	}
	return k
}

// nextShift returns when the next shift of a car's driver begins.
func (w *restart) nextShift(n int32) moment {
	after := w.roster.shiftOffset(n)
	return momentOf(w.roster.shiftOf(n).Begins.Next(w.now.add(-after).time())).add(after)
}

// in returns the moment that is the span after now.
func (s Span) in(now moment) moment { return now.add(time.Duration(s)) }
