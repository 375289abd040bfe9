package simulator

import (
	"encoding/json"
	"log/slog"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// readStanding returns the orders for later of an earlier world. If they cannot be read,
// this is logged, and there are none.
func (w *World) readStanding(text json.RawMessage) *standingOrders {
	s := &standingOrders{}
	if len(text) == 0 {
		return s
	}
	if err := json.Unmarshal(text, s); err != nil {
		w.log.Error("the world goes on without its orders for later: they cannot be read", slog.Any("error", err))
		return &standingOrders{}
	}
	return s
}

// resumeOrders continues scripts for bookings to come, and supply settings.
func (w *World) resumeOrders(s *standingOrders) {
	w.nextScripts, w.supplies = s.Scripts, s.Supplies
	w.dropSupplies(w.now, func(*Supply) bool { return false })
}

// byJourney returns what is kept of journeys, by id.
func (s *standingOrders) byJourney() map[taxi.JourneyID]*keptJob {
	all := make(map[taxi.JourneyID]*keptJob, len(s.Journeys))
	for i := range s.Journeys {
		all[s.Journeys[i].Journey] = &s.Journeys[i]
	}
	return all
}

// resumeKept continues a journey that orders have changed. If the journey has changed
// since that was stored, because the process was killed in between, the hold and the rest
// of the script still apply, and everything else is planned as for other journeys.
func (w *World) resumeKept(n int32, k *keptJob) {
	j := &w.jobs.all[n]
	j.scriptStopped = k.Stopped
	k.skipDone(j)
	a := k.Aside
	if a != nil && (a.Held || len(a.Script) > 0) {
		j.aside = &aside{held: a.Held, lapses: a.Lapses, script: a.Script, since: w.now}
	}
	w.resumeJob(n)
	if k.Revision == j.journey.Revision {
		w.resumeDriveKept(n, k.Drive)
		w.resumeParked(n, a)
	}
	w.resumeScript(n, a)
	w.freeze(j)
	w.touchJob(n)
}

// skipDone removes the first step of a script that has happened already.
func (k *keptJob) skipDone(j *job) {
	a := k.Aside
	if a == nil || k.Revision == j.journey.Revision || len(a.Script) == 0 {
		return
	}
	step := a.Script[0].order("")
	if step.To != j.journey.Status {
		return
	}
	if a.Script = a.Script[1:]; len(a.Script) > 0 {
		a.Next = j.journey.UpdatedAt.Add(a.Script[0].after())
		a.NextIn = a.Script[0].After
	}
}

// resumeDriveKept puts a job's car onto its kept drive, and plans the end of that again.
func (w *World) resumeDriveKept(n int32, k *keptDrive) {
	j := &w.jobs.all[n]
	if k == nil || j.car == none {
		return
	}
	c, from, to := &w.fleet.cars[j.car], SpotOf(k.From), SpotOf(k.To)
	c.departs = w.now
	if from == to {
		c.route.stand(to)
	} else {
		w.roadsFor(from, to).Route(from, to, &c.route)
		c.departs = momentOf(k.Departs)
	}
	if j.aside != nil && j.aside.held {
		c.departs = (-k.Driven).in(w.now)
	}
	if k.Meter != nil {
		j.meter.Set(*k.Meter)
	}
	switch j.journey.Status {
	case taxi.Accepted:
		w.replan(j)
		w.accepted(n)
	case taxi.EnRoute:
		w.replan(j)
		w.approach(n)
	case taxi.POB:
		w.replan(j)
		w.onBoard(n)
	}
}

// resumeParked restores the plans of a job that does not progress by itself.
func (w *World) resumeParked(n int32, k *keptAside) {
	j := &w.jobs.all[n]
	if j.aside == nil {
		return
	}
	j.aside.parked = nil
	j.due, j.setOff = k.Due.in(w.now), k.SetOff.in(w.now)
	j.tries, j.passengerDecided, j.noShow = k.Tries, k.Decided, k.NoShow
	for _, one := range k.Parked {
		kind, known := eventNamed(one.Kind)
		if !known {
			continue
		}
		w.queue.seq++
		e := event{at: one.In.in(w.now), seq: w.queue.seq, stamp: j.stamp, kind: kind, job: n, car: j.car}
		if one.Born {
			e.stamp = j.born
		}
		j.aside.parked = append(j.aside.parked, e)
	}
}

// resumeScript plans the next step of a script: when it was due, or at once if that has
// passed.
func (w *World) resumeScript(n int32, k *keptAside) {
	j := &w.jobs.all[n]
	if k == nil || len(k.Script) == 0 {
		return
	}
	j.aside.next = k.NextIn.in(w.now)
	if !k.Held {
		j.aside.next = momentOf(k.Next)
	}
	w.plan(event{at: j.aside.next, stamp: j.born, kind: evScript, job: n, car: none})
}

// resumeCars continues what orders have changed about cars.
func (w *World) resumeCars(all []keptCar) {
	for _, k := range all {
		n, ok := w.fleet.byID[k.Vehicle]
		if !ok {
			continue
		}
		c := &w.fleet.cars[n]
		if w.now < momentOf(k.OnUntil) && c.offShift {
			c.offShift, c.summoned = false, true
			w.onDuty(n)
		}
		c.grounded = k.OffDuty
		repaired := momentOf(k.Repaired)
		switch free := c.state == CarFree || c.state == CarOffDuty; {
		case free && w.now < repaired:
			w.breakDown(n, repaired.sub(w.now))
		case c.grounded && c.state == CarFree:
			w.fleet.takeOffDuty(n, w.now)
		}
	}
}
