package simulator

import (
	"time"

	"github.com/cabrank/cabrank/simulator/chance"
	"github.com/cabrank/cabrank/simulator/crew"
)

// How punctually drivers keep to the roster. Decisions.
const (
	shiftSpread = 20 * time.Minute // shifts of one kind begin and end within this time
	breakAfter  = 4 * time.Hour    // mean time since the beginning of the shift
	breakTime   = 30 * time.Minute
)

// shiftOf returns the shift of a car's driver. Shifts alternate between neighbouring
// cars, and between cars of one category.
func (w *roster) shiftOf(n int32) *crew.Times {
	return &w.shifts[(int(n)+int(n)/20)%len(w.shifts)]
}

// shiftOffset returns how long after the schedule a car's shifts begin and end.
func (w *roster) shiftOffset(n int32) time.Duration {
	draw := chance.New(w.seed, chance.Shift, uint64(n), 0)
	return draw.Between(0, shiftSpread)
}

// planShifts starts the shifts: cars whose drivers are off shift go off duty unless they
// have a job.
func (w *roster) planShifts(shifts []crew.Shift) error {
	for _, s := range shifts {
		d, err := s.Parse()
		if err != nil {
			return err
		}
		w.shifts = append(w.shifts, d)
	}
	if len(w.shifts) == 0 {
		return nil
	}
	for n := range int32(len(w.fleet.byID)) {
		after := w.shiftOffset(n)
		since := w.now.add(-after).time()
		d := w.shiftOf(n)
		begins, ends := momentOf(d.Begins.Next(since)).add(after), momentOf(d.Ends.Next(since)).add(after)
		w.plan(event{at: begins, kind: evShift, car: n})
		w.plan(event{at: ends, kind: evShiftEnds, car: n})
		if begins < ends {
			w.leaveDuty(n)
		}
	}
	return nil
}

// beginShift makes a car available when its driver's shift begins.
func (w *roster) beginShift(n int32) {
	c := &w.fleet.cars[n]
	after := w.shiftOffset(n)
	w.plan(event{at: momentOf(w.shiftOf(n).Begins.Next(w.now.add(-after).time())).add(after), kind: evShift, car: n})
	draw := chance.New(w.seed, chance.Break, uint64(n), uint64(w.now))
	w.plan(event{at: w.now.add(draw.Between(breakAfter*3/4, breakAfter*5/4)), kind: evBreak, car: n})
	c.offShift = false
	w.dismiss(n)
	w.onDuty(n)
}

// endShift takes a car off duty when its driver's shift ends, after its current job.
func (w *roster) endShift(n int32) {
	after := w.shiftOffset(n)
	w.plan(event{at: momentOf(w.shiftOf(n).Ends.Next(w.now.add(-after).time())).add(after), kind: evShiftEnds, car: n})
	w.leaveDuty(n)
}

func (w *roster) leaveDuty(n int32) {
	c := &w.fleet.cars[n]
	c.offShift, c.rests = true, false
	w.dismiss(n)
	if c.state == CarFree {
		w.fleet.takeOffDuty(n, w.now)
	}
}

// takeBreak gives a driver a break, as soon as the car is free.
func (w *roster) takeBreak(n int32) {
	c := &w.fleet.cars[n]
	if c.offShift {
		return
	}
	if c.rests = true; c.state == CarFree {
		w.rest(n)
	}
}

func (w *roster) rest(n int32) {
	w.fleet.cars[n].rests = false
	w.offDutyFor(n, breakTime)
}

// dismiss ends an order that has put a car on duty after its driver's shift.
func (w *roster) dismiss(n int32) {
	if c := &w.fleet.cars[n]; c.summoned {
		c.summoned = false
		w.keeping.touch()
	}
}

// breakDown takes a car off duty until it is repaired.
func (w *roster) breakDown(n int32, repair time.Duration) {
	w.offDutyFor(n, repair)
	w.fleet.cars[n].broken = true
	w.keeping.touch()
}

// offDutyFor takes a car off duty until a duration has passed.
func (w *roster) offDutyFor(n int32, d time.Duration) {
	w.fleet.takeOffDuty(n, w.now)
	c := &w.fleet.cars[n]
	c.broken = false
	c.away = w.now.add(d)
	w.plan(event{at: c.away, kind: evOnDuty, car: n})
}

// onDuty makes an off-duty car available, unless another reason keeps it off duty.
func (w *roster) onDuty(n int32) {
	c := &w.fleet.cars[n]
	if c.state != CarOffDuty || c.partner || w.now < c.away || c.offShift || c.grounded {
		return
	}
	if c.broken {
		c.broken = false
		w.keeping.touch()
	}
	w.fleet.park(n, w.now)
	w.rides.standBy(n)
}
