package times

import (
	"time"
)

// When is what was said of a time, in its parts: each may come by itself, and later
// ones go before earlier ones.
type When struct {
	Now     bool
	Weak    bool // of Now: said in passing
	Urgent  bool // of Now: said of how quickly
	In      time.Duration
	Shift   time.Duration // later than it was
	Day     bool
	Days    int // from today; with Day
	Clock   bool
	Hour    int // 0 to 24; with Clock
	Minute  int
	Exact   bool
	Formal  bool // of Clock: read as the clock of 24 hours is, which counts on another day
	Part    part
	Same    bool // at the same time of day as now
	Gone    bool // yesterday
	Undated bool // a day was said that is none, or that was not understood
	Open    bool // two times, of which nobody knows which is meant
	About   bool // of Clock: just after, around
}

// IsZero reports whether nothing was said.
func (w When) IsZero() bool { return w == When{} }

// Farthest is how far ahead taxis are booked. Decision: as far as the reference's
// own dispatch system takes them.
const Farthest = 90 * 24 * time.Hour

// Over combines a time with what was said before; w takes precedence.
func (w When) Over(before When) When {
	if before.IsZero() || w.Now || w.In != 0 && !w.Day || w.Gone {
		return w
	}
	all := before
	all.Open, all.Gone, all.Undated = w.Open, before.Gone && !w.Day, w.Undated || before.Undated && !w.Day
	if w.Undated {
		all.Day, all.Days = false, 0
	}
	if w.Clock || w.Day || w.Part != Anytime {
		all.Now, all.Weak, all.In = false, false, 0
	}
	all.Same = w.Same || all.Same
	if w.Day {
		all.Day, all.Days = true, w.Days
	}
	if w.Clock && w.Hour == AnyHour && before.Clock && before.Hour != AnyHour { // five, make it ten past
		if w.Hour = before.Hour; w.Minute > 30 && before.Minute <= 30 && w.Hour > 0 {
			w.Hour--
		}
		w.Exact = before.Exact
	}
	if w.Clock {
		all.Clock, all.Hour, all.Minute, all.Exact, all.Formal, all.About = true, w.Hour, w.Minute, w.Exact, w.Formal, w.About
	}
	const dawn = 6
	early := before.Clock && before.Hour >= 0 && before.Hour < dawn && !w.Clock && !w.Day
	switch {
	case w.Part == Anytime, early && before.Part == Night && w.Part == morning: // Sunday night at one in the morning
	case early && before.Day && before.Days > 0 && before.Part == Anytime && w.Part == Night: // tomorrow at three at night
		all.Part = morning
	default:
		all.Part = w.Part
	}
	if w.In != 0 {
		all.In = w.In
	}
	if w.Shift != 0 {
		all.Shift = w.Shift
	}
	return all
}

// Trouble is the reason why a time cannot be used.
type Trouble string

// What may be wrong with a time.
const (
	TimeMissing Trouble = "missing" // no time of day was said
	TimePast    Trouble = "past"
	TimeFar     Trouble = "far"
	TimeDay     Trouble = "day" // the day was not understood
)

