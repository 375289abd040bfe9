package robot

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// soon is the time within which a pickup counts as now.
const soon = time.Minute

// past reports whether the time of the task has passed, so that it can no longer be booked.
func (r *Robot) past() bool { return !r.task.At.IsZero() && r.task.At.Before(r.now().Add(-soon)) }

// time answers the questions about the time.
func (r *Robot) time(step booking.Step) Move {
	at := r.task.At
	if at.IsZero() && r.task.Want == WantEdit && step.Journey != nil && !step.Journey.Date.IsZero() {
		at = step.Journey.Date.In(r.zone).Time
	}
	switch {
	case r.past():
		return Move{Choice: spoken.ChoosePerson}
	case step.State == booking.IsTime:
		return Move{Choice: spoken.ChooseYes}
	case at.IsZero(), at.Before(r.now().Add(soon)):
		return Move{Choice: spoken.ChooseNow}
	}
	at = at.In(r.zone)
	days := daysBetween(r.now().In(r.zone), at)
	switch {
	case step.State == booking.WhichDay && days == 0:
		return Move{Choice: spoken.ChooseToday}
	case step.State == booking.WhichDay:
		return Move{Choice: spoken.ChooseTomorrow}
	}
	// English is understood in every language
	m := Move{Words: fmt.Sprintf("%d %s at %s", at.Day(), at.Month(), at.Format("15:04"))}
	if days <= 1 {
		m.Keys = at.Format("1504")
	}
	return m
}

// daysBetween counts the midnights from one moment to another.
func daysBetween(from, to time.Time) int {
	day := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(day(to).Sub(day(from)) / (24 * time.Hour))
}
