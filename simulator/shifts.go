package simulator

import (
	"fmt"
	"time"

	"github.com/robfig/cron/v3"
)

// Shift is when some of the drivers work: from when the first schedule fires until
// the second does. Both are cron lines in UTC, where no hour is skipped or comes
// twice.
type Shift struct{ Begins, Ends string }

// Roster returns the shifts that drivers take turns in. Decision: half the cars
// are out at any time of the day, and a quarter in the small hours.
func Roster() []Shift {
	return []Shift{
		{"0 5 * * *", "0 14 * * *"},
		{"0 8 * * *", "0 19 * * *"},
		{"0 14 * * *", "0 0 * * *"},
		{"0 19 * * *", "0 5 * * *"},
	}
}

// How drivers keep to the roster. Decisions.
const (
	handOver   = 20 * time.Minute // shifts of one kind begin and end within this
	breakAfter = 4 * time.Hour    // since the shift began, on the average
	breakTime  = 30 * time.Minute
)

// duty is a shift whose schedules have been read.
type duty struct{ begins, ends cron.Schedule }

// read parses the schedules of a shift.
func (s Shift) read() (duty, error) {
	begins, err := utcSchedule(s.Begins)
	if err != nil {
		return duty{}, fmt.Errorf("shift begins: %w", err)
	}
	ends, err := utcSchedule(s.Ends)
	if err != nil {
		return duty{}, fmt.Errorf("shift ends: %w", err)
	}
	return duty{begins, ends}, nil
}

// dutyOf is the shift that a car's driver works in. Neighbours take turns, and so
// do the cars of one category.
func (w *World) dutyOf(n int32) *duty {
	return &w.duties[(int(n)+int(n)/20)%len(w.duties)]
}

// handsOver is how long after the schedule a car's shifts begin and end.
func (w *World) handsOver(n int32) time.Duration {
	draw := newStream(w.seed, drawShift, uint64(n), 0)
	return draw.between(0, handOver)
}

// planShifts starts the roster: who is off now goes off duty unless he has a job.
func (w *World) planShifts(shifts []Shift) error {
	for _, s := range shifts {
		d, err := s.read()
		if err != nil {
			return err
		}
		w.duties = append(w.duties, d)
	}
	if len(w.duties) == 0 {
		return nil
	}
	for n := range int32(len(w.fleet.byID)) {
		after := w.handsOver(n)
		since := w.now.add(-after).time()
		d := w.dutyOf(n)
		begins, ends := momentOf(d.begins.Next(since)).add(after), momentOf(d.ends.Next(since)).add(after)
		w.plan(event{at: begins, kind: evShift, car: n})
		w.plan(event{at: ends, kind: evShiftEnds, car: n})
		if begins < ends {
			w.goOff(n)
		}
	}
	return nil
}

// beginShift brings a driver to his car.
func (w *World) beginShift(n int32) {
	c := &w.fleet.cars[n]
	after := w.handsOver(n)
	w.plan(event{at: momentOf(w.dutyOf(n).begins.Next(w.now.add(-after).time())).add(after), kind: evShift, car: n})
	draw := newStream(w.seed, drawBreak, uint64(n), uint64(w.now))
	w.plan(event{at: w.now.add(draw.between(breakAfter*3/4, breakAfter*5/4)), kind: evBreak, car: n})
	c.offShift = false
	w.onDuty(n)
}

// endShift lets a driver go home once he has nothing to do.
func (w *World) endShift(n int32) {
	after := w.handsOver(n)
	w.plan(event{at: momentOf(w.dutyOf(n).ends.Next(w.now.add(-after).time())).add(after), kind: evShiftEnds, car: n})
	w.goOff(n)
}

func (w *World) goOff(n int32) {
	c := &w.fleet.cars[n]
	c.offShift, c.rests = true, false
	if c.state == CarFree {
		w.fleet.lay(n, w.now)
	}
}

// takeBreak gives a driver his break, as soon as he is free.
func (w *World) takeBreak(n int32) {
	c := &w.fleet.cars[n]
	if c.offShift {
		return
	}
	if c.rests = true; c.state == CarFree {
		w.rest(n)
	}
}

func (w *World) rest(n int32) {
	w.fleet.cars[n].rests = false
	w.lay(n, breakTime)
}

// lay takes a car off duty for a while.
func (w *World) lay(n int32, d time.Duration) {
	w.fleet.lay(n, w.now)
	c := &w.fleet.cars[n]
	c.away = w.now.add(d)
	w.plan(event{at: c.away, kind: evOnDuty, car: n})
}

// onDuty makes a car that was off duty available, if nothing else keeps it away.
func (w *World) onDuty(n int32) {
	c := &w.fleet.cars[n]
	if c.state != CarOffDuty || c.partner || w.now < c.away || c.offShift {
		return
	}
	w.fleet.park(n, w.now)
	w.standBy(n)
}