// At returns the moment that is meant; zero: as soon as possible. is is when the trip
// was to be until now; zero for no time.
func (w When) At(now, is time.Time) (time.Time, Trouble) {
	if w.Shift != 0 && !w.Clock && !w.Day && w.In == 0 {
		if is.IsZero() {
			is = now
		}
		return inReach(is.Add(w.Shift), now)
	}
	switch {
	case w.Gone:
		return time.Time{}, TimePast
	case w.Undated:
		return time.Time{}, TimeDay
	case w.Day && w.Days > int(Farthest/(24*time.Hour)):
		return time.Time{}, TimeFar
	case w.Now:
		return time.Time{}, ""
	case w.In != 0 && !w.Day:
		return inReach(now.Add(w.In).Round(time.Minute), now)
	case w.Open:
		return time.Time{}, TimeMissing
	case !w.Clock && w.Same && !is.IsZero():
		return inReach(OnDay(now, w.Days, is.Hour(), is.Minute()), now)
	case !w.Clock && w.Same:
		return inReach(OnDay(now, w.Days, now.Hour(), now.Minute()), now)
	case !w.Clock && !is.IsZero() && w.Day && w.Part == Anytime: // tomorrow instead
		return inReach(OnDay(now, w.Days, is.Hour(), is.Minute()), now)
	case !w.Clock:
		return time.Time{}, TimeMissing
	}
	if w.Hour == AnyHour && is.IsZero() && (w.Days > 0 || w.Part != Anytime) {
		return time.Time{}, TimeMissing // half past what, tomorrow
	}
	if w.Hour == AnyHour {
		return inReach(w.hourless(now, is), now)
	}
	return inReach(w.resolve(now, is), now)
}

// hourless is the next quarter past, or that of the hour that was said before.
func (w When) hourless(now, is time.Time) time.Time {
	if !is.IsZero() {
		return OnDay(now, between(now, is), is.Hour(), w.Minute)
	}
	at := OnDay(now, w.Days, now.Hour(), w.Minute)
	if at.Before(now) {
		at = at.Add(time.Hour)
	}
	return at
}

// inReach returns a moment, and what is wrong with it if it is past or too far ahead.
func inReach(at, now time.Time) (time.Time, Trouble) {
	switch {
	case at.Before(now.Add(-2 * time.Minute)):
		return at, TimePast
	case at.After(now.Add(Farthest)):
		return at, TimeFar
	}
	return at, ""
}

// resolve returns the moment that people most likely mean by a time of day.
func (w When) resolve(now, is time.Time) time.Time {
	days := w.Days
	if !is.IsZero() && (!w.Day || days == between(now, is)) && !w.Exact && (w.Part == Anytime || w.Part == Night && w.Hour >= 4 && w.Hour < 6) { // nine instead: the same day, the nearer half of it
		return nearest(is, now, w.Hour, w.Minute)
	}
	if !w.Day && !is.IsZero() {
		days = between(now, is)
	}
	named := w.Day || !is.IsZero()
	hour := w.Hour
	switch {
	case w.Exact:
	case w.Part == morning:
		hour %= 12
	case (w.Part == Night || w.Part == Evening) && hour == 12:
		hour = 24
	case w.Part == Night && hour < 6:
		return w.afterMidnight(now, days, hour)
	case w.Part != Anytime:
		hour = hour%12 + 12
	case w.Same:
		hour = hour%12 + now.Hour()/12*12
	case named && days > 0 && w.Formal:
	case named && days > 0:
		hour = likely(hour)
	default:
		return w.soonest(now, named)
	}
	if w.Exact && hour < 6 && w.Part == Night && (!w.Day || days == 0) {
		return w.afterMidnight(now, days, hour)
	}
	at := OnDay(now, days, hour, w.Minute)
	if !named && at.Before(now.Add(-2*time.Minute)) {
		at = OnDay(now, days+1, hour, w.Minute)
	}
	return at
}

// afterMidnight is a time of the night: of the night that runs already, or of the one
// that begins on the day that was named.
func (w When) afterMidnight(now time.Time, days, hour int) time.Time {
	if tonight := OnDay(now, 0, hour, w.Minute); days <= 0 && !tonight.Before(now) {
		return tonight
	}
	return OnDay(now, days+1, hour, w.Minute)
}

// nearest is the time of a day that the clock of twelve hours shows and that is
// nearest to another one, if that is still to come.
func nearest(is, now time.Time, hour, minute int) time.Time {
	days := between(now, is)
	a, b := OnDay(now, days, hour%12, minute), OnDay(now, days, hour%12+12, minute)
	if a.Sub(is).Abs() < b.Sub(is).Abs() && !a.Before(now) {
		return a
	}
	if b.Before(now) && days == 0 {
		return OnDay(now, 1, likely(hour), minute)
	}
	return b
}

// between returns the number of midnights from one moment to another.
func between(from, to time.Time) int {
	midnight := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(to).Sub(midnight(from)) / (24 * time.Hour))
}

// likely is the hour that people mean on another day when they do not say which
// half of it.
func likely(hour int) int {
	if hour >= 7 {
		return hour
	}
	return hour%12 + 12
}

// soonest is the next time that a clock of twelve hours shows this: of today alone
// where that was said.
func (w When) soonest(now time.Time, today bool) time.Time {
	for _, half := range []int{0, 12, 24, 36} {
		t := OnDay(now, half/24, w.Hour%12+half%24, w.Minute)
		if !t.Before(now.Add(-2*time.Minute)) && (half < 24 || !today) {
			return t
		}
	}
	return OnDay(now, 0, w.Hour%12+12, w.Minute)
}

// Fits reports whether what was said is true of a moment, so that it changes nothing;
// zero: as soon as possible.
func (w When) Fits(now, is time.Time) bool {
	const about = 3 * time.Minute
	soon := is.IsZero() || is.Sub(now).Abs() < about
	switch {
	case w.Gone || w.Undated || w.Open || w.Shift != 0:
		return false
	case w.Now:
		return soon
	case w.In != 0 && !w.Day:
		return now.Add(w.In).Sub(is).Abs() <= about
	case is.IsZero():
		return false
	}
	if days := between(now, is); w.Day && w.Days != days && (w.Part != Night || is.Hour() >= 6 || w.Days != days-1) {
		return false
	}
	if w.Clock && w.Hour == AnyHour {
		w.Hour = is.Hour()
	}
	if w.Clock && !w.shows(is) {
		return false
	}
	switch w.Part {
	case morning:
		return is.Hour() < 12
	case afternoon:
		return is.Hour() >= 12 && (is.Hour() < 18 || w.Clock) // nine p.m. as well
	case Evening:
		return is.Hour() >= 16
	case Night:
		return is.Hour() >= 17 || is.Hour() < 6
	}
	return true
}

// Without removes the parts that only describe a booking as it is: "my nine o'clock taxi".
func (w When) Without(now, is time.Time) When {
	if w.Day && w.Days == between(now, is) {
		w.Day, w.Days = false, 0
	}
	clock := When{Clock: w.Clock, Hour: w.Hour, Minute: w.Minute, Exact: w.Exact}
	if w.Clock && clock.Fits(now, is) && (w.Part == Anytime || (When{Part: w.Part}).Fits(now, is)) {
		w.Clock, w.Hour, w.Minute, w.Exact, w.Formal, w.About = false, 0, 0, false, false, false
	}
	if !w.Clock && w.Part != Anytime && (When{Part: w.Part}).Fits(now, is) {
		w.Part = Anytime
	}
	if w.Now && w.Weak {
		w.Now, w.Weak = false, false
	}
	return w
}

// shows reports whether the clock that was named shows a moment: the clock of twelve
// hours where the half of the day was not said.
func (w When) shows(is time.Time) bool {
	day := 12 * 60
	if w.Exact {
		day *= 2
	}
	off := ((is.Hour()*60+is.Minute()-w.Hour*60-w.Minute)%day + day) % day
	if w.About {
		const loosely = 20
		return off <= loosely || day-off <= loosely
	}
	return off == 0
}

// Piece reads a part of a time that begins at a word.
func (r Reader) Piece(now time.Time, i int) (Piece, bool) {
	for _, form := range []func(time.Time, int) (Piece, bool){r.reckoned, r.ago, r.Span, r.nowAt, r.day, r.partAt, r.clockAt} {
		if p, ok := form(now, i); ok {
			p.From = i
			return p, true
		}
	}
	return Piece{}, false
}

// longestSpan limits a duration, in minutes.
const longestSpan = 366 * 24 * 60
